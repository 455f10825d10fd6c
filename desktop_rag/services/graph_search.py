"""Follows names from passage to passage: for questions whose answer lies two documents away.

Two hops as in HippoRAG (Gutierrez et al. 2024), from the names in the question, but only along
links that tell something: from a name to the passages that are *about* it, from those to the
passages about what they name. Spreading over all passages that share a name, as personalised
PageRank does, finds as much on multi-hop questions and costs up to ten points of nDCG@10 on
others; starting only from questions that name something the library has a text about costs
nothing there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.entities import candidates
from desktop_rag.storage.entity_graph import EntityGraph

_ABOUT = 3
"""A name that more passages are about than this is ambiguous."""
_DAMPING = 0.5
_BEST = 2
"""Passages of the first search that are starting points, besides those about the question."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where the names lead."""

    names: tuple[str, ...] = ()
    """Of the question, that the library has passages about."""
    chunks: tuple[ChunkId, ...] = ()
    """The passages, best linked first."""


class GraphSearch:
    """Usable from any thread."""

    def __init__(self, graph: EntityGraph) -> None:
        self._graph = graph

    def follow(self, question: str, best: Sequence[ChunkId], hops: int) -> Links:
        """Passages that names lead to.

        Args:
            question: as asked.
            best: what an ordinary search found, best first.
            hops: how far: 0 passages about names in the question; 1 also those about what they
                (and the best passage) name; 2 and so on.
        """
        subjects = self._graph.subjects(candidates(question), _ABOUT)
        names = [name for name in subjects if not _is_part_of_another(name, subjects)]
        if not names:
            return Links()
        weights: dict[ChunkId, float] = {}
        for name in names:
            _share(weights, subjects[name], 1 / len(names))
        start = dict(weights)
        _share(start, best[:_BEST], 1.0)
        for hop in range(hops):
            start = self._one_hop(start)
            for chunk, weight in start.items():
                weights[chunk] = weights.get(chunk, 0.0) + weight * _DAMPING**hop
        return Links(tuple(names), tuple(sorted(weights, key=lambda one: (-weights[one], one))))

    def _one_hop(self, start: dict[ChunkId, float]) -> dict[ChunkId, float]:
        """Each passage hands its weight in equal parts to the names it leads on by."""
        named = {chunk: self._graph.names_in(chunk) for chunk in start}
        everything = list(dict.fromkeys(name for names in named.values() for name in names))
        subjects = self._graph.subjects(everything, _ABOUT)
        reached: dict[ChunkId, float] = {}
        for chunk, names in named.items():
            leading = [name for name in names if chunk not in subjects.get(name, [chunk])]
            for name in leading:
                _share(reached, subjects[name], start[chunk] / len(leading))
        return reached


def _share(weights: dict[ChunkId, float], chunks: Sequence[ChunkId], weight: float) -> None:
    for chunk in chunks:
        weights[chunk] = weights.get(chunk, 0.0) + weight / len(chunks)


def _is_part_of_another(name: str, names: Iterable[str]) -> bool:
    return any(name != other and f" {name} " in f" {other} " for other in names)
