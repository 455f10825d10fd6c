"""How alike passages are, and an order in which near-copies do not crowd out everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from desktop_rag.domain.documents import ChunkId

ALIKE = 0.9
"""Cosine from which one passage makes another less useful. Passages about one topic lie near each
other without repeating anything: counting every cosine, as the paper does, costs 0.2 to 1.1 points
of nDCG@10 on the test sets even at a weight of 0.9."""
MMR_LAMBDA = 0.8
"""Weight of the ranking against being unlike what is already shown. Of two other answers behind
eight near-copies all come among the first five, 40 % without it (`benchmarks/bench_context.py`).
nDCG@10 changes by +0.31 points on code, 0 on documentation and Wikipedia, -0.06 on multi-hop
questions and -0.17 on conversations, whose set calls near-copies relevant one by one."""
_UNKNOWN = -0.999
"""What is not above stands for a cosine that is not known (-1, as a float that was sent)."""


class Closeness:
    """Cosines between passages, as the index computed them.

    Args:
        chunks: the passages, in the order in which the index was given them.
        similarities: row `i` holds the cosine of passage `i` with each earlier one, -1 for unknown.
    """

    def __init__(
        self, chunks: Sequence[ChunkId] = (), similarities: Sequence[Sequence[float]] = ()
    ) -> None:
        self._rows = similarities
        self._place: Mapping[ChunkId, int] = {chunk: place for place, chunk in enumerate(chunks)}

    def cosine(self, one: ChunkId, other: ChunkId) -> float | None:
        """Of two passages; `None` when it is not known."""
        places = self._place.get(one), self._place.get(other)
        if places[0] is None or places[1] is None:
            return None
        first, second = sorted((places[0], places[1]))
        value = 1.0 if first == second else self._rows[second][first]
        return value if value > _UNKNOWN else None


def by_marginal_relevance(
    scores: Sequence[float], cosine: Callable[[int, int], float | None], weight: float
) -> Iterator[int]:
    """Positions in the order of maximal marginal relevance (Carbonell & Goldstein, SIGIR 1998).

    The next is always the one with the highest `weight * score - (1 - weight) * likeness`, where
    likeness is to the most similar one taken before: 0 up to a cosine of `ALIKE`, 1 at 1.

    Args:
        scores: of the items in [0, 1].
        cosine: of two items by position; `None` counts as unlike.
        weight: in [0, 1]; 1 leaves the order of the scores alone.
    """
    likeness = [0.0] * len(scores)
    left = list(range(len(scores)))
    while left:
        taken = max(
            left,
            key=lambda i: (weight * scores[i] - (1 - weight) * likeness[i], -i),
        )
        left.remove(taken)
        yield taken
        for i in left:
            alike = ((cosine(i, taken) or 0.0) - ALIKE) / (1 - ALIKE)
            likeness[i] = max(likeness[i], alike)
