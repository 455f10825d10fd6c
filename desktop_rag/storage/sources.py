"""The files and folders a person added."""

from __future__ import annotations

import os
from dataclasses import dataclass

from desktop_rag.storage.catalog import now
from desktop_rag.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source as it was added. `device` is `st_dev` when it was last seen with files in it."""

    id: int
    path: str
    is_folder: bool
    device: int
    files: int = 0


class Sources:
    """The list of sources. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[StoredSource]:
        """All sources by path, each with its number of files."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT s.*, count(d.id) AS files FROM sources s
                   LEFT JOIN documents d ON d.source_id = s.id GROUP BY s.id ORDER BY s.path"""
            ).fetchall()
        return [
            StoredSource(r["id"], r["path"], bool(r["is_folder"]), r["device"], r["files"])
            for r in rows
        ]

    def add(self, path: str, *, is_folder: bool, device: int) -> StoredSource:
        """Add a source; adding one twice gives the first."""
        with self._database.write() as db:
            row = db.execute(
                """INSERT INTO sources (path, is_folder, device, added_at) VALUES (?, ?, ?, ?)
                   ON CONFLICT (path) DO UPDATE SET device = excluded.device RETURNING *""",
                (path, int(is_folder), device, now()),
            ).fetchone()
        return StoredSource(row["id"], row["path"], bool(row["is_folder"]), row["device"])

    def adopt(self, source: StoredSource, source_ids: list[int]) -> None:
        """Move the files of sources that lie inside `source` into it and drop those sources."""
        with self._database.write() as db:
            for other in source_ids:
                db.execute(
                    "UPDATE documents SET source_id = ? WHERE source_id = ?", (source.id, other)
                )
                db.execute("DELETE FROM sources WHERE id = ?", (other,))

    def remove(self, source_id: int) -> None:
        """Forget a source. Its documents must have been removed first, with their contents."""
        with self._database.write() as db:
            db.execute("DELETE FROM sources WHERE id = ?", (source_id,))

    def exclude(self, path: str) -> None:
        """Keep a path inside a folder source out of the library from now on."""
        with self._database.write() as db:
            db.execute("INSERT OR IGNORE INTO excluded (path) VALUES (?)", (path,))

    def include(self, path: str) -> None:
        """Take back `exclude` for a path and all that is below it."""
        below = path.rstrip(os.sep) + os.sep
        with self._database.write() as db:
            db.execute(
                "DELETE FROM excluded WHERE path = ?1 OR substr(path, 1, ?2) = ?3",
                (path, len(below), below),
            )

    def excluded(self) -> frozenset[str]:
        """All excluded paths."""
        with self._database.read() as db:
            return frozenset(row[0] for row in db.execute("SELECT path FROM excluded"))

    def set_device(self, source_id: int, device: int) -> None:
        """Remember the file system the source is on now."""
        with self._database.write() as db:
            db.execute("UPDATE sources SET device = ? WHERE id = ?", (device, source_id))
