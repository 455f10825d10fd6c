"""Files that were met in a folder and left out, each with its reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.storage.database import Database
from desktop_rag.storage.subtree import within


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file (or folder, or link) that is not read."""

    path: str
    """As text that can be shown; bytes that are no text are escaped."""
    size: int
    code: str
    """One of `CODES`."""
    reason: str
    """One sentence, with what would help where something would."""


CODES = {
    "unsupported": "no reader for this kind of file",
    "too-large": "over the size limit",
    "kind": "of a kind you left out",
    "rule": "left out by a rule",
    "link": "links, which are not followed",
    "same-file": "the same file under another name",
    "bad-name": "names that are no valid text",
    "special": "pipes, sockets and devices",
    "unreadable": "not allowed to be opened",
    "bad-rule": "ignore files with lines that are no pattern",
}
"""Every code with its meaning, for a summary."""

_TELLING_REASONS = ("unsupported", "too-large", "rule")
"""Codes whose reasons are the same for many files, so that a summary can show them."""


@dataclass(frozen=True, slots=True)
class SkippedKind:
    """How many files were left out for one reason."""

    code: str
    reason: str
    files: int


class SkippedFiles:
    """The list of what was left out. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(
        self, source_id: int, entries: Mapping[str, LeftOut], below: str | None = None
    ) -> bool:
        """Make these the left-out files of a source, or of what is at or below a path of it.

        Writes only what differs; nothing at all when nothing does. Returns whether something did.
        """
        stored = self._stored(source_id, below)
        gone = [path for path in stored if path not in entries]
        changed = [
            entry
            for path, entry in entries.items()
            if stored.get(path) != (entry.size, entry.code, entry.reason)
        ]
        if not gone and not changed:
            return False
        with self._database.write() as db:
            db.executemany("DELETE FROM skipped_files WHERE path = ?", [(path,) for path in gone])
            db.executemany(
                "INSERT OR REPLACE INTO skipped_files VALUES (?, ?, ?, ?, ?)",
                [(e.path, source_id, e.size, e.code, e.reason) for e in changed],
            )
        return True

    def _stored(self, source_id: int, below: str | None) -> dict[str, tuple[int, str, str]]:
        """Plain tuples: there may be a hundred thousand."""
        where = "source_id = ?"
        values: list[int | str] = [source_id]
        if below is not None:
            condition, limits = within(below)
            where += f" AND {condition}"
            values += limits
        with self._database.read() as db:
            rows = db.execute(
                f"SELECT path, size, code, reason FROM skipped_files WHERE {where}", values
            )
            return {path: (size, code, reason) for path, size, code, reason in rows}

    def at(self, path: str) -> LeftOut | None:
        """Why this file is left out; `None` when it is not, or was never met."""
        with self._database.read() as db:
            row = db.execute("SELECT * FROM skipped_files WHERE path = ?", (path,)).fetchone()
        return _left_out(row) if row else None

    def files(self) -> list[LibraryFile]:
        """All of them by path. Their ids are negative and name no document."""
        with self._database.read() as db:
            rows = db.execute("SELECT * FROM skipped_files ORDER BY path")
            return [_library_file(-n, _left_out(row)) for n, row in enumerate(rows, start=1)]

    def count(self) -> int:
        """How many there are."""
        with self._database.read() as db:
            return int(db.execute("SELECT count(*) FROM skipped_files").fetchone()[0])

    def kinds(self) -> list[SkippedKind]:
        """How many were left out for which reason, the most frequent first."""
        marks = ", ".join("?" * len(_TELLING_REASONS))
        with self._database.read() as db:
            rows = db.execute(
                f"""SELECT code, CASE WHEN code IN ({marks}) THEN reason ELSE '' END AS why,
                    count(*) AS files FROM skipped_files GROUP BY 1, 2
                    ORDER BY 3 DESC, 1, 2""",
                _TELLING_REASONS,
            ).fetchall()
        return [
            SkippedKind(row["code"], row["why"] or CODES.get(row["code"], ""), row["files"])
            for row in rows
        ]


def _left_out(row: sqlite3.Row) -> LeftOut:
    return LeftOut(row["path"], row["size"], row["code"], row["reason"])


def _library_file(number: int, entry: LeftOut) -> LibraryFile:
    return LibraryFile(
        id=DocumentId(number),
        path=entry.path,
        state=FileState.SKIPPED,
        format=PurePath(entry.path).suffix.lstrip(".").lower(),
        title="",
        size=entry.size,
        pages=0,
        chunks=0,
        sha256="",
        indexed_at="",
        failure_code=entry.code,
        failure=entry.reason,
    )
