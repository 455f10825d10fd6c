"""How alike passages are, and orders in which near-copies do not crowd out the rest."""

from __future__ import annotations

import pytest

from desktop_rag.domain.diversity import Closeness, by_marginal_relevance
from desktop_rag.domain.documents import ChunkId

A, B, C = ChunkId(7), ChunkId(3), ChunkId(9)


def test_cosines_are_found_in_either_order() -> None:
    closeness = Closeness([A, B, C], [[], [0.4], [0.9, -1.0]])
    assert closeness.cosine(A, C) == closeness.cosine(C, A) == 0.9
    assert closeness.cosine(B, A) == 0.4
    assert closeness.cosine(B, B) == 1.0


def test_what_is_not_known_is_not_guessed() -> None:
    closeness = Closeness([A, B, C], [[], [0.4], [0.9, -1.0]])
    assert closeness.cosine(B, C) is None, "-1 means unknown"
    assert Closeness([A, B], [[], [-0.2]]).cosine(A, B) == -0.2
    assert closeness.cosine(A, ChunkId(1)) is None
    assert Closeness().cosine(A, B) is None


def order(scores: list[float], pairs: dict[tuple[int, int], float], weight: float) -> list[int]:
    def cosine(one: int, other: int) -> float | None:
        return pairs.get((min(one, other), max(one, other)), 0.5)

    return list(by_marginal_relevance(scores, cosine, weight))


def test_a_near_copy_of_the_best_lets_others_go_first() -> None:
    assert order([1.0, 0.9, 0.8, 0.0], {(0, 1): 0.99}, 0.8) == [0, 2, 1, 3]


def test_being_about_the_same_topic_is_no_reason() -> None:
    assert order([1.0, 0.9, 0.8, 0.0], {(0, 1): 0.84}, 0.5) == [0, 1, 2, 3]


@pytest.mark.parametrize("weight", [1.0, 0.8, 0.0])
def test_every_position_comes_once_and_the_best_first(weight: float) -> None:
    found = order([0.5, 0.4, 0.3, 0.2, 0.1], {(0, 1): 0.99, (1, 2): 0.95}, weight)
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert found[0] == 0


def test_a_weight_of_one_leaves_the_order_alone() -> None:
    assert order([0.3, 0.2, 0.1], {(0, 1): 1.0, (0, 2): 1.0}, 1.0) == [0, 1, 2]


def test_equal_scores_keep_their_order() -> None:
    assert order([0.3, 0.3, 0.3], {}, 0.7) == [0, 1, 2]
    assert order([], {}, 0.7) == []
