"""The files and folders a person added."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.library import NO_RULES, FolderRules, Tier
from desktop_rag.storage.catalog import now
from desktop_rag.storage.database import Database
from desktop_rag.storage.skipped import SkippedFiles
from desktop_rag.storage.subtree import within

NOT_SEEN_HERE = -1
"""The `device` of a source that came with a backup and was not found on this computer yet."""


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source as it was added. `device` is `st_dev` when it was last seen with files in it."""

    id: int
    path: str
    is_folder: bool
    device: int
    files: int = 0
    tier: Tier = Tier.NORMAL
    rules: FolderRules = NO_RULES
    mounts: frozenset[str] = frozenset()
    """Folders in it at which other drives were seen with files."""


class Sources:
    """The list of sources. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.skipped = SkippedFiles(database)
        """What was met in the sources and left out."""

    def all(self) -> list[StoredSource]:
        """All sources in the person's order, each with its number of files."""
        with self._database.read() as db:
            rows = db.execute(
                """SELECT s.*, count(d.id) AS files FROM sources s
                   LEFT JOIN documents d ON d.source_id = s.id GROUP BY s.id
                   ORDER BY s.position, s.path"""
            ).fetchall()
        return [_stored_source(row, row["files"]) for row in rows]

    def around(self, path: str) -> list[StoredSource]:
        """The source of exactly this path, and all folders; their files are not `counted`.

        For whoever asks once for each of many files, each of which becomes a source.
        """
        with self._database.read() as db:
            rows = db.execute(
                """SELECT * FROM sources WHERE path = ?1
                   UNION SELECT * FROM sources WHERE is_folder = 1 ORDER BY position, path""",
                (path,),
            ).fetchall()
        return [_stored_source(row) for row in rows]

    def counted(self, source: StoredSource) -> StoredSource:
        """The same with its number of files."""
        with self._database.read() as db:
            query = "SELECT count(*) AS files FROM documents WHERE source_id = ?"
            row = db.execute(query, (source.id,)).fetchone()
        return replace(source, files=row["files"])

    def add(self, path: str, *, is_folder: bool, device: int) -> StoredSource:
        """Add a source; adding one twice gives the first."""
        with self._database.write() as db:
            row = db.execute(
                """INSERT INTO sources (path, is_folder, device, added_at, position)
                   VALUES (?, ?, ?, ?, (SELECT coalesce(max(position), 0) FROM sources))
                   ON CONFLICT (path) DO UPDATE SET device = excluded.device RETURNING *""",
                (path, int(is_folder), device, now()),
            ).fetchone()
        return _stored_source(row)

    def adopt(self, source: StoredSource, source_ids: list[int]) -> None:
        """Move the files of sources that lie inside `source` into it and drop those sources."""
        with self._database.write() as db:
            for other in source_ids:
                db.execute(
                    "UPDATE documents SET source_id = ? WHERE source_id = ?", (source.id, other)
                )
                db.execute("DELETE FROM sources WHERE id = ?", (other,))

    def move(self, source: StoredSource, path: str) -> None:
        """The source lies at `path` now, and all that is known of it with it.

        Its files keep their text, tags and collections. Paths of another system (a restored
        library) get the separators of this one.

        Raises:
            InvalidInput: files at the new place are in the library already; nothing was changed.
        """
        foreign = "\\" if os.sep == "/" else "/"
        change = (
            "path = ?1 || CASE WHEN instr(?2, ?3) "
            "THEN replace(substr(path, length(?2) + 1), ?3, ?4) "
            "ELSE substr(path, length(?2) + 1) END"
        )
        below = "(path = ?2 OR substr(path, 1, length(?2) + 1) IN (?2 || '/', ?2 || '\\'))"
        values = (path, source.path, foreign, os.sep)
        try:
            with self._database.write() as db:
                db.execute("UPDATE sources SET path = ? WHERE id = ?", (path, source.id))
                for table in ("documents", "skipped_files"):
                    where = f"source_id = ?5 AND {below}"
                    db.execute(f"UPDATE {table} SET {change} WHERE {where}", (*values, source.id))
                for table in ("collection_members", "excluded"):
                    db.execute(f"UPDATE {table} SET {change} WHERE {below}", values)
        except sqlite3.IntegrityError as error:
            raise InvalidInput(
                f"Files in {path} are in the library already. Remove it there first: "
                f"desktop-rag remove {path}"
            ) from error

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
        condition, limits = within(path)
        with self._database.write() as db:
            db.execute(f"DELETE FROM excluded WHERE {condition}", limits)

    def excluded(self) -> frozenset[str]:
        """All excluded paths."""
        with self._database.read() as db:
            return frozenset(row[0] for row in db.execute("SELECT path FROM excluded"))

    def set_rules(self, source_id: int, rules: FolderRules) -> None:
        """Choose what of a folder is read."""
        contents = msgspec.json.encode(rules).decode()
        with self._database.write() as db:
            db.execute("UPDATE sources SET rules = ? WHERE id = ?", (contents, source_id))

    def order(self, paths: Sequence[str]) -> None:
        """Keep the sources in this order; those that are not named follow as they were."""
        with self._database.write() as db:
            rest = db.execute("SELECT path FROM sources ORDER BY position, path").fetchall()
            wanted = dict.fromkeys([*paths, *(row["path"] for row in rest)])
            db.executemany(
                "UPDATE sources SET position = ? WHERE path = ?",
                [(position, path) for position, path in enumerate(wanted)],
            )

    def set_tier(self, source_id: int, tier: Tier) -> None:
        """Choose how much a source counts."""
        with self._database.write() as db:
            db.execute("UPDATE sources SET tier = ? WHERE id = ?", (tier, source_id))

    def set_mounts(self, source_id: int, mounts: Iterable[str]) -> None:
        """Remember at which folders of the source other drives are."""
        contents = msgspec.json.encode(sorted(mounts)).decode()
        with self._database.write() as db:
            db.execute("UPDATE sources SET mounts = ? WHERE id = ?", (contents, source_id))

    def set_device(self, source_id: int, device: int) -> None:
        """Remember the file system the source is on now."""
        with self._database.write() as db:
            db.execute("UPDATE sources SET device = ? WHERE id = ?", (device, source_id))


def _stored_source(row: sqlite3.Row, files: int = 0) -> StoredSource:
    return StoredSource(
        id=row["id"],
        path=row["path"],
        is_folder=bool(row["is_folder"]),
        device=row["device"],
        files=files,
        tier=Tier(row["tier"]),
        rules=msgspec.json.decode(row["rules"], type=FolderRules),
        mounts=msgspec.json.decode(row["mounts"], type=frozenset[str]),
    )
