"""Which passages name what, and which are about it: the links that multi-hop search follows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.entities import entities
from desktop_rag.storage.database import Database

_MISSING = "entities_missing_through"
"""In `meta`: chunks up to this number were stored by a version that did not look for names."""
_BATCH = 500
_FEW = 20
_COMMON = 0.03


class EntityGraph:
    """Reads the links. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def names_in(self, chunk: ChunkId) -> list[str]:
        """What a passage names or is about."""
        with self._database.read() as db:
            rows = db.execute("SELECT entity FROM chunk_entities WHERE chunk_id = ?", (chunk,))
            return [row["entity"] for row in rows]

    def subjects(self, names: Sequence[str], most: int) -> dict[str, list[ChunkId]]:
        """Passages about each of the names that some are about.

        Left out are names that more than `most` passages are about, and those that stand
        everywhere (in more than 3 % of the passages): they tell nothing apart.
        """
        found: dict[str, list[ChunkId]] = {}
        with self._database.read() as db:
            for batch in (names[i : i + _BATCH] for i in range(0, len(names), _BATCH)):
                for row in db.execute(_SUBJECTS.format(marks=_marks(batch)), batch):
                    found.setdefault(row["entity"], []).append(ChunkId(row["chunk_id"]))
            clear = [name for name, chunks in found.items() if len(chunks) <= most]
            if not clear:
                return {}
            total = db.execute("SELECT sum(chunk_count) FROM documents").fetchone()[0] or 0
            limit = max(_FEW, int(total * _COMMON))
            return {name: found[name] for name in clear if not _is_everywhere(db, name, limit)}

    def look_at_older(self, limit: int = 200) -> bool:
        """Find the names of some chunks of an older version; false when none is left.

        Asked whenever indexing rests, so it waits for no other writer when there is nothing to do.
        """
        with self._database.read() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (_MISSING,)).fetchone()
        if row is None:
            return False
        with self._database.write() as db:
            older = db.execute(_OLDER, (int(row["value"]), limit)).fetchall()
            _insert(db, older)
            if len(older) < limit:
                db.execute("DELETE FROM meta WHERE key = ?", (_MISSING,))
                return False
            db.execute("UPDATE meta SET value = ? WHERE key = ?", (older[-1]["id"] - 1, _MISSING))
        return True


def insert_entities(db: sqlite3.Connection, document: DocumentId) -> None:
    """Find and store what a document's chunks name, inside the caller's transaction."""
    _insert(db, db.execute(f"{_CHUNKS} WHERE c.document_id = ? ORDER BY c.id DESC", (document,)))


_CHUNKS = """
SELECT c.id, c.document_id, c.text, c.section, c.ordinal, d.title, d.path
FROM chunks c JOIN documents d ON d.id = c.document_id
"""
_OLDER = f"{_CHUNKS} WHERE c.id <= ? ORDER BY c.id DESC LIMIT ?"
_SUBJECTS = (
    "SELECT entity, chunk_id FROM chunk_entities WHERE is_subject = 1 AND entity IN ({marks})"
)


def _insert(db: sqlite3.Connection, chunks: Iterable[sqlite3.Row]) -> None:
    """Names of chunks that come in falling order, so that each is followed by the one before it."""
    rows = [*chunks]
    db.executemany(
        "INSERT OR REPLACE INTO chunk_entities (chunk_id, entity, is_subject) VALUES (?, ?, ?)",
        [
            (chunk["id"], name, int(is_subject))
            for chunk, before in zip(rows, [*rows[1:], None], strict=False)
            for name, is_subject in entities(chunk["text"], _headings(chunk, before)).items()
        ],
    )


def _headings(chunk: sqlite3.Row, before: sqlite3.Row | None) -> list[str]:
    """Only the first passage below a heading is about it: a long text must not be all links."""
    found: list[str] = []
    if chunk["ordinal"] == 0:
        stem = PurePath(chunk["path"].replace("\\", "/")).stem
        found.append(chunk["title"] or stem.replace("_", " ").replace("-", " "))
    is_same = before is not None and before["document_id"] == chunk["document_id"]
    if before is None or not is_same or before["section"] != chunk["section"]:
        found.append(chunk["section"].rpartition(" > ")[2])
    return found


def _is_everywhere(db: sqlite3.Connection, name: str, limit: int) -> bool:
    rows = db.execute(
        "SELECT 1 FROM chunk_entities WHERE entity = ? LIMIT ?", (name, limit + 1)
    ).fetchall()
    return len(rows) > limit


def _marks(items: Sequence[object]) -> str:
    return ", ".join("?" * len(items))
