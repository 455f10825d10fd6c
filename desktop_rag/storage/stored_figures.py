"""How much of what the catalog holds: numbers and bytes of text, without the bytes around it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredFigure:
    """Of one kind: entries, and roughly their bytes."""

    count: int
    size: int


class StoredFigures:
    """Reads only. *May block*: some tables are read as a whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recognised(self) -> StoredFigure:
        """Pages whose text was recognised."""
        return self._figure("SELECT count(*), sum(length(contents)) FROM recognised_pages")

    def chats(self) -> StoredFigure:
        """Chats, with all their messages and what was thought of them."""
        return self._figure(
            "SELECT (SELECT count(*) FROM conversations),"
            " (SELECT sum(length(text) + coalesce(length(answer_json), 0)) FROM messages)"
        )

    def query_log(self) -> StoredFigure:
        """Searches in the log; an entry takes about eighty bytes."""
        return self._figure("SELECT count(*), 80 * count(*) FROM query_log")

    def forget_recognised(self) -> None:
        """Delete recognised pages; the texts of documents stay as they are."""
        with self._database.write() as db:
            db.execute("DELETE FROM recognised_pages")

    def _figure(self, query: str) -> StoredFigure:
        with self._database.read() as db:
            count, size = db.execute(query).fetchone()
        return StoredFigure(int(count or 0), int(size or 0))
