"""Pages whose text was recognised, kept by the content of their file.

A page is stored as soon as it is recognised, so whatever ends the program costs one page at most.
A page that cannot be recognised is kept with the reason, so that it is not tried for ever.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.storage.database import Database
from desktop_rag.storage.jobs import LATE_RANK, RECOGNISE_RANK
from desktop_rag.storage.packing import pack_recognised, unpack_recognised

_ENGINE = "recogniser"
"""Key in `meta`: what recognised last; empty while recognition was off."""


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What is known about recognising a page of a file."""

    number: int
    engine: str
    attempts: int
    failure: str
    """Why it was given up; empty for one that was recognised or is to be tried again."""
    page: RecognisedPage | None


class RecognisedPages:
    """The store. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def records(self, sha256: str) -> tuple[PageRecord, ...]:
        """All that is known about a file's pages, in order."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT * FROM recognised_pages WHERE sha256 = ? ORDER BY page", (sha256,)
            ).fetchall()
        return tuple(_record(row) for row in rows)

    def of(self, sha256: str, engine: str) -> tuple[RecognisedPage, ...]:
        """Pages of a file that this engine recognised, in order."""
        return tuple(
            record.page
            for record in self.records(sha256)
            if record.page is not None and record.engine == engine
        )

    def add(self, sha256: str, page: RecognisedPage) -> None:
        """Keep a page."""
        with self._database.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO recognised_pages (sha256, page, engine, contents)"
                " VALUES (?, ?, ?, ?)",
                (sha256, page.number, page.engine, pack_recognised(page)),
            )

    def add_failure(self, sha256: str, page: int, engine: str, attempts: int, failure: str) -> None:
        """Keep how often a page was tried in vain and, when it is given up, the reason."""
        with self._database.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO recognised_pages VALUES (?, ?, ?, x'', ?, ?)",
                (sha256, page, engine, attempts, failure),
            )

    def prune(self) -> int:
        """Forget pages of files that are no longer in the library; returns how many."""
        with self._database.read() as db:
            if not db.execute(f"SELECT 1 FROM recognised_pages {_ORPHANS} LIMIT 1").fetchone():
                return 0
        with self._database.write() as db:
            return db.execute(f"DELETE FROM recognised_pages {_ORPHANS}").rowcount

    def adopt(self, engine: str, off_code: str, off_reasons: tuple[str, ...]) -> int:
        """Queue what a newly available or changed engine may read; returns how many documents.

        Does nothing when `engine` is the one that was adopted last, so calling it at every start
        costs one look. An empty engine (recognition is off) only makes its return noticed.

        Args:
            engine: what recognises now.
            off_code: failure code of files that were left out because nothing recognised them.
            off_reasons: reasons of skipped pages for the same.
        """
        with self._database.read() as db:
            if _adopted(db) == engine:
                return 0
        with self._database.write() as db:
            queued = _queue_for(db, engine, off_code, off_reasons) if engine else 0
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_ENGINE, engine))
        return queued


_ORPHANS = "WHERE sha256 NOT IN (SELECT sha256 FROM documents)"


def _adopted(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (_ENGINE,)).fetchone()
    return str(row[0]) if row else ""


def _queue_for(
    db: sqlite3.Connection, engine: str, off_code: str, off_reasons: tuple[str, ...]
) -> int:
    queued = _read_failed_again(db, engine, off_code)
    marks = ", ".join("?" * len(off_reasons))
    left_out = f"""state <> 'failed' AND EXISTS (SELECT 1 FROM json_each(coverage, '$.skipped')
        WHERE json_extract(value, '$[1]') IN ({marks}))"""
    queued += _insert_jobs(db, left_out, off_reasons, RECOGNISE_RANK)
    outdated = """state <> 'failed' AND sha256 IN (
        SELECT sha256 FROM recognised_pages WHERE engine <> ?)"""
    return queued + _insert_jobs(db, outdated, (engine,), LATE_RANK)


def _insert_jobs(
    db: sqlite3.Connection, condition: str, arguments: tuple[str, ...], rank: int
) -> int:
    return db.execute(
        f"""INSERT INTO jobs (document_id, state, kind, rank)
            SELECT id, 'queued', 'recognise', ? FROM documents WHERE {condition}
            ON CONFLICT (document_id) DO NOTHING""",
        (rank, *arguments),
    ).rowcount


def _read_failed_again(db: sqlite3.Connection, engine: str, off_code: str) -> int:
    """Files without any text: left out, or another engine found none in them."""
    failed = """state = 'failed' AND (failure_code = ?1 OR sha256 IN (
        SELECT sha256 FROM recognised_pages WHERE engine <> ?2))"""
    queued = db.execute(
        f"""INSERT INTO jobs (document_id, state) SELECT id, 'queued' FROM documents
            WHERE {failed} ON CONFLICT (document_id) DO NOTHING""",
        (off_code, engine),
    ).rowcount
    db.execute(
        """DELETE FROM recognised_pages WHERE engine <> ? AND sha256 IN (
               SELECT sha256 FROM documents WHERE state = 'failed')""",
        (engine,),
    )
    db.execute(
        """UPDATE documents SET state = 'queued' WHERE state = 'failed' AND id IN (
               SELECT document_id FROM jobs)"""
    )
    return queued


def _record(row: sqlite3.Row) -> PageRecord:
    contents = row["contents"]
    return PageRecord(
        number=row["page"],
        engine=row["engine"],
        attempts=row["attempts"],
        failure=row["failure"],
        page=unpack_recognised(contents) if contents else None,
    )
