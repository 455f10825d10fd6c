"""Reciprocal rank fusion."""

from __future__ import annotations

import pytest

from desktop_rag.domain.fusion import reciprocal_rank_fusion


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
