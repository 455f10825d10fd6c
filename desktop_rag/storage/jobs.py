"""The queue of files to be read: a table, so that it survives whatever happens.

A job leaves the table when its document is stored or given up. One live job per document is an
index of the table, not a promise of the code.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.documents import DocumentId
from desktop_rag.storage.database import Database


class JobKind(StrEnum):
    """What is to be done with a file."""

    READ = "read"
    RECOGNISE = "recognise"
    """Recognise the text of its waiting pages, one page a turn."""


BIG_BYTES = 20_000_000
_RECENT_S = 600
_BIG_RANK = 1
RECOGNISE_RANK = 1_000
"""Plus the number of waiting pages: a photograph comes before a book, both after all reading."""
LATE_RANK = 1_000_000
"""What is searchable already and would only become better."""


def rank_of(size: int, mtime_ns: int, now_s: float) -> int:
    """Rank of reading a file: what was saved just now, newest first, then the rest, then big ones.

    Args:
        size: in bytes.
        mtime_ns: when it was saved.
        now_s: seconds since the epoch.
    """
    if size > BIG_BYTES:
        return _BIG_RANK
    saved_s = mtime_ns / 1e9
    return -int(saved_s // 60) if 0 <= now_s - saved_s < _RECENT_S else 0


@dataclass(frozen=True, slots=True)
class Job:
    """A file whose turn it is."""

    id: int
    document: DocumentId
    path: str
    attempts: int
    """Tries that ended with a crash, a time-out or a busy file."""
    kind: JobKind = JobKind.READ
    size: int = 0
    """Of the file in bytes, when it was queued or last read."""
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Workload:
    """What waits in the queue or is being worked on."""

    files: int = 0
    bytes: int = 0
    """Of files that are to be read."""
    pages: int = 0
    """Pages that wait for text recognition and are not searchable yet."""
    documents_with_pages: int = 0


class Jobs:
    """The queue. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recover(self) -> None:
        """Put back what was claimed and not finished.

        Called while nobody works on a job: when the library is opened, and after a pause that came
        in the middle of one.
        """
        with self._database.write() as db:
            db.execute("UPDATE jobs SET state = 'queued' WHERE state = 'running'")

    def claim(
        self,
        at: float,
        kinds: tuple[JobKind, ...] = tuple(JobKind),
        before_rank: int = 1 << 62,
    ) -> Job | None:
        """Take the first job that is due at `at` (seconds since the epoch), or `None`.

        `before_rank` leaves those that are no more urgent than that.
        """
        marks = ", ".join("?" * len(kinds))
        with self._database.write() as db:
            row = db.execute(
                f"""UPDATE jobs SET state = 'running' WHERE id = (
                       SELECT id FROM jobs WHERE state = 'queued' AND not_before <= ?
                       AND kind IN ({marks}) AND rank < ? ORDER BY rank, id LIMIT 1)
                   RETURNING *""",
                (at, *kinds, before_rank),
            ).fetchone()
            if row is None:
                return None
            file = db.execute(
                "SELECT path, size FROM documents WHERE id = ?", (row["document_id"],)
            ).fetchone()
        return Job(
            row["id"],
            DocumentId(row["document_id"]),
            file["path"],
            row["attempts"],
            JobKind(row["kind"]),
            file["size"],
            row["rank"],
        )

    def put_back(self, job: Job, not_before: float, *, is_attempt: bool) -> None:
        """Try again later; `is_attempt` counts this as a failed try."""
        with self._database.write() as db:
            db.execute(
                "UPDATE jobs SET state = 'queued', not_before = ?, attempts = ? WHERE id = ?",
                (not_before, job.attempts + is_attempt, job.id),
            )

    def read_again(self, job: Job) -> None:
        """The file of a recognition changed: begin with reading it."""
        with self._database.write() as db:
            db.execute(
                """UPDATE jobs SET state = 'queued', kind = 'read', rank = 0, attempts = 0,
                   not_before = 0 WHERE id = ?""",
                (job.id,),
            )

    def finish(self, job: Job) -> None:
        """The job is done or given up."""
        with self._database.write() as db:
            db.execute("DELETE FROM jobs WHERE id = ?", (job.id,))

    def is_live(self, document: DocumentId) -> bool:
        """Whether there is still something to do for a document."""
        with self._database.read() as db:
            found = db.execute("SELECT 1 FROM jobs WHERE document_id = ?", (document,)).fetchone()
        return found is not None

    def pending(self) -> int:
        """How many files wait or are being read."""
        with self._database.read() as db:
            return int(db.execute("SELECT count(*) FROM jobs").fetchone()[0])

    def workload(self) -> Workload:
        """How much waits. Reads a row for each job."""
        with self._database.read() as db:
            rows = db.execute(_WORKLOAD).fetchall()
        found = {row["kind"]: row for row in rows}
        reading = found.get(JobKind.READ)
        return Workload(
            files=sum(row["files"] for row in rows),
            bytes=reading["bytes"] if reading else 0,
            pages=sum(row["pages"] for row in rows),
            documents_with_pages=sum(row["documents"] for row in rows),
        )

    def next_due(self, kind: JobKind | None = None) -> float | None:
        """When the next queued job may be tried (seconds since the epoch); `None`: no job."""
        condition, arguments = ("AND kind = ?", (kind,)) if kind else ("", ())
        with self._database.read() as db:
            row = db.execute(
                f"SELECT min(not_before) FROM jobs WHERE state = 'queued' {condition}", arguments
            ).fetchone()
        return None if row[0] is None else float(row[0])


_WORKLOAD = """
SELECT j.kind, count(*) AS files, sum(d.size) AS bytes, sum(d.waiting) AS pages,
    sum(d.waiting > 0) AS documents
FROM jobs j JOIN (
    SELECT id, size, coalesce(json_array_length(coverage, '$.waiting'), 0) AS waiting
    FROM documents) d ON d.id = j.document_id
GROUP BY j.kind
"""


def leave_queue(db: sqlite3.Connection, document: DocumentId) -> None:
    """A document was stored: its job ends, or goes on with the pages that wait for recognition."""
    db.execute(
        """DELETE FROM jobs WHERE document_id = ?1 AND NOT EXISTS (
               SELECT 1 FROM documents WHERE id = ?1
               AND coalesce(json_array_length(coverage, '$.waiting'), 0) > 0)""",
        (document,),
    )
    db.execute(
        """UPDATE jobs SET state = 'queued', kind = 'recognise', attempts = 0, not_before = 0,
               rank = ?2 + (SELECT json_array_length(coverage, '$.waiting') FROM documents
                            WHERE id = ?1)
           WHERE document_id = ?1""",
        (document, RECOGNISE_RANK),
    )
