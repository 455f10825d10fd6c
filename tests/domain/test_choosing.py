"""From ranked candidates to the passages that are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.choosing import NEAREST, Choice, choose
from desktop_rag.domain.diversity import Closeness
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Fate, Verdict
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from tests.helpers.passages import make_passage

RULES = replace(DEFAULT_RULES, relevance_floor=0.1, mmr_lambda=0.7)


def ranked(*texts: str) -> list[Passage]:
    return [
        replace(make_passage(text, chunk=n, document=n), score=1 - n / 100)
        for n, text in enumerate(texts, 1)
    ]


def chosen(
    passages: list[Passage],
    limit: int = 8,
    *,
    relevances: dict[int, float] | None = None,
    cosines: dict[tuple[int, int], float] | None = None,
) -> Choice:
    """Chunks are called by number; a relevance or cosine that is not given is 0.5."""
    chunks = [one.chunk for one in passages]
    rows = [[(cosines or {}).get((b, a), 0.5) for b in chunks[:n]] for n, a in enumerate(chunks)]
    return choose(
        passages,
        lambda one: (relevances or {}).get(one.chunk, 0.5),
        Closeness(chunks, rows),
        limit,
        RULES,
    )


def shown(choice: Choice) -> list[int]:
    return [one.chunk for one in choice.passages]


def test_the_best_are_shown_with_their_relevance() -> None:
    choice = chosen(ranked("apples", "pears", "plums"), 2, relevances={1: 0.9, 2: 0.7})
    assert [(one.text, one.relevance) for one in choice.passages] == [
        ("apples", 0.9),
        ("pears", 0.7),
    ]
    assert not choice.is_weak
    assert choice.verdicts[ChunkId(3)] == Verdict(Fate.OVER_LIMIT)


def test_a_duplicate_makes_room_for_the_next() -> None:
    choice = chosen(ranked("apples are red", "apples are red", "pears"), 2, cosines={(1, 2): 1.0})
    assert shown(choice) == [1, 3]
    assert choice.verdicts[ChunkId(2)] == Verdict(Fate.DUPLICATE, ChunkId(1), 1.0)


def test_what_is_below_the_floor_is_left_out_and_the_next_comes_up() -> None:
    choice = chosen(ranked("apples", "pears", "plums"), 2, relevances={2: 0.05})
    assert shown(choice) == [1, 3]
    assert choice.verdicts[ChunkId(2)] == Verdict(Fate.WEAK)


def test_when_all_are_below_the_floor_the_nearest_are_shown_as_such() -> None:
    passages = ranked("apples", "pears", "plums", "figs", "nuts")
    choice = chosen(passages, relevances=dict.fromkeys(range(1, 6), 0.01))
    assert choice.is_weak
    assert shown(choice) == [1, 2, 3][:NEAREST]
    assert choice.verdicts[ChunkId(1)] == Verdict(Fate.SHOWN)
    assert choice.verdicts[ChunkId(5)] == Verdict(Fate.WEAK)


def test_no_more_of_them_than_were_asked_for() -> None:
    choice = chosen(ranked("apples", "pears"), 1, relevances={1: 0.01, 2: 0.01})
    assert (shown(choice), choice.is_weak) == ([1], True)


def test_what_is_just_on_the_floor_is_shown() -> None:
    choice = chosen(ranked("apples", "pears"), relevances={1: RULES.relevance_floor, 2: 0.01})
    assert (shown(choice), choice.is_weak) == ([1], False)


def test_what_a_name_leads_to_is_shown_though_it_is_about_something_else() -> None:
    passages = ranked("apples", "pears")
    passages[1] = replace(passages[1], is_linked=True)
    assert shown(chosen(passages, relevances={2: 0.01})) == [1, 2]


def test_the_more_are_wanted_the_further_a_crowd_is_looked_past() -> None:
    copies = [f"Our price for apples is {n} francs." for n in range(1, 26)]
    close = {(a, b): 0.97 for a in range(1, 26) for b in range(a + 1, 26)}
    choice = chosen(ranked(*copies, *(f"text {n}" for n in range(20))), 15, cosines=close)
    assert max(shown(choice)) > 25


def test_near_copies_do_not_crowd_out_what_else_there_is() -> None:
    copies = [f"Our price for apples is {n} francs." for n in range(1, 9)]
    others = [f"Text about something else, {n}." for n in range(40)]
    passages = ranked(*copies, "Pears cost more.", "Plums cost less.", *others)
    close = {(a, b): 0.97 for a in range(1, 9) for b in range(a + 1, 9)}
    choice = chosen(passages, 4, cosines=close)
    assert shown(choice)[0] == 1
    assert {9, 10} <= set(shown(choice))
    assert choice.verdicts[ChunkId(3)] == Verdict(Fate.SIMILAR, ChunkId(1), 0.97)
    alone = replace(RULES, mmr_lambda=1.0)
    by_score = choose(passages, lambda _: 0.5, Closeness(), 4, alone)
    assert shown(by_score) == [1, 2, 3, 4], "they differ in a number, so none is a duplicate"


def test_relevance_is_asked_only_of_those_that_come_into_question() -> None:
    asked: list[int] = []

    def judge(one: Passage) -> float:
        asked.append(one.chunk)
        return 0.5

    choose(ranked(*(f"text {n}" for n in range(80))), judge, Closeness(), 5, RULES)
    assert asked == [1, 2, 3, 4, 5]


def test_more_than_the_window_is_shown_when_asked_for() -> None:
    choice = chosen(ranked(*(f"text {n}" for n in range(80))), 80)
    assert shown(choice) == list(range(1, 81))


@pytest.mark.parametrize("limit", [1, 8])
def test_of_nothing_nothing_is_chosen(limit: int) -> None:
    assert chosen([], limit) == Choice((), False, {})
