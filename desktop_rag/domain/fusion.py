"""Joins rankings of different retrievers into one."""

from __future__ import annotations

from collections.abc import Sequence

RRF_K = 60
"""How much the first ranks are levelled; the value of the paper, confirmed on the test sets."""


def reciprocal_rank_fusion(
    lists: Sequence[Sequence[int]], weights: Sequence[float], k: int = RRF_K
) -> list[tuple[int, float]]:
    """Weighted reciprocal rank fusion (Cormack, Clarke & Buettcher, SIGIR 2009).

    An item's score is the sum over the lists that hold it of `weight / (k + rank)`, ranks from 1.

    Args:
        lists: rankings of item numbers, best first; none holds an item twice.
        weights: one a list, non-negative.
        k: levelling constant, positive.

    Returns:
        (item, score) for every item of any list, best first; equal scores in order of appearance.

    Raises:
        ValueError: the numbers of lists and weights differ.
    """
    scores: dict[int, float] = {}
    for ranking, weight in zip(lists, weights, strict=True):
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
