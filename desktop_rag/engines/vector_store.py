"""All vectors, twice: a matrix that is always right, and Chroma's graph that follows it.

Writing goes to the matrix, whose log is on disk when `apply` returns. The graph is brought up to
the log's end in small steps in the background; what it does not hold yet is compared exactly, so
an answer never depends on how far the graph is. Without one (not opened, being built anew,
damaged) everything is compared exactly: 70 ms for 100,000 vectors.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from desktop_rag.engines.sorted_numbers import Numbers, is_member
from desktop_rag.engines.vectors_exact import ExactVectorIndex, VectorIndexDamaged

logger = logging.getLogger(__name__)

EXACT_BELOW = 30_000
"""So few vectors are compared in 25 ms; it does not pay to load a graph for searching them."""
_AMONG_EXACT_BELOW = 10_000
_OVERFETCH = 4
_MAX_FETCHED = 1_000
_MAX_LATE = 2_000
"""So many entries that the graph lacks cost as much as comparing with everything."""


class VectorIndex(Protocol):
    """Chunk numbers with unit vectors; see `ChromaVectorIndex` and `ExactVectorIndex`."""

    def count(self) -> int:
        """How many chunks are stored."""
        ...

    def upsert(self, chunks: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Add or replace; on disk when it returns."""
        ...

    def delete(self, chunks: Sequence[int]) -> None:
        """Remove; unknown numbers are ignored."""
        ...

    def query(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """Nearest chunks with cosine, best first; never more than there are."""
        ...

    def close(self) -> None:
        """Write what is pending and let go."""
        ...


class VectorStore:
    """The matrix and, when it is open, the graph over it. Not thread-safe.

    Args:
        matrix: open; closed with this.
        graph_entries: how many entries of the matrix's log the graph on disk holds.
    """

    def __init__(self, matrix: ExactVectorIndex, graph_entries: int) -> None:
        self.matrix = matrix
        self.graph: VectorIndex | None = None
        self.graph_entries = graph_entries

    @property
    def is_followed(self) -> bool:
        """The graph on disk holds all of the log."""
        return self.graph_entries >= self.matrix.entries

    @property
    def is_wasteful(self) -> bool:
        """Over half of the log is about vectors that are gone; write matrix and graph anew."""
        return self.matrix.entries > 2 * self.matrix.count() + 1_000

    def nearest(
        self, vector: bytes, limit: int, among: Numbers | None = None
    ) -> list[tuple[int, float]]:
        """The `limit` nearest chunks (of `among`, ascending) with their cosine, best first."""
        if among is None:
            found = self._by_graph(vector, limit)
        elif len(among) < _AMONG_EXACT_BELOW:
            found = None
        else:
            found = self._by_graph_among(vector, limit, among)
        if found is not None:
            return found
        if among is None:
            return self.matrix.query(vector, limit)
        return self.matrix.query_among(vector, limit, among)

    def _by_graph(self, vector: bytes, limit: int) -> list[tuple[int, float]] | None:
        """From the graph and from what it does not hold yet; `None` without a graph."""
        if self.graph is None or self._lag > _MAX_LATE:
            return None
        late = self.matrix.touched_since(self.graph_entries)
        # What was removed or replaced since may stand among the graph's best.
        nearest = self.graph.query(vector, limit + len(late))
        chunks = [chunk for chunk, _ in nearest]
        best = self._ranked(vector, [*chunks, *late.tolist()], limit)
        # Damage that does not show as an error: a graph that finds less than there is.
        return best if len(best) == min(limit, self.matrix.count()) else None

    def _by_graph_among(
        self, vector: bytes, limit: int, among: Numbers
    ) -> list[tuple[int, float]] | None:
        """From more of the graph's best than asked for; `None` when too few are of `among`."""
        stored = self.matrix.count()
        wanted = math.ceil(_OVERFETCH * limit * stored / len(among))
        found = self._by_graph(vector, min(wanted, _MAX_FETCHED, stored))
        if found is None:
            return None
        members = is_member(np.array([chunk for chunk, _ in found]), among)
        chosen = [pair for pair, is_wanted in zip(found, members, strict=True) if is_wanted]
        return chosen[:limit] if len(chosen) >= limit else None

    def _ranked(self, vector: bytes, chunks: list[int], limit: int) -> list[tuple[int, float]]:
        cosines = self.matrix.similarities(vector, chunks)
        return sorted(cosines.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    @property
    def _lag(self) -> int:
        return self.matrix.entries - self.graph_entries

    def attach(self, graph: VectorIndex) -> None:
        """Use an open graph that holds the first `graph_entries` entries of the log.

        Raises:
            VectorIndexDamaged: it does not; nothing was changed.
        """
        if not self._is_plausible(graph):
            raise VectorIndexDamaged("the graph does not hold what it should")
        self.graph = graph

    def _is_plausible(self, graph: VectorIndex) -> bool:
        """The count is right and the latest vectors are found by asking for them."""
        late = self.matrix.touched_since(self.graph_entries)
        ids = self.matrix.ids()
        settled = ids[~is_member(ids, late)]
        try:
            if not len(late) and graph.count() != self.matrix.count():
                return False
            samples = settled[[0, len(settled) // 2, -1]].tolist() if len(settled) else []
            return all(
                graph.query(vector, 1)[0][1] > 0.99  # itself, or its twin
                for vector in self.matrix.stored(samples).values()
            )
        except Exception:  # noqa: BLE001 - Chroma raises anything on a damaged graph
            return False

    def follow(self, entries: int) -> bool:
        """Bring the graph by so many entries nearer to the log's end; false when it is there.

        Chroma lets nobody else run meanwhile. Many at once cost half as much each as few.
        """
        assert self.graph is not None
        if self.is_followed:
            return False
        end = min(self.graph_entries + entries, self.matrix.entries)
        touched = self.matrix.touched_since(self.graph_entries, end)
        # Entries are repeated as they are now: later entries of the same chunk repeat it again.
        stored = self.matrix.stored(touched.tolist())
        if stored:
            self.graph.upsert(list(stored), list(stored.values()))
        if gone := [chunk for chunk in touched.tolist() if chunk not in stored]:
            self.graph.delete(gone)
        self.graph_entries = end
        return True

    def drop_graph(self) -> None:
        """Compare exactly from now on."""
        if self.graph is not None:
            close_quietly(self.graph.close)
        self.graph = None

    def close(self) -> None:
        """Let go of both."""
        self.drop_graph()
        self.matrix.close()


def close_quietly(close: Callable[[], None]) -> None:
    """Close what may be damaged: that must not keep its successor from being built."""
    try:
        close()
    except Exception:
        logger.exception("Closing a damaged store failed")
