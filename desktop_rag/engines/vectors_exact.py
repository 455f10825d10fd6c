"""Nearest vectors by comparing with all of them: slower than a graph, never wrong.

The yardstick for the graph's recall, and what answers when no graph can be opened: 26 ms for
100,000 vectors of 384 dimensions.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

_LOG = "vectors.log"


class VectorIndexDamaged(Exception):
    """The folder cannot be opened as a vector index; build another."""


def unpacked(vectors: Sequence[bytes], dimensions: int) -> npt.NDArray[np.float32]:
    """Vectors as they cross a port (float16, little-endian) as a float32 matrix, one a row.

    Raises:
        ValueError: a vector has another length.
    """
    if any(len(one) != 2 * dimensions for one in vectors):
        raise ValueError(f"a vector does not have {dimensions} dimensions")
    matrix = np.frombuffer(b"".join(vectors), dtype="<f2").reshape(len(vectors), dimensions)
    return matrix.astype(np.float32)


class ExactVectorIndex:
    """Chunk numbers with unit vectors in memory and in an append-only file. Not thread-safe.

    The file is a sequence of (number, is it there, vector); the last entry of a number counts, and
    an entry cut short by a crash is ignored.

    Args:
        folder: holds this index only; created when missing.
        dimensions: length of every vector.

    Raises:
        VectorIndexDamaged: the file cannot be read.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._dimensions = dimensions
        self._entry = np.dtype(
            [("chunk", "<i8"), ("is_there", "?"), ("vector", "<f2", (dimensions,))]
        )
        self._rows: dict[int, int] = {}
        self._chunks: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: npt.NDArray[np.float32] = np.empty((0, dimensions), np.float32)
        path = folder / _LOG
        try:
            folder.mkdir(parents=True, exist_ok=True)
            whole = path.stat().st_size // self._entry.itemsize if path.exists() else 0
            if whole:
                self._take(np.fromfile(path, dtype=self._entry, count=whole))
            self._file = path.open("ab")
            self._file.truncate(whole * self._entry.itemsize)
        except OSError as exc:
            raise VectorIndexDamaged(str(folder)) from exc

    def count(self) -> int:
        """How many chunks are stored."""
        return len(self._rows)

    def upsert(self, chunks: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Add or replace; on disk when it returns."""
        entries = np.zeros(len(chunks), dtype=self._entry)
        entries["chunk"] = chunks
        entries["is_there"] = True
        entries["vector"] = unpacked(vectors, self._dimensions)
        self._write(entries)

    def delete(self, chunks: Sequence[int]) -> None:
        """Remove; numbers that are not stored are ignored."""
        entries = np.zeros(len(chunks), dtype=self._entry)
        entries["chunk"] = chunks
        self._write(entries)

    def query(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """The `limit` nearest chunks with their cosine, best first; fewer when fewer exist."""
        limit = min(limit, self.count())
        if limit <= 0:
            return []
        cosines = self._matrix @ unpacked([vector], self._dimensions)[0]
        best = np.argpartition(-cosines, limit - 1)[:limit]
        best = best[np.argsort(-cosines[best], kind="stable")]
        return [(int(self._chunks[i]), float(cosines[i])) for i in best]

    def similarities(self, vector: bytes, chunks: Sequence[int]) -> dict[int, float]:
        """Cosine of each named chunk that is stored."""
        stored = [chunk for chunk in chunks if chunk in self._rows]
        rows = [self._rows[chunk] for chunk in stored]
        cosines = self._matrix[rows] @ unpacked([vector], self._dimensions)[0]
        return {chunk: float(one) for chunk, one in zip(stored, cosines, strict=True)}

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, entries: npt.NDArray[np.void]) -> None:
        self._file.write(entries.tobytes())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._take(entries)

    def _take(self, entries: npt.NDArray[np.void]) -> None:
        """Apply entries to what is in memory."""
        latest: dict[int, int] = {int(chunk): i for i, chunk in enumerate(entries["chunk"])}
        keep = [row for chunk, row in self._rows.items() if chunk not in latest]
        fresh = [i for i in latest.values() if entries["is_there"][i]]
        self._chunks = np.concatenate([self._chunks[keep], entries["chunk"][fresh]])
        self._matrix = np.concatenate(
            [self._matrix[keep], entries["vector"][fresh].astype(np.float32)]
        )
        self._rows = {int(chunk): row for row, chunk in enumerate(self._chunks)}
