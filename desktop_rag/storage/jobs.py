"""The queue of files to be read: a table, so that it survives whatever happens.

A job leaves the table when its document is stored or given up. One live job per document is an
index of the table, not a promise of the code.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.documents import DocumentId
from desktop_rag.storage.database import Database


@dataclass(frozen=True, slots=True)
class Job:
    """A file whose turn it is."""

    id: int
    document: DocumentId
    path: str
    attempts: int
    """Tries that ended with a crash, a time-out or a busy file."""


class Jobs:
    """The queue. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recover(self) -> None:
        """Put back what a killed process had claimed. Called once, when the library is opened."""
        with self._database.write() as db:
            db.execute("UPDATE jobs SET state = 'queued' WHERE state = 'running'")

    def claim(self, at: float) -> Job | None:
        """Take the oldest job that is due at `at` (seconds since the epoch), or `None`."""
        with self._database.write() as db:
            row = db.execute(
                """UPDATE jobs SET state = 'running' WHERE id = (
                       SELECT id FROM jobs WHERE state = 'queued' AND not_before <= ?
                       ORDER BY id LIMIT 1)
                   RETURNING id, document_id, attempts,
                       (SELECT path FROM documents WHERE documents.id = document_id) AS path""",
                (at,),
            ).fetchone()
        if row is None:
            return None
        return Job(row["id"], DocumentId(row["document_id"]), row["path"], row["attempts"])

    def put_back(self, job: Job, not_before: float, *, is_attempt: bool) -> None:
        """Try again later; `is_attempt` counts this as a failed try."""
        with self._database.write() as db:
            db.execute(
                "UPDATE jobs SET state = 'queued', not_before = ?, attempts = ? WHERE id = ?",
                (not_before, job.attempts + is_attempt, job.id),
            )

    def finish(self, job: Job) -> None:
        """The job is done or given up."""
        with self._database.write() as db:
            db.execute("DELETE FROM jobs WHERE id = ?", (job.id,))

    def pending(self) -> int:
        """How many files wait or are being read."""
        with self._database.read() as db:
            return int(db.execute("SELECT count(*) FROM jobs").fetchone()[0])

    def next_due(self) -> float | None:
        """When the next queued job may be tried (seconds since the epoch); `None`: no job."""
        with self._database.read() as db:
            row = db.execute("SELECT min(not_before) FROM jobs WHERE state = 'queued'").fetchone()
        return None if row[0] is None else float(row[0])
