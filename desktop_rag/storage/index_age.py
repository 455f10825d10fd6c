"""How fresh what is searched is: when files were read, and what waits."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.library import FileState
from desktop_rag.storage.database import Database


@dataclass(frozen=True, slots=True)
class IndexAge:
    """Of the files in the library."""

    newest: str
    """When a file was read last, ISO 8601; empty before the first."""
    oldest: str
    ready: int
    waiting: int
    failed: int
    changes: int
    """Passages that the search index has yet to learn or to forget."""


class IndexAges:
    """Reads only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def now(self) -> IndexAge:
        """As it is at this moment."""
        with self._database.read() as db:
            rows = db.execute("SELECT state, count(*) FROM documents GROUP BY state").fetchall()
            newest, oldest = db.execute(
                "SELECT max(indexed_at), min(indexed_at) FROM documents WHERE indexed_at <> ''"
            ).fetchone()
            changes = db.execute("SELECT count(DISTINCT chunk_id) FROM changes").fetchone()[0]
        by_state = {str(state): int(count) for state, count in rows}
        ready = by_state.pop(FileState.READY.value, 0)
        failed = by_state.pop(FileState.FAILED.value, 0)
        waiting = sum(by_state.values())
        return IndexAge(newest or "", oldest or "", ready, waiting, failed, int(changes))
