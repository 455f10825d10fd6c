"""Pages of a document one at a time: two thousand pages hold a hundred thousand lines."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.documents import DocumentId, Line, Page
from desktop_rag.storage.database import Database
from desktop_rag.storage.packing import unpack_lines


class PageLines:
    """Reads sizes of pages apart from their lines. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def outline(self, document: DocumentId) -> tuple[Page, ...]:
        """All pages without their lines; empty for formats without pages."""
        with self._database.read() as db:
            rows = db.execute(
                'SELECT number, label, start, "end", width, height FROM pages'
                " WHERE document_id = ? ORDER BY number",
                (document,),
            ).fetchall()
        return tuple(Page(*row) for row in rows)

    def lines(self, document: DocumentId, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]:
        """The lines of some pages by number; a page that is not there is missing."""
        with self._database.read() as db:
            rows = [
                db.execute(
                    "SELECT number, lines FROM pages WHERE document_id = ? AND number = ?",
                    (document, number),
                ).fetchone()
                for number in numbers
            ]
        return {row["number"]: unpack_lines(row["lines"]) for row in rows if row is not None}
