"""In which order passages stand in the prompt, and how several rankings become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Candidate, Passage
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.fusion import reciprocal_rank_fusion


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


def fuse(
    rankings: Sequence[Sequence[Candidate]],
    also: Sequence[tuple[Sequence[Candidate], float]] = (),
) -> list[Candidate]:
    """Several rankings of one index as one, by reciprocal rank; a single one stays as it is.

    Args:
        rankings: for the question and what it is asked together with; each counts 1.
        also: rankings for something else, with their weights. What only these found has no
            similarity: theirs is not with the question.
    """
    if len(rankings) == 1 and not also:
        return list(rankings[0])
    best: dict[ChunkId, Candidate] = {}
    for candidate in (candidate for ranking in rankings for candidate in ranking):
        known = best.get(candidate.chunk)
        if known is None or (candidate.similarity or -1) > (known.similarity or -1):
            best[candidate.chunk] = candidate
    for candidate in (candidate for ranking, _ in also for candidate in ranking):
        bare = Candidate(candidate.chunk, 0.0, similarity=None, dense_rank=None, keyword_rank=None)
        best.setdefault(candidate.chunk, bare)
    weighted = [*((ranking, 1.0) for ranking in rankings), *also]
    orders = [[candidate.chunk for candidate in ranking] for ranking, _ in weighted]
    fused = reciprocal_rank_fusion(orders, [weight for _, weight in weighted])
    return [replace(best[ChunkId(chunk)], score=score) for chunk, score in fused]
