"""How searches went: speed and success of the newest few thousand, never what was asked or found.

Nobody waits for this log and nothing depends on it: what cannot be written is left out.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.evaluation import percentile
from desktop_rag.storage.catalog import now
from desktop_rag.storage.database import Database

logger = logging.getLogger(__name__)

KEPT = 5_000
"""Entries; about 400 kB."""


class RequestKind(StrEnum):
    """What a person wanted."""

    SEARCH = "search"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class LoggedQuery:
    """One search or question."""

    kind: RequestKind
    confidence: Confidence
    """`NONE`: nothing was found."""
    passages: int
    search_ms: float
    """Until the passages were found, without what a language model took to think of queries."""
    elapsed_ms: float
    """Until the result was there; for a question with the writing of the answer."""


@dataclass(frozen=True, slots=True)
class QueryFigures:
    """The log in figures."""

    queries: int
    without_result: int
    search_p95_ms: float | None
    """`None` when there are no queries."""


class QueryLog:
    """Writes the log. Usable from any thread; waits for whoever else writes to the catalog."""

    def __init__(self, database: Database, kept: int = KEPT) -> None:
        self._database = database
        self._kept = kept

    def add(self, queries: Sequence[LoggedQuery]) -> bool:
        """Keep entries and drop those too many; whether that could be done."""
        asked_at = now()
        rows = [
            (asked_at, one.kind, one.confidence, one.passages, one.search_ms, one.elapsed_ms)
            for one in queries
        ]
        return self._written(
            "INSERT INTO query_log (asked_at, kind, confidence, passages, search_ms, elapsed_ms)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )

    def clear(self) -> bool:
        """Forget everything; whether that could be done. Writes nothing when there is nothing."""
        try:
            with self._database.read() as db:
                is_empty = db.execute("SELECT 1 FROM query_log LIMIT 1").fetchone() is None
        except (DesktopRagError, sqlite3.Error) as error:
            logger.info("The query log cannot be read: %s", error)
            return False
        return is_empty or self._written("DELETE FROM query_log", [()])

    def _written(self, statement: str, rows: Iterable[Sequence[object]]) -> bool:
        try:
            with self._database.write() as db:
                db.executemany(statement, rows)
                db.execute(
                    "DELETE FROM query_log WHERE id <= (SELECT max(id) FROM query_log) - ?",
                    (self._kept,),
                )
        except (DesktopRagError, sqlite3.Error) as error:
            logger.info("The query log was not written: %s", error)
            return False
        return True


def query_figures(db: sqlite3.Connection, newest: int = KEPT) -> QueryFigures:
    """Figures of the newest entries.

    Args:
        db: a connection to a catalog of this version.
        newest: how many are looked at.
    """
    rows = db.execute(
        "SELECT confidence, search_ms FROM query_log ORDER BY id DESC LIMIT ?", (newest,)
    ).fetchall()
    times = [row["search_ms"] for row in rows]
    return QueryFigures(
        queries=len(rows),
        without_result=sum(row["confidence"] == Confidence.NONE for row in rows),
        search_p95_ms=percentile(times, 0.95) if times else None,
    )
