"""The score that people see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from desktop_rag.domain.answers import Candidate, Passage
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.scoring import Signals, relevance, relevance_to, signals_for
from tests.helpers.passages import make_passage

STEPS = [n / 10 for n in range(11)]
MIDDLE = Signals(0.5, 0.5, 0.5, 3)
BRIDGE = make_passage("The harbour bridge was opened in 1932.", chunk=1)
TEA = make_passage("Green tea is picked in spring.", chunk=2)


def candidates(scores: Sequence[float | None]) -> list[Candidate]:
    """Chunks 1, 2, … with these keyword scores."""
    return [
        Candidate(ChunkId(n), 1 / n, 0.5, n, n, keyword_score=score)
        for n, score in enumerate(scores, 1)
    ]


def test_it_is_a_probability_that_grows_with_each_signal() -> None:
    rows = [
        [replace(MIDDLE, cosine=step) for step in STEPS],
        [replace(MIDDLE, coverage=step) for step in STEPS],
        [replace(MIDDLE, keyword_share=step) for step in STEPS],
        [replace(MIDDLE, rank=rank) for rank in (50, 20, 8, 3, 2, 1)],
    ]
    for row in rows:
        assert all(0 < low < high < 1 for low, high in pairwise(map(relevance, row)))


def test_extremes_stay_within_bounds() -> None:
    assert 0 <= relevance(Signals(-1.0, 0.0, 0.0, 10_000)) < 0.001
    assert 0.95 < relevance(Signals(1.0, 1.0, 1.0, 1)) <= 1


def test_without_a_cosine_words_decide() -> None:
    low, high = (relevance(Signals(None, share, share, 1)) for share in (0.0, 1.0))
    assert low < 0.1 < 0.5 < high


def test_a_passage_with_the_question_s_words_is_judged_higher() -> None:
    judge = relevance_to("When did the harbour bridge open?", candidates([4.0, 0.0]))
    assert judge(BRIDGE) > 0.5 > 0.1 > judge(TEA)


def test_signals_are_those_of_the_passage_s_candidate() -> None:
    signals = signals_for("When did the harbour bridge open?", candidates([8.0, 2.0, None]))
    assert signals(BRIDGE) == Signals(0.5, 1.0, 1.0, 1)
    assert signals(TEA) == Signals(0.5, 0.0, 0.25, 2)
    assert signals(replace(TEA, chunk=ChunkId(3))) == Signals(0.5, 0.0, 0.0, 3)


def test_in_a_language_that_the_embedder_does_not_know_its_cosine_counts_for_nothing() -> None:
    (one,) = candidates([8.0])
    signals = signals_for("harbour bridge", [replace(one, word_evidence=1.2)])
    assert signals(BRIDGE).cosine is None


def test_title_and_section_count_as_the_passage_s_words() -> None:
    signals = signals_for("harbour bridge", candidates([1.0, 1.0]))
    assert signals(TEA).coverage == 0
    assert signals(replace(TEA, section="Harbour bridge")).coverage == 1
    assert signals(replace(TEA, title="Bridges of the harbour")).coverage == 1


@pytest.mark.parametrize("question", ["What is it about?", "?", "🙂"])
def test_a_question_without_content_words_has_none_to_hold(question: str) -> None:
    judge = relevance_to(question, candidates([None]))
    assert 0 < judge(BRIDGE) < 1


def test_without_any_keyword_hit_shares_are_nought() -> None:
    passages: list[Passage] = [BRIDGE, TEA]
    signals = signals_for("bridge", candidates([None, 0.0]))
    assert [signals(one).keyword_share for one in passages] == [0.0, 0.0]
