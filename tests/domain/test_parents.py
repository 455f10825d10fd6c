"""Short passages and what is around them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.domain.parents import Neighbour, same_section, wants_more, widened
from tests.helpers.passages import make_passage

TEXT = "One is small. Two is next. Three is found. Four is near. Five is last."
SPANS = [(0, 13), (14, 26), (27, 42), (43, 56), (57, 70)]


def neighbour(
    ordinal: int, start: int, end: int, section: str = "Pumps", place: str = ""
) -> Neighbour:
    return Neighbour(ordinal, start, end, section, place, (ordinal + 1, ordinal + 1))


SENTENCES = [neighbour(n, start, end) for n, (start, end) in enumerate(SPANS)]


def widened_to(chars: int, number: int = 2, section: list[Neighbour] | None = None) -> str:
    start, end = SPANS[number]
    around = section or SENTENCES
    text = TEXT[around[0].start : around[-1].end]
    wide = widened(make_passage(TEXT[start:end], start=start), around, text, chars)
    assert wide.text == TEXT[wide.start : wide.end]
    return wide.text


def test_it_grows_by_whole_sentences_on_both_sides() -> None:
    assert widened_to(45) == "Two is next. Three is found. Four is near."
    assert widened_to(200) == TEXT
    assert widened_to(20) == "Three is found."


def test_at_the_border_of_its_section_it_grows_to_the_other_side_only() -> None:
    assert widened_to(45, section=SENTENCES[2:]) == "Three is found. Four is near. Five is last."


def test_pages_are_those_of_all_that_is_shown() -> None:
    start, end = SPANS[2]
    short = make_passage(TEXT[start:end], start=start, pages=(3, 3))
    assert widened(short, SENTENCES, TEXT, 45).pages == (2, 4)


@given(st.integers(0, 4), st.integers(0, 90))
def test_it_never_loses_text_or_exceeds_the_window(number: int, chars: int) -> None:
    start, end = SPANS[number]
    text = widened_to(chars, number)
    assert TEXT[start:end] in text
    assert len(text) <= max(chars, end - start)


def test_a_section_ends_at_another_heading_slide_or_gap() -> None:
    others = [
        neighbour(0, 0, 5, "Valves"),
        neighbour(1, 6, 10),
        neighbour(2, 11, 15),
        neighbour(4, 21, 25),
    ]
    assert [one.ordinal for one in same_section(2, others)] == [1, 2]
    slides = [neighbour(n, 10 * n, 10 * n + 9, place=f"slide {n}") for n in range(3)]
    assert [one.ordinal for one in same_section(1, slides)] == [1]
    rows = [
        neighbour(n, 10 * n, 10 * n + 9, place=f"sheet Sales, rows {n}-{n + 1}") for n in range(3)
    ]
    assert len(same_section(1, rows)) == 3
    assert all(a.start < b.start for a, b in pairwise(same_section(1, rows)))


def test_long_passages_tables_and_excerpts_stay_as_they_are() -> None:
    short = make_passage("Short.")
    assert wants_more(short, 800)
    assert not wants_more(make_passage("x" * 700), 800)
    assert not wants_more(replace(short, columns="a | b"), 800)
    assert not wants_more(replace(short, excerpt=((0, 3),)), 800)
    assert not wants_more(short, 0)
