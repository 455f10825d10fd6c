"""In which order passages stand in the prompt, and how several rankings become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Candidate, Passage
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.fusion import RRF_K, reciprocal_rank_fusion

_STEEP = 2
"""Levelling constant where one ranking is to rule: with 60, a second one of weight 0.3 outweighs
twenty ranks of it. nDCG@10 on multi-hop questions with other wordings was 0.76 with 60 and 0.82
with 2, as much as without any."""


def for_prompt(passages: Sequence[Passage]) -> list[Passage]:
    """The best passage first, the second best last, between them documents in reading order.

    Language models lean on what stands first and last and overlook the middle (Liu et al., "Lost
    in the Middle", 2023). There, passages of one document stay together, in its own order.
    """
    if len(passages) < 3:
        return list(passages)
    best, second, *rest = passages
    order = {passage.document: rank for rank, passage in reversed(list(enumerate(passages)))}
    middle = sorted(rest, key=lambda passage: (order[passage.document], passage.start))
    return [best, *middle, second]


def in_known_order(passages: Sequence[Passage], before: Sequence[Passage]) -> list[Passage]:
    """The passages, those first that a prompt before began with, in its order.

    A model that has read a prompt's beginning need not read it again; one other passage in front
    and all that follows is new to it. What is shown of a passage must be the same, too.
    """
    known: list[Passage] = []
    for passage in before:
        same = next((one for one in passages if _looks_like(one, passage)), None)
        if same is None:
            break
        known.append(same)
    return known + [one for one in passages if one not in known]


def _looks_like(one: Passage, other: Passage) -> bool:
    return (one.chunk, one.text, one.excerpt) == (other.chunk, other.text, other.excerpt)


def fuse(rankings: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Several rankings of one index as one, by reciprocal rank; a single one stays as it is."""
    if len(rankings) == 1:
        return list(rankings[0])
    best: dict[ChunkId, Candidate] = {}
    for candidate in (candidate for ranking in rankings for candidate in ranking):
        known = best.get(candidate.chunk)
        if known is None or (candidate.similarity or -1) > (known.similarity or -1):
            best[candidate.chunk] = candidate
    orders = [[candidate.chunk for candidate in ranking] for ranking in rankings]
    fused = reciprocal_rank_fusion(orders, [1.0] * len(orders))
    return [replace(best[ChunkId(chunk)], score=score) for chunk, score in fused]


def fuse_also(
    own: Sequence[Candidate], also: Sequence[tuple[Sequence[ChunkId], float]]
) -> list[Candidate]:
    """The question's own ranking, changed a little by rankings for something else.

    Args:
        own: best first.
        also: chunks, best first, with the weight of the ranking against 1 for the own.

    Returns:
        candidates with falling scores, as those of one ranking; what is not among the own has no
        similarity: it would not be one with the question.
    """
    if not also:
        return list(own)
    known = {candidate.chunk: candidate for candidate in own}
    orders = [[candidate.chunk for candidate in own], *(chunks for chunks, _ in also)]
    weights = [1.0, *(weight for _, weight in also)]
    fused = [ChunkId(chunk) for chunk, _ in reciprocal_rank_fusion(orders, weights, _STEEP)]
    bare = Candidate(ChunkId(0), 0.0, similarity=None, dense_rank=None, keyword_rank=None)
    return [
        replace(known.get(chunk, bare), chunk=chunk, score=1 / (RRF_K + rank))
        for rank, chunk in enumerate(fused, start=1)
    ]


def read_again(
    own: Sequence[Candidate], scores: Mapping[ChunkId, float], weight: float
) -> list[Candidate]:
    """A ranking, changed by what a cross-encoder says of its best.

    Both orders are kept: the cross-encoder knows running text better than the others, and names
    and code worse.

    Args:
        own: best first.
        scores: of those that were read; higher is better, any range.
        weight: of the cross-encoder's order, against 1 for the own (`queries.reading_weight`).
    """
    order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    ranks = {chunk: rank for rank, chunk in enumerate(order, start=1)}
    return [
        replace(one, read_rank=ranks.get(one.chunk), read_score=scores.get(one.chunk))
        for one in fuse_also(own, [(order, weight)])
    ]
