"""What the search index has yet to learn, read from the catalog's change log.

The index remembers the last change it holds (`applied_seq`). Changes up to it are pruned here; an
index that is older than what was pruned cannot catch up and is filled afresh from the chunks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from desktop_rag.domain.checksums import MASK, MULTIPLIER
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.embedding_text import embedded_text, searchable_text
from desktop_rag.domain.ports import Embedding, IndexBatch, IndexedChunk
from desktop_rag.storage.database import Database
from desktop_rag.storage.embeddings import insert_embeddings

_PRUNED = "pruned_through"
_REEMBEDDING = "reembedding"

_CHUNKS = """
SELECT c.id, c.header, c.written, c.text, v.vector FROM chunks c
JOIN vectors v ON v.hash = c.hash AND v.fingerprint = ?
"""


class ChangeLog:
    """Batches of changes for an index. Usable from any thread."""

    def __init__(self, database: Database, batch_size: int = 256) -> None:
        self._database = database
        self._batch_size = batch_size

    def last_seq(self) -> int:
        """Number of the newest change ever recorded."""
        with self._database.read() as db:
            return _last_seq(db)

    def can_catch_up(self, applied_seq: int) -> bool:
        """Whether everything after `applied_seq` is still in the log."""
        with self._database.read() as db:
            return _pruned(db) <= applied_seq <= _last_seq(db)

    def since(self, applied_seq: int, fingerprint: str) -> Iterator[IndexBatch]:
        """Batches that bring an index from `applied_seq` up to date, oldest first."""
        while True:
            batch = self._next_batch(applied_seq, fingerprint)
            if batch is None:
                return
            yield batch
            applied_seq = batch.last_seq

    def _next_batch(self, applied_seq: int, fingerprint: str) -> IndexBatch | None:
        with self._database.read() as db:
            rows = db.execute(
                "SELECT seq, chunk_id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?",
                (applied_seq, self._batch_size),
            ).fetchall()
            if not rows:
                return None
            ids = sorted({row["chunk_id"] for row in rows})
            marks = ", ".join("?" * len(ids))
            upserts = _indexed(
                db.execute(f"{_CHUNKS} WHERE c.id IN ({marks}) ORDER BY c.id", (fingerprint, *ids))
            )
        present = {chunk.chunk for chunk in upserts}
        deletes = tuple(ChunkId(one) for one in ids if one not in present)
        return IndexBatch(upserts, deletes, rows[-1]["seq"])

    def everything(self, fingerprint: str) -> Iterator[IndexBatch]:
        """Batches that fill an index; only the last one carries the change number.

        An index that is interrupted half-way therefore never claims to be complete. The last one
        also names what was removed and not pruned yet: an index that kept one of its two stores
        (after a change of embedder) may hold it still.
        """
        with self._database.read() as db:
            last_seq = _last_seq(db)
        after = 0
        while True:
            with self._database.read() as db:
                rows = db.execute(
                    f"{_CHUNKS} WHERE c.id > ? ORDER BY c.id LIMIT ?",
                    (fingerprint, after, self._batch_size),
                )
                upserts = _indexed(rows)
            if not upserts:
                break
            yield IndexBatch(upserts, (), 0)
            after = upserts[-1].chunk
        yield IndexBatch((), self._removed(), last_seq)

    def _removed(self) -> tuple[ChunkId, ...]:
        with self._database.read() as db:
            rows = db.execute(
                "SELECT DISTINCT chunk_id FROM changes"
                " WHERE chunk_id NOT IN (SELECT id FROM chunks) ORDER BY chunk_id"
            )
            return tuple(ChunkId(row[0]) for row in rows)

    def checksum(self) -> int:
        """`domain.checksums` of all chunk numbers of the catalog: 20 ms for 100,000."""
        with self._database.read() as db:
            # A number is below 2^31 for two thousand million chunks: nothing overflows.
            row = db.execute(f"SELECT coalesce(sum(id * {MULTIPLIER} & {MASK}), 0) FROM chunks")
            return int(row.fetchone()[0])

    def unapplied_chunks(self) -> int:
        """Chunks of the catalog that the index was not told about yet (as far as was pruned)."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT count(DISTINCT c.id) FROM changes JOIN chunks c ON c.id = chunk_id"
            ).fetchone()
        return int(row[0])

    def prune(self, applied_seq: int) -> None:
        """Drop what the index holds."""
        with self._database.write() as db:
            dropped = db.execute("DELETE FROM changes WHERE seq <= ?", (applied_seq,)).rowcount
            if dropped:
                db.execute(
                    "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                    (_PRUNED, str(applied_seq)),
                )

    def chunks_without_vector(self, fingerprint: str, limit: int) -> list[tuple[bytes, str]]:
        """(hash, embedding text) of chunks this embedder has not seen: after a change of model."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT hash, header, written, text, before, after FROM chunks c
                   WHERE NOT EXISTS (
                       SELECT 1 FROM vectors v WHERE v.hash = c.hash AND v.fingerprint = ?)
                   GROUP BY hash ORDER BY min(id) LIMIT ?""",
                (fingerprint, limit),
            ).fetchall()
        return [(row["hash"], embedded_text_of(row)) for row in rows]

    def note_reembedding(self, fingerprint: str) -> None:
        """Remember that stored text is being embedded for this embedder; empty: all of it is."""
        with self._database.read() as db:
            if _reembedding(db) == fingerprint:
                return
        with self._database.write() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_REEMBEDDING, fingerprint))

    def reembedding(self) -> str:
        """How much text waits for a vector of another embedder, in a sentence; empty for none."""
        with self._database.read() as db:
            if not (fingerprint := _reembedding(db)):
                return ""
            waiting, chunks = db.execute(
                """SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM vectors v
                       WHERE v.hash = c.hash AND v.fingerprint = ?)), count(*) FROM chunks c""",
                (fingerprint,),
            ).fetchone()
        return (
            f"{waiting} of {chunks} passages wait for the new search model; keywords find them "
            "meanwhile."
        )

    def add_embeddings(self, embeddings: Mapping[bytes, Embedding], fingerprint: str) -> None:
        """Store embeddings of chunks that are already in the catalog."""
        with self._database.write() as db:
            insert_embeddings(db, embeddings, fingerprint)


def _indexed(rows: sqlite3.Cursor) -> tuple[IndexedChunk, ...]:
    return tuple(
        IndexedChunk(
            ChunkId(row["id"]),
            searchable_text(row["header"], row["written"], row["text"]),
            row["vector"],
        )
        for row in rows
    )


def embedded_text_of(row: sqlite3.Row) -> str:
    """What the vector of a row of `chunks` is made of."""
    return embedded_text(row["header"], row["written"], row["text"], row["before"], row["after"])


def _reembedding(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_REEMBEDDING,)).fetchone()
    return str(row[0]) if row else ""


def _last_seq(db: sqlite3.Connection) -> int:
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()
    return int(row[0]) if row else 0


def _pruned(db: sqlite3.Connection) -> int:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_PRUNED,)).fetchone()
    return int(row[0]) if row else 0
