"""What a passage counts for, and where quotes stand."""

from __future__ import annotations

import pytest

from desktop_rag.domain.evaluation import Place, Question
from desktop_rag.domain.grading import holds, quote_span, ranked
from tests.helpers.passages import make_passage

TEXT = "The pump holds four litres of oil. The warranty lasts seven years."


@pytest.mark.parametrize(
    ("place", "is_held"),
    [
        (Place("a"), True),
        (Place("b"), False),
        (Place("a", span=(60, 120)), True),  # 40 of 60 characters
        (Place("a", span=(0, 60)), False),  # none
        (Place("a", span=(90, 200)), False),  # 10 of 110
        (Place("a", quote="Warranty lasts\nseven years"), True),
        (Place("a", quote="pump holds four litres of oil, the guarantee"), True),  # most of it
        (Place("a", quote="the guarantee ends after eight years"), False),
        (Place("a", pages=(3,)), True),
        (Place("a", pages=(2, 7)), False),
        (Place("a", pages=(3,), quote="something else entirely here"), False),
    ],
)
def test_a_passage_holds_a_place(place: Place, is_held: bool) -> None:
    passage = make_passage(TEXT[:40], start=60, pages=(3, 4))
    if place.quote:
        passage = make_passage(TEXT, pages=(3, 4))
    assert holds(passage, "a", place) is is_held


def test_places_are_ranked_where_they_are_first_held() -> None:
    question = Question("q", "?", places=(Place("a", pages=(1,)), Place("b", pages=(2,))))
    found = [make_passage("x", chunk=n, pages=(page, page)) for n, page in ((1, 5), (2, 2), (3, 1))]
    assert ranked(question, found, ["a", "b", "a"]) == ["other:0", "truth:1", "truth:0"]
    assert question.wanted == {"truth:0": 1, "truth:1": 1}


def test_a_quote_is_found_whatever_space_is_between_its_words() -> None:
    text = "One two.\n\nThree  four.\nOne\ttwo."
    assert quote_span(text, "Three four.") == (10, 22)
    assert quote_span(text, "One two.") == (0, 8)
    assert quote_span(text, "One two.", near=30) == (23, 31)
    assert quote_span(text, "five") is None
    assert quote_span(text, " \n") is None
    assert quote_span("and then on every day", "none") is None
    assert quote_span("boiling oil", "oil") == (8, 11)
    assert quote_span("时间是八点", "八点") == (3, 5)
