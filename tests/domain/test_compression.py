"""The best passage whole, the others cut to their best sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain import compression
from desktop_rag.domain.answers import Passage
from desktop_rag.domain.citing import Place, cite
from desktop_rag.domain.compression import Priced, shown
from desktop_rag.domain.prompting import numbered_passage
from desktop_rag.domain.scoring import stems_of
from desktop_rag.domain.support import terms
from tests.helpers.passages import make_passage

BEST = make_passage("The harbour bridge was planned for a long time. It was paid by the city.")
LONG = make_passage(
    "Ferries crossed the water before. The harbour bridge opened in March 1932. A band played all "
    "day. Ships still pass below. The bridge is painted every ten years.",
    chunk=2,
    document=2,
    start=700,
)
TABLE = make_passage("Bridge | Opened | Cost\nHarbour | 1932 | 6\nTower | 1894 | 1", chunk=3)
ASKED = stems_of("When did the harbour bridge open?")


def fit(
    found: list[Priced], asked: frozenset[str], tokens: int, limit: int = 5, whole: int = 1
) -> list[Passage]:
    return compression.fit(found, asked, tokens, limit, whole)


def priced(*passages: Passage) -> list[Priced]:
    """A token is a word; headings cost nothing."""
    return [Priced(one, len(one.text.split()), len(one.text)) for one in passages]


def test_the_best_stays_whole_and_the_next_shows_its_best_sentence() -> None:
    best, cut = fit(priced(BEST, LONG), ASKED, 27)
    assert best == BEST
    assert shown(cut) == "… The harbour bridge opened in March 1932. …"


def test_nothing_is_cut_while_all_fit() -> None:
    assert fit(priced(BEST, LONG), ASKED, 60) == [BEST, LONG]


def test_gaps_are_marked_and_sentences_keep_their_order() -> None:
    _, cut = fit(priced(BEST, LONG), ASKED, 35)
    assert shown(cut) == (
        "… The harbour bridge opened in March 1932. … The bridge is painted every ten years."
    )


def test_neighbouring_sentences_have_no_gap() -> None:
    neighbours = replace(LONG, excerpt=())
    _, cut = fit(priced(BEST, neighbours), stems_of("harbour bridge ferries water"), 37)
    assert shown(cut).startswith("Ferries crossed the water before. The harbour bridge opened")
    assert cut.excerpt == ((0, 74),)


def test_a_cut_passage_keeps_text_and_place_so_that_citations_are_exact() -> None:
    _, cut = fit(priced(BEST, LONG), ASKED, 27)
    assert (cut.text, cut.start, cut.end) == (LONG.text, LONG.start, LONG.end)
    answer = "The harbour bridge opened in March 1932 [2]."
    cited = cite(answer, "When did it open?", [BEST, cut], lambda *_: Place(1))
    (citation,) = cited.citations
    sentence = "The harbour bridge opened in March 1932."
    assert citation.quote == sentence
    assert citation.start == 700 + LONG.text.index(sentence)


def test_the_prompt_shows_the_excerpt_only() -> None:
    _, cut = fit(priced(BEST, LONG), ASKED, 27)
    prompt = numbered_passage(2, cut, terms("When?"))
    assert "March 1932" in prompt
    assert "Ferries" not in prompt


def test_tables_and_code_are_whole_or_not_there() -> None:
    assert fit(priced(BEST, TABLE), ASKED, 22) == [BEST]
    assert fit(priced(BEST, TABLE, LONG), ASKED, 37)[1] == TABLE


def test_the_second_best_stays_whole_by_default_and_the_third_is_cut() -> None:
    second = make_passage("The bridge of the harbour opens for tall ships.", chunk=4)
    found = compression.fit(priced(BEST, second, LONG), ASKED, 36)
    assert found[:2] == [BEST, second]
    assert shown(found[2]) == "… The harbour bridge opened in March 1932. …"


def test_from_the_limit_on_none_is_cut() -> None:
    short = make_passage("Bridges rust.", chunk=4)
    assert fit(priced(BEST, LONG, short), ASKED, 20, limit=5, whole=5) == [BEST, short]


@pytest.mark.parametrize("whole", [0, 1])
def test_the_best_is_there_even_when_it_does_not_fit(whole: int) -> None:
    (only,) = fit(priced(LONG, BEST), ASKED, 20, whole=whole)
    assert only.text == LONG.text[: len(only.text)]


@pytest.mark.parametrize("tokens", [5, 20, 25, 30, 40, 60])
def test_the_budget_holds(tokens: int) -> None:
    found = fit(priced(BEST, LONG, TABLE), ASKED, tokens)
    held = sum(len(shown(one).split()) for one in found)
    assert len(found) == 1 or held <= tokens


def test_the_limit_holds() -> None:
    many = [make_passage(LONG.text, chunk=n, document=n) for n in range(10, 20)]
    assert len(fit(priced(BEST, *many), ASKED, 80, limit=3)) == 3


def test_of_nothing_nothing_is_chosen() -> None:
    assert fit([], ASKED, 100) == []
