"""Joins rankings of different retrievers into one.

Three retrievers are fused by reciprocal rank: vectors, keywords and late interaction. Ranks alone
forget how sure a retriever was: a passage that holds every rare word of the question and its
runner-up that holds none are one rank apart. So a fourth ranking joins in, by their joined scores,
which decides wherever it can.

How far each retriever is trusted follows the kind of question, and how much of its best the others
find as well: where words fail, as in questions that laymen ask of professionals' texts, the best
by keywords are nobody else's best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Candidate
from desktop_rag.domain.documents import ChunkId

RRF_K = 60
"""How much the first ranks are levelled; the value of the paper, confirmed on the test sets."""
BY_SCORE = 30.0
"""Weight of the ranking by joined scores, against 1 for the others together."""
_AGREEING = 10
"""So many of each retriever's best are compared."""
_UNSHARED = 2
"""What a retriever counts for whose best nobody shares."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How much each retriever counts."""

    dense: float
    keyword: float
    late: float = 0.0

    def with_late(self, late: float) -> Shares:
        """Leave `late` of the whole to late interaction.

        It reads the same model's vectors: as far as those are trusted less than words, so is it.
        """
        part = late * min(1.0, 2 * self.dense / (self.dense + self.keyword or 1.0))
        return Shares(self.dense * (1 - part), self.keyword * (1 - part), part)


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
        (item, score) for every item of any list, best first; equal scores by item.

    Raises:
        ValueError: the numbers of lists and weights differ.
    """
    scores: dict[int, float] = {}
    for ranking, weight in zip(lists, weights, strict=True):
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def fused(
    candidates: Sequence[Candidate],
    shares: Shares,
    by_score: float = BY_SCORE,
    k: int = RRF_K,
) -> list[Candidate]:
    """Candidates in the order of all retrievers together, each with its fused score.

    Args:
        candidates: with the ranks and scores that each retriever gave them.
        shares: of the retrievers; those that found nothing count for nothing.
        by_score: weight of the ranking by joined scores, against 1 for the others together.
        k: levelling constant.
    """
    lists = [
        _in_order(candidates, lambda one: one.dense_rank),
        _in_order(candidates, lambda one: one.keyword_rank),
        _in_order(candidates, lambda one: one.late_rank),
    ]
    parts = [shares.dense, shares.keyword, shares.late]
    total = sum(part for part, ranking in zip(parts, lists, strict=True) if ranking) or 1.0
    joined = _joined_scores(candidates, parts, lists)
    by_joined = sorted(joined, key=lambda chunk: (-joined[chunk], chunk))
    weights = [part / total / (1 + by_score) for part in parts]
    ranked = reciprocal_rank_fusion([*lists, by_joined], [*weights, by_score / (1 + by_score)], k)
    known = {one.chunk: one for one in candidates}
    return [replace(known[ChunkId(chunk)], score=score) for chunk, score in ranked]


def with_late_scores(
    candidates: Sequence[Candidate], scores: Mapping[ChunkId, float]
) -> list[Candidate]:
    """The same candidates, with score and rank of those that were looked at more closely."""
    order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    ranks = {chunk: rank for rank, chunk in enumerate(order, start=1)}
    return [
        replace(one, late_score=scores[one.chunk], late_rank=ranks[one.chunk])
        if one.chunk in scores
        else one
        for one in candidates
    ]


def _in_order(
    candidates: Sequence[Candidate], rank_of: Callable[[Candidate], int | None]
) -> list[ChunkId]:
    ranked = [(rank, one.chunk) for one in candidates if (rank := rank_of(one)) is not None]
    return [chunk for _, chunk in sorted(ranked)]


def _joined_scores(
    candidates: Sequence[Candidate], parts: Sequence[float], lists: Sequence[Sequence[ChunkId]]
) -> dict[ChunkId, float]:
    """Convex combination of normalised scores, in [0, 1] (Bruch, Gai & Ingber, TOIS 2023)."""
    scales = [
        _stretched({one.chunk: one.similarity for one in candidates}),
        _of_best({one.chunk: one.keyword_score for one in candidates}),
        _stretched({one.chunk: one.late_score for one in candidates}),
    ]
    trust = _agreement(lists)
    weights = [part * share for part, share in zip(parts, trust, strict=True)]
    total = sum(weights) or 1.0
    return {
        one.chunk: sum(
            weight * scale.get(one.chunk, 0.0)
            for weight, scale in zip(weights, scales, strict=True)
        )
        / total
        for one in candidates
    }


def _stretched(scores: Mapping[ChunkId, float | None]) -> dict[ChunkId, float]:
    """From 0 for the lowest to 1 for the highest; an item without a score counts as the lowest."""
    known = {chunk: score for chunk, score in scores.items() if score is not None}
    low, high = min(known.values(), default=0.0), max(known.values(), default=0.0)
    return {chunk: (score - low) / max(high - low, 1e-9) for chunk, score in known.items()}


def _of_best(scores: Mapping[ChunkId, float | None]) -> dict[ChunkId, float]:
    """Shares of the highest: keyword scores have a true zero."""
    best = max((score or 0.0 for score in scores.values()), default=0.0) or 1.0
    return {chunk: (score or 0.0) / best for chunk, score in scores.items()}


def _agreement(lists: Sequence[Sequence[ChunkId]]) -> list[int]:
    """Trust in each list: how many of its best each other list has among its own, and a little."""
    best = [set(ranking[:_AGREEING]) for ranking in lists]
    return [
        _UNSHARED + sum(len(one & other) for place, other in enumerate(best) if place != own)
        for own, one in enumerate(best)
    ]
