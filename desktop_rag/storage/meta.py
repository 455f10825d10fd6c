"""Small facts about the library as a whole."""

from __future__ import annotations

from desktop_rag.storage.database import Database


class Meta:
    """Names and values. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> str:
        """The value, or empty when there is none."""
        with self._database.read() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set(self, key: str, value: str) -> None:
        """Keep a value; an empty one forgets the key."""
        with self._database.write() as db:
            db.execute("DELETE FROM meta WHERE key = ?", (key,))
            if value:
                db.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (key, value))
