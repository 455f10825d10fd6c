"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest

from desktop_rag.domain.fusion import hybrid_fusion, joined_scores, reciprocal_rank_fusion


def test_scores_are_those_of_the_formula() -> None:
    fused = dict(reciprocal_rank_fusion([[1, 2], [2, 3]], [0.4, 0.6], k=60))
    assert fused == pytest.approx({1: 0.4 / 61, 2: 0.4 / 62 + 0.6 / 61, 3: 0.6 / 62})


def test_what_both_lists_hold_comes_first() -> None:
    fused = reciprocal_rank_fusion([[1, 2, 3], [4, 2, 5]], [0.5, 0.5])
    assert [item for item, _ in fused] == [2, 1, 4, 3, 5]


def test_an_empty_list_changes_nothing() -> None:
    assert [i for i, _ in reciprocal_rank_fusion([[3, 1, 2], []], [0.5, 0.5])] == [3, 1, 2]
    assert reciprocal_rank_fusion([], []) == []


def test_weights_decide_between_lists() -> None:
    assert reciprocal_rank_fusion([[1], [2]], [0.3, 0.7])[0][0] == 2


def test_a_missing_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([[1], [2]], [1.0])


def test_scores_are_joined_on_one_scale() -> None:
    joined = joined_scores({1: 0.8, 2: 0.6, 3: 0.4}, {2: 6.0, 3: 12.0}, dense_share=0.4)
    assert joined == pytest.approx({1: 0.4, 2: 0.4 * 0.5 + 0.6 * 0.5, 3: 0.6})


def test_joined_scores_of_nothing_and_of_equals() -> None:
    assert joined_scores({}, {}, 0.5) == {}
    assert joined_scores({1: 0.3, 2: 0.3}, {}, 0.5) == {1: 0, 2: 0}


def test_a_clear_winner_by_score_beats_ranks_that_disagree() -> None:
    """Chunk 3 holds every word of the question and is only third by meaning."""
    dense, keyword = [1, 2, 3], [3, 1, 2]
    cosines = {1: 0.52, 2: 0.51, 3: 0.50, 4: 0.0}
    scores = {3: 20.0, 1: 0.5, 2: 0.4}
    fused = hybrid_fusion(dense, keyword, cosines, scores, dense_share=0.5)
    assert fused[0][0] == 3
    assert reciprocal_rank_fusion([dense, keyword], [0.5, 0.5])[0][0] == 1


def test_hybrid_holds_everything_of_both_lists_best_first() -> None:
    fused = hybrid_fusion([1, 2], [3], {1: 0.9, 2: 0.1, 3: 0.2}, {3: 1.0}, dense_share=0.5)
    assert {item for item, _ in fused} == {1, 2, 3}
    assert [score for _, score in fused] == sorted((s for _, s in fused), reverse=True)
    assert hybrid_fusion([], [], {}, {}, 0.5) == []


def test_the_share_decides_between_meaning_and_words() -> None:
    cosines, scores = {1: 0.9, 2: 0.2}, {2: 5.0}
    assert hybrid_fusion([1, 2], [2], cosines, scores, dense_share=0.9)[0][0] == 1
    assert hybrid_fusion([1, 2], [2], cosines, scores, dense_share=0.2)[0][0] == 2


def test_equal_scores_are_ordered_by_item() -> None:
    assert [item for item, _ in reciprocal_rank_fusion([[7], [3]], [1.0, 1.0])] == [3, 7]
    both = hybrid_fusion([9, 4], [], {9: 0.5, 4: 0.5}, {}, 0.5, score_weight=1e9)
    assert [item for item, _ in both] == [4, 9]
