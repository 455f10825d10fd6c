"""How far a newer reader has got with what an older one had read.

A newer version of a reader or of the chunker reads every file again, after all that is new. Until
then the old text answers; where a file cannot be reached it stays for good.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from desktop_rag.storage.database import Database

_READERS = "readers"


@dataclass(frozen=True, slots=True)
class Rereading:
    """Documents whose text is to be replaced by that of a newer reader."""

    waiting: int = 0
    documents: int = 0
    """All that have text."""

    @property
    def sentence(self) -> str:
        """How it is told everywhere; empty when nothing waits."""
        if not self.waiting:
            return ""
        return (
            f"{self.waiting} of {self.documents} files are being read again because how files "
            "are read or cut has changed; what was read before stays searchable until then."
        )


class Readers:
    """Which readers the library was last looked at with. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, readers: Collection[str]) -> None:
        """Remember today's readers; writes only when they changed."""
        value = _written(readers)
        with self._database.read() as db:
            known = _noted(db)
        if known != value:
            with self._database.write() as db:
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_READERS, value))

    def rereading(self) -> Rereading:
        """How much is still to be read again; nothing before a first look."""
        with self._database.read() as db:
            noted = _noted(db)
            return count_rereading(db, json.loads(noted)) if noted else Rereading()


def refusal_mark(readers: Collection[str]) -> str:
    """Says which readers could not read a file; kept in the place of the one that read it."""
    return _mark(_written(readers))


def todays_refusal(db: sqlite3.Connection) -> str:
    """`refusal_mark` of the readers noted last."""
    return _mark(_noted(db))


def _mark(written: str) -> str:
    return f"refused-{hashlib.sha256(written.encode()).hexdigest()[:16]}"


def _written(readers: Collection[str]) -> str:
    return json.dumps(sorted(set(readers)))


def count_rereading(db: sqlite3.Connection, readers: Collection[str]) -> Rereading:
    """How much these readers have still to read again. Reads document rows only."""
    marks = ", ".join("?" * len(readers))
    row = db.execute(
        f"""SELECT count(*) FILTER (WHERE reader NOT IN ({marks})), count(*)
            FROM documents WHERE chunk_count > 0""",
        tuple(readers),
    ).fetchone()
    return Rereading(row[0], row[1])


def successor(db: sqlite3.Connection, reader: str) -> str:
    """Today's version of a reader, like `pdf-2+chunker-3` of `pdf-1+chunker-2`; else itself."""
    noted: list[str] = json.loads(_noted(db) or "[]")
    name = reader.rpartition("+")[0].rpartition("-")[0]
    alike = (one for one in noted if one.rpartition("+")[0].rpartition("-")[0] == name)
    return next(alike, reader)


def _noted(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_READERS,)).fetchone()
    return str(row[0]) if row else ""
