"""What a language model wrote about the passages of a document, kept until the next reading of it.

Writing takes seconds a passage, so whatever ends the program costs one passage at most, and a
document that changed in one place is written about there only.
"""

from __future__ import annotations

from collections.abc import Iterable

from desktop_rag.domain.documents import DocumentId
from desktop_rag.storage.database import Database


class WrittenTexts:
    """The store. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, document: DocumentId) -> WrittenOf:
        """What was written about one document."""
        return WrittenOf(self._database, document)

    def unfinished(self) -> int:
        """Texts about documents that wait to be read."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT count(*) FROM written_texts WHERE document_id IN"
                " (SELECT document_id FROM jobs WHERE kind = 'read')"
            ).fetchone()
        return int(row[0])


class WrittenOf:
    """Texts about one document, each by a hash of all that it depends on."""

    def __init__(self, database: Database, document: DocumentId) -> None:
        self._database = database
        self._document = document

    def get(self, key: bytes) -> str | None:
        """What was written; `None` when nothing was yet."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT text FROM written_texts WHERE document_id = ? AND key = ?",
                (self._document, key),
            ).fetchone()
        return str(row[0]) if row else None

    def add(self, key: bytes, text: str) -> None:
        """Keep a text, unless the document was forgotten meanwhile."""
        with self._database.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO written_texts SELECT id, ?, ? FROM documents WHERE id = ?",
                (key, text, self._document),
            )

    def keep_only(self, keys: Iterable[bytes]) -> None:
        """Forget what was written about what the document no longer says."""
        with self._database.write() as db:
            rows = db.execute(
                "SELECT key FROM written_texts WHERE document_id = ?", (self._document,)
            ).fetchall()
            db.executemany(
                "DELETE FROM written_texts WHERE document_id = ? AND key = ?",
                [(self._document, key) for key in {row[0] for row in rows} - set(keys)],
            )
