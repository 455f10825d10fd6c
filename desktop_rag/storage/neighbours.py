"""What stands around a chunk in its document."""

from __future__ import annotations

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.parents import Neighbour
from desktop_rag.storage.database import Database

_REACH = 12
"""Chunks looked at on each side: single sentences are the shortest there are."""


class Neighbours:
    """Reads chunks around others. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, chunk: ChunkId) -> tuple[int, list[Neighbour]]:
        """The chunk's ordinal, and the nearest chunks of its document with itself, in order.

        Nothing when the chunk was removed meanwhile.
        """
        with self._database.read() as db:
            own = db.execute(
                "SELECT document_id, ordinal FROM chunks WHERE id = ?", (chunk,)
            ).fetchone()
            if own is None:
                return 0, []
            rows = db.execute(
                """SELECT * FROM chunks WHERE document_id = ? AND ordinal BETWEEN ? AND ?
                   ORDER BY ordinal""",
                (own["document_id"], own["ordinal"] - _REACH, own["ordinal"] + _REACH),
            )
            return own["ordinal"], [
                Neighbour(
                    ordinal=row["ordinal"],
                    start=row["start"],
                    end=row["end"],
                    section=row["section"],
                    place=row["place"],
                    pages=(row["first_page"], row["last_page"]) if row["first_page"] else None,
                )
                for row in rows
            ]

    def at(self, document: DocumentId, offset: int) -> ChunkId | None:
        """The chunk that holds a character, or the nearest before it, or the first.

        `None` when the document has no chunks.
        """
        with self._database.read() as db:
            row = db.execute(
                """SELECT id FROM chunks WHERE document_id = ?1
                   ORDER BY start <= ?2 DESC, abs(start - ?2) LIMIT 1""",
                (document, offset),
            ).fetchone()
        return ChunkId(row[0]) if row else None

    def text(self, document: DocumentId, start: int, end: int) -> str:
        """A span of a document's text; empty when the document was removed meanwhile."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT substr(text, ?, ?) FROM document_texts WHERE document_id = ?",
                (start + 1, end - start, document),
            ).fetchone()
        return str(row[0]) if row else ""
