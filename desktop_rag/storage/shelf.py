"""Searchable documents by what people call them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.library import Tier
from desktop_rag.domain.naming import Holding
from desktop_rag.storage.database import Database

_HOLDINGS = """
SELECT d.id, d.path, d.title, d.created, d.mtime_ns, d.page_count, s.tier
FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.chunk_count > 0
"""


class Shelf:
    """Reads names, dates and passages of documents. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Holding]:
        """All searchable documents by path."""
        return self._holdings(" ORDER BY d.path", ())

    def named_with(self, words: Sequence[str], title_words: Sequence[str]) -> list[Holding]:
        """Those whose path holds all the words, or whose title all of its own.

        Args:
            words: in any case of Latin letters; none: no path will do.
            title_words: the same for titles.
        """
        in_path = " AND ".join("instr(lower(d.path), ?)" for _ in words) or "0"
        in_title = " AND ".join("instr(lower(d.title), ?)" for _ in title_words) or "0"
        return self._holdings(
            f" AND (({in_path}) OR ({in_title})) ORDER BY d.path",
            tuple(word.lower() for word in (*words, *title_words)),
        )

    def of(self, documents: Sequence[DocumentId]) -> list[Holding]:
        """These documents, as far as they are searchable, by path."""
        return self._holdings(
            " AND d.id IN (SELECT value FROM json_each(?)) ORDER BY d.path",
            (json.dumps(list(documents)),),
        )

    def chunks(self, documents: Sequence[DocumentId]) -> list[ChunkId]:
        """All chunks of documents, document by document as they are given, in reading order."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT c.id FROM json_each(?) o JOIN chunks c ON c.document_id = o.value
                   ORDER BY o.key, c.ordinal""",
                (json.dumps(list(documents)),),
            )
            return [ChunkId(row[0]) for row in rows]

    def documents_of(self, chunks: Sequence[ChunkId]) -> list[DocumentId]:
        """The documents that chunks belong to."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT DISTINCT document_id FROM chunks
                   WHERE id IN (SELECT value FROM json_each(?)) ORDER BY document_id""",
                (json.dumps(list(chunks)),),
            )
            return [DocumentId(row[0]) for row in rows]

    def _holdings(self, condition: str, values: tuple[str, ...]) -> list[Holding]:
        with self._database.read() as db:
            return [
                Holding(
                    document=DocumentId(row["id"]),
                    path=row["path"],
                    title=row["title"],
                    created=row["created"],
                    mtime_ns=row["mtime_ns"],
                    tier=Tier(row["tier"]),
                    pages=row["page_count"],
                )
                for row in db.execute(_HOLDINGS + condition, values)
            ]
