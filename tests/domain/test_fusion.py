"""Reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from desktop_rag.domain.answers import Candidate
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.fusion import Shares, fused, reciprocal_rank_fusion, with_late_scores

EQUAL = Shares(0.5, 0.5)


def candidates(
    dense: Sequence[int],
    keyword: Sequence[int],
    cosines: Mapping[int, float],
    scores: Mapping[int, float],
) -> list[Candidate]:
    return [
        Candidate(
            ChunkId(chunk),
            0.0,
            cosines.get(chunk),
            dense.index(chunk) + 1 if chunk in dense else None,
            keyword.index(chunk) + 1 if chunk in keyword else None,
            scores.get(chunk),
        )
        for chunk in dict.fromkeys([*dense, *keyword])
    ]


def order(found: Sequence[Candidate]) -> list[int]:
    return [one.chunk for one in found]


def test_scores_are_those_of_the_formula() -> None:
    ranked = dict(reciprocal_rank_fusion([[1, 2], [2, 3]], [0.4, 0.6], k=60))
    assert ranked == pytest.approx({1: 0.4 / 61, 2: 0.4 / 62 + 0.6 / 61, 3: 0.6 / 62})


def test_what_both_lists_hold_comes_first() -> None:
    ranked = reciprocal_rank_fusion([[1, 2, 3], [4, 2, 5]], [0.5, 0.5])
    assert [item for item, _ in ranked] == [2, 1, 4, 3, 5]


def test_an_empty_list_changes_nothing() -> None:
    assert [i for i, _ in reciprocal_rank_fusion([[3, 1, 2], []], [0.5, 0.5])] == [3, 1, 2]
    assert reciprocal_rank_fusion([], []) == []


def test_weights_decide_between_lists() -> None:
    assert reciprocal_rank_fusion([[1], [2]], [0.3, 0.7])[0][0] == 2


def test_a_missing_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([[1], [2]], [1.0])


def test_a_clear_winner_by_score_beats_ranks_that_disagree() -> None:
    """Chunk 3 holds every word of the question and is only third by meaning."""
    dense, keyword = [1, 2, 3, 4], [3, 1, 2]
    cosines = {1: 0.52, 2: 0.51, 3: 0.50, 4: 0.0}
    found = candidates(dense, keyword, cosines, {3: 20.0, 1: 0.5, 2: 0.4})
    assert fused(found, EQUAL)[0].chunk == 3
    assert reciprocal_rank_fusion([dense, keyword], [0.5, 0.5])[0][0] == 1


def test_the_ranking_by_scores_counts_for_so_much_beside_the_others() -> None:
    """By meaning 1 to 0.5 to 0 after stretching, by words 5/8 to 1 to 0: chunk 1 is best."""
    found = candidates([1, 3, 2], [3, 1], {1: 0.9, 2: 0.5, 3: 0.7}, {3: 8.0, 1: 5.0})
    by_rank, by_score = 0.5 / 9, 8 / 9
    wanted = {
        1: by_rank / 61 + by_rank / 62 + by_score / 61,
        3: by_rank / 62 + by_rank / 61 + by_score / 62,
        2: by_rank / 63 + by_score / 63,
    }
    assert {one.chunk: one.score for one in fused(found, EQUAL, 8.0)} == pytest.approx(wanted)
    without_late = {one.chunk: one.score for one in fused(found, Shares(0.3, 0.3, 0.4), 8.0)}
    assert without_late == pytest.approx(wanted), "who found nothing counts for nothing"


def test_it_holds_everything_of_all_lists_best_first() -> None:
    found = fused(candidates([1, 2], [3], {1: 0.9, 2: 0.1, 3: 0.2}, {3: 1.0}), EQUAL)
    assert set(order(found)) == {1, 2, 3}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert fused([], EQUAL) == []


def test_the_share_decides_between_meaning_and_words() -> None:
    found = candidates([1, 2], [2], {1: 0.9, 2: 0.2}, {2: 5.0})
    assert fused(found, Shares(0.9, 0.1))[0].chunk == 1
    assert fused(found, Shares(0.2, 0.8))[0].chunk == 2


def test_equal_scores_are_ordered_by_item() -> None:
    assert [item for item, _ in reciprocal_rank_fusion([[7], [3]], [1.0, 1.0])] == [3, 7]
    found = candidates([9, 4], [], {9: 0.5, 4: 0.5}, {})
    assert order(fused(found, EQUAL, by_score=1e9)) == [4, 9]


def test_a_closer_look_decides_between_equals() -> None:
    found = candidates([1, 2], [2, 1], {1: 0.5, 2: 0.5}, {1: 3.0, 2: 3.0})
    shares = EQUAL.with_late(1 / 3)
    for best, other in ((1, 2), (2, 1)):
        scores = {ChunkId(best): 0.8, ChunkId(other): 0.3}
        ranked = fused(with_late_scores(found, scores), shares)
        assert order(ranked) == [best, other]
        assert [(one.late_rank, one.late_score) for one in ranked] == [(1, 0.8), (2, 0.3)]


def test_what_nobody_looked_at_keeps_its_place_among_its_like() -> None:
    found = candidates([1, 2, 3, 4], [], {1: 0.8, 2: 0.7, 3: 0.4, 4: 0.3}, {})
    looked_at = with_late_scores(found, {ChunkId(1): 0.2, ChunkId(2): 0.9})
    assert order(fused(looked_at, EQUAL.with_late(1 / 3))) == [2, 1, 3, 4]


def test_a_retriever_that_agrees_with_nobody_counts_less() -> None:
    """Words of a layman: their best passages are nobody else's."""
    wanted, decoys = list(range(1, 11)), list(range(11, 21))
    cosines = {chunk: 0.7 - 0.01 * chunk for chunk in wanted} | dict.fromkeys(decoys, 0.2)
    scores = {chunk: 9.0 - 0.1 * chunk for chunk in decoys} | dict.fromkeys(wanted, 1.0)
    late = {ChunkId(chunk): 0.6 - 0.01 * chunk for chunk in wanted}
    late |= {ChunkId(chunk): 0.45 for chunk in decoys}
    found = with_late_scores(candidates(wanted, decoys, cosines, scores), late)
    shares = Shares(0.2, 0.6, 0.2)
    assert fused(found, shares)[0].chunk == 1
    low = with_late_scores(candidates(wanted, [*decoys, *wanted], cosines, scores), late)
    assert fused(low, shares)[0].chunk == 1, "only its best tell whether it agrees"
    alone = [_without_ranks(one) for one in found]
    assert fused(alone, shares)[0].chunk == 11, "shares alone would trust the words"


def _without_ranks(one: Candidate) -> Candidate:
    return Candidate(
        one.chunk, 0.0, one.similarity, None, None, one.keyword_score, None, one.late_score
    )


def test_late_interaction_is_trusted_as_little_as_the_vectors_it_comes_from() -> None:
    assert Shares(0.5, 0.5).with_late(0.4) == Shares(0.3, 0.3, 0.4)
    wary = Shares(0.1, 0.9).with_late(0.4)
    assert wary.late == pytest.approx(0.08)
    assert wary.dense + wary.keyword + wary.late == pytest.approx(1)
    assert Shares(0.0, 1.0).with_late(0.4) == Shares(0.0, 1.0, 0.0)
