"""Pages whose text was recognised, kept by the content of their file.

A page is stored as soon as it is recognised, so whatever ends the program costs one page at most.
"""

from __future__ import annotations

from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.storage.database import Database
from desktop_rag.storage.packing import pack_recognised, unpack_recognised


class RecognisedPages:
    """The store. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, sha256: str, engine: str) -> tuple[RecognisedPage, ...]:
        """Pages of a file that this engine recognised, in order."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT contents FROM recognised_pages WHERE sha256 = ? AND engine = ?"
                " ORDER BY page",
                (sha256, engine),
            ).fetchall()
        return tuple(unpack_recognised(row[0]) for row in rows)

    def add(self, sha256: str, page: RecognisedPage) -> None:
        """Keep a page."""
        with self._database.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO recognised_pages VALUES (?, ?, ?, ?)",
                (sha256, page.number, page.engine, pack_recognised(page)),
            )

    def prune(self) -> int:
        """Forget pages of files that are no longer in the library; returns how many."""
        with self._database.write() as db:
            return db.execute(
                "DELETE FROM recognised_pages WHERE sha256 NOT IN (SELECT sha256 FROM documents)"
            ).rowcount
