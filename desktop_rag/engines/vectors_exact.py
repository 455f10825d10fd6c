"""Nearest vectors by comparing with all of them: slower than a graph, never wrong.

The index folder's own copy of all vectors. It answers for chosen chunks, gives every candidate its
cosine, answers everything while no graph is open, and is what a graph is built from.

Two append-only files:

    numbers.log     int64 each: a chunk that was added, or its complement (~) when it was removed
    vectors.f16     one row of float16 for each added number, in the same order

A row is written before its number, and whoever opens the files says how many numbers count, so
that what a killed process left behind them is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.domain.checksums import MASK, MULTIPLIER
from desktop_rag.engines.append_log import AppendLog
from desktop_rag.engines.sorted_numbers import Numbers, ascending, is_member
from desktop_rag.storage.flushing import sync_file, sync_folder

Floats = npt.NDArray[np.float32]

_NUMBERS = "numbers.log"
_VECTORS = "vectors.f16"
_ROWS_AT_ONCE = 1024
"""Half precision is widened in slices that stay in the processor's cache: 0.9 ms for a thousand;
with 2,048 it is three times as much."""


class VectorIndexDamaged(Exception):
    """The folder cannot be opened as a vector index; build another."""


def unpacked(vectors: Sequence[bytes], dimensions: int) -> Floats:
    """Vectors as they cross a port (float16, little-endian) as a float32 matrix, one a row.

    Raises:
        ValueError: a vector has another length.
    """
    if any(len(one) != 2 * dimensions for one in vectors):
        raise ValueError(f"a vector does not have {dimensions} dimensions")
    matrix = np.frombuffer(b"".join(vectors), dtype="<f2").reshape(len(vectors), dimensions)
    return matrix.astype(np.float32)


class ExactVectorIndex:
    """Chunk numbers with unit vectors, read through a memory map. Not thread-safe.

    Args:
        folder: holds this index only; created when missing.
        dimensions: length of every vector.
        entries: how many entries of the log count, later ones are cut off; `None`: all.

    Raises:
        VectorIndexDamaged: the files cannot be read, or hold less than they should.
    """

    def __init__(self, folder: Path, dimensions: int, entries: int | None = None) -> None:
        self.folder = folder
        self._dimensions = dimensions
        self._row_bytes = 2 * dimensions
        self._ids: Numbers = np.empty(0, np.int64)
        self._rows: Numbers = np.empty(0, np.int64)
        self._matrix: npt.NDArray[np.float16] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._log = _read_log(folder / _NUMBERS, entries)
            self._rows_written = int(np.count_nonzero(self._log >= 0))
            self._numbers_file = AppendLog(folder / _NUMBERS)
            self._vectors_file = AppendLog(folder / _VECTORS)
            if self._vectors_file.size < self._rows_written * self._row_bytes:
                self.close()
                raise VectorIndexDamaged(str(folder))
            # What a killed process wrote behind the last entry that counts.
            self._vectors_file.cut(self._rows_written * self._row_bytes)
            self._numbers_file.cut(self._log.nbytes)
        except OSError as exc:
            raise VectorIndexDamaged(str(folder)) from exc
        self._take(self._log, first_row=0)

    @property
    def entries(self) -> int:
        """Length of the log: all additions and removals ever made."""
        return len(self._log)

    @property
    def checksum(self) -> int:
        """`domain.checksums` of the stored numbers."""
        return int(np.sum(self._ids * MULTIPLIER & MASK))

    def ids(self) -> Numbers:
        """The stored chunk numbers, ascending."""
        return self._ids

    def count(self) -> int:
        """How many chunks are stored."""
        return len(self._ids)

    def upsert(self, chunks: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Add or replace; on disk when it returns. What is stored like that already is skipped.

        Raises:
            ValueError: a vector has another length; nothing was changed.
        """
        if any(len(one) != self._row_bytes for one in vectors):
            raise ValueError(f"a vector does not have {self._dimensions} dimensions")
        latest = dict(zip(chunks, vectors, strict=True))
        known = self.stored(list(latest))
        fresh = {one: vector for one, vector in latest.items() if known.get(one) != vector}
        if fresh:
            self._append(np.array(list(fresh), dtype=np.int64), b"".join(fresh.values()))

    def delete(self, chunks: Sequence[int]) -> None:
        """Remove; numbers that are not stored are ignored."""
        gone, _ = self._found(ascending(chunks))
        if len(gone):
            self._append(~gone, b"")

    def query(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """The `limit` nearest chunks with their cosine, best first; fewer when fewer exist."""
        return self._best(vector, limit, self._ids, self._rows)

    def count_among(self, among: Numbers) -> int:
        """How many of the chunks `among` (ascending) are stored."""
        return len(self._found(among)[0])

    def query_among(self, vector: bytes, limit: int, among: Numbers) -> list[tuple[int, float]]:
        """The `limit` nearest of the chunks `among` (ascending) that are stored."""
        return self._best(vector, limit, *self._found(among))

    def similarities(self, vector: bytes, chunks: Sequence[int]) -> dict[int, float]:
        """Cosine of each named chunk that is stored."""
        ids, rows = self._found(ascending(chunks))
        cosines = self._cosines(vector, rows)
        return dict(zip(ids.tolist(), cosines.tolist(), strict=True))

    def stored(self, chunks: Sequence[int]) -> dict[int, bytes]:
        """The vector of each named chunk that is stored."""
        ids, rows = self._found(ascending(chunks))
        if not len(ids):
            return {}
        return dict(zip(ids.tolist(), (row.tobytes() for row in self._map()[rows]), strict=True))

    def touched_since(self, entry: int, until: int | None = None) -> Numbers:
        """Numbers added or removed by the entries from `entry` on, ascending."""
        return ascending(_chunks_of(self._log[entry:until]))

    def table(self) -> tuple[Numbers, Numbers]:
        """The stored chunk numbers, ascending, and the row of each; they stay as they are."""
        return self._ids, self._rows

    def copy_to(self, folder: Path, table: tuple[Numbers, Numbers]) -> None:
        """Write what `table` returned into an empty folder, as an index of its own.

        May run on another thread than the one that adds and removes.
        """
        ids, rows = table
        matrix = self._map()
        with (folder / _VECTORS).open("wb") as file:
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                file.write(matrix[rows[start : start + _ROWS_AT_ONCE]].tobytes())
        (folder / _NUMBERS).write_bytes(ids.tobytes())
        for name in (_VECTORS, _NUMBERS):
            sync_file(folder / name)
        sync_folder(folder)

    def close(self) -> None:
        """Let go of the files."""
        self._matrix = None
        self._numbers_file.close()
        self._vectors_file.close()

    def _append(self, numbers: Numbers, rows: bytes) -> None:
        self._vectors_file.append(rows)
        try:
            self._numbers_file.append(numbers.astype("<i8").tobytes())
        except OSError:
            self._vectors_file.cut(self._rows_written * self._row_bytes)
            raise
        first_row = self._rows_written
        self._rows_written += len(rows) // self._row_bytes
        self._log = np.concatenate([self._log, numbers])
        self._take(numbers, first_row)

    def _take(self, numbers: Numbers, first_row: int) -> None:
        """Apply entries of the log to the table of what is stored."""
        if not len(numbers):
            return
        is_added = numbers >= 0
        rows = np.where(is_added, first_row + np.cumsum(is_added) - 1, -1)
        # The last entry of a number counts: `unique` finds the first of the reversed ones.
        touched, last = np.unique(_chunks_of(numbers[::-1]), return_index=True)
        last_rows = rows[::-1][last]
        is_kept = ~is_member(self._ids, touched)
        is_there = last_rows >= 0
        ids = np.concatenate([self._ids[is_kept], touched[is_there]])
        order = np.argsort(ids, kind="stable")
        self._ids = ids[order]
        self._rows = np.concatenate([self._rows[is_kept], last_rows[is_there]])[order]

    def _found(self, chunks: Numbers) -> tuple[Numbers, Numbers]:
        """Those of `chunks` (ascending) that are stored, and their rows."""
        if not len(self._ids):
            return self._ids, self._rows
        places = np.searchsorted(self._ids, chunks[is_member(chunks, self._ids)])
        return self._ids[places], self._rows[places]

    def _map(self) -> npt.NDArray[np.float16]:
        if self._matrix is None or len(self._matrix) != self._rows_written:
            shape = (self._rows_written, self._dimensions)
            self._matrix = np.memmap(self.folder / _VECTORS, dtype="<f2", mode="r", shape=shape)
        return self._matrix

    def _cosines(self, vector: bytes, rows: Numbers) -> Floats:
        cosines = np.empty(len(rows), np.float32)
        if not len(rows):
            return cosines
        matrix, question = self._map(), unpacked([vector], self._dimensions)[0]
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            chosen = rows[start : start + _ROWS_AT_ONCE]
            cosines[start : start + len(chosen)] = matrix[chosen].astype(np.float32) @ question
        return cosines

    def _best(
        self, vector: bytes, limit: int, ids: Numbers, rows: Numbers
    ) -> list[tuple[int, float]]:
        limit = min(limit, len(ids))
        if limit <= 0:
            return []
        cosines = self._cosines(vector, rows)
        # All that tie with the last one stay, so that numbers decide between them.
        best = np.flatnonzero(cosines >= -np.partition(-cosines, limit - 1)[limit - 1])
        best = best[np.lexsort((ids[best], -cosines[best]))][:limit]
        return list(zip(ids[best].tolist(), cosines[best].tolist(), strict=True))


def _chunks_of(numbers: Numbers) -> Numbers:
    """The chunks that entries of the log are about."""
    return np.where(numbers < 0, ~numbers, numbers)


def _read_log(path: Path, entries: int | None) -> Numbers:
    if not path.exists():
        log: Numbers = np.empty(0, np.int64)
    else:
        whole = path.stat().st_size // 8
        log = np.fromfile(path, dtype="<i8", count=whole).astype(np.int64)
    if entries is not None:
        if len(log) < entries:
            raise OSError("entries are missing")
        log = log[:entries]
    return log
