"""The query log: bounded, without a word of anybody's, and harmless when it cannot be written."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from desktop_rag.domain.answers import Confidence
from desktop_rag.storage import database as databases
from desktop_rag.storage.database import Database
from desktop_rag.storage.querylog import LoggedQuery, QueryLog, RequestKind, query_figures

QUERY = LoggedQuery(RequestKind.SEARCH, Confidence.HIGH, passages=3, search_ms=20, elapsed_ms=30)


def query(search_ms: float, confidence: Confidence = Confidence.HIGH) -> LoggedQuery:
    return LoggedQuery(RequestKind.ASK, confidence, 3, search_ms, search_ms + 1000)


def test_an_empty_log_has_no_figures(database: Database) -> None:
    with database.read() as db:
        figures = query_figures(db)
    assert (figures.queries, figures.without_result, figures.search_p95_ms) == (0, 0, None)


def test_figures_count_what_found_nothing_and_the_slow_ones(database: Database) -> None:
    log = QueryLog(database)
    assert log.add([query(ms) for ms in range(1, 101)])
    assert log.add([query(1, Confidence.NONE), query(1, Confidence.LOW)])
    with database.read() as db:
        figures = query_figures(db)
        assert query_figures(db, newest=2).search_p95_ms == 1, "only the newest are looked at"
    assert (figures.queries, figures.without_result) == (102, 1)
    assert figures.search_p95_ms is not None
    assert 93 <= figures.search_p95_ms <= 95, "of the search, not of writing the answer"


def test_only_the_newest_are_kept(database: Database) -> None:
    log = QueryLog(database, kept=10)
    for batch in range(8):
        assert log.add([query(batch * 4 + n) for n in range(4)])
    with database.read() as db:
        kept = [row["search_ms"] for row in db.execute("SELECT * FROM query_log ORDER BY id")]
    assert kept == list(range(22, 32))


def test_clearing_forgets_all(database: Database) -> None:
    log = QueryLog(database)
    log.add([QUERY, QUERY])
    assert log.clear()
    with database.read() as db:
        assert query_figures(db).queries == 0
    assert log.clear(), "nothing to forget is no failure"


def test_clearing_an_empty_log_writes_nothing(database: Database) -> None:
    with contextlib.closing(sqlite3.connect(_path(database))) as other:
        other.execute("BEGIN IMMEDIATE")
        assert QueryLog(database).clear(), "a catalog that is busy does not matter"
        other.rollback()


def test_a_full_disk_is_harmless(database: Database) -> None:
    with database.write() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute("SELECT 1")
    with database.read():
        pass
    database._writer.execute(f"PRAGMA max_page_count = {pages}")
    log = QueryLog(database)
    assert not log.add([QUERY] * 5_000)
    with database.read() as db:
        assert query_figures(db).queries == 0


def test_a_locked_catalog_is_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "_BUSY_TIMEOUT_S", 0.05)
    path = tmp_path / "library.sqlite3"
    database = Database(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not QueryLog(database).add([QUERY])
        other.rollback()
    assert QueryLog(database).add([QUERY])
    database.close()
    assert not QueryLog(database).add([QUERY]), "a closed one, too"
    assert not QueryLog(database).clear()


def test_there_is_no_room_for_words(database: Database) -> None:
    """Every text column holds one of a few known words, or the time."""
    QueryLog(database).add([QUERY, query(1)])
    with database.read() as db:
        rows = [dict(row) for row in db.execute("SELECT * FROM query_log")]
    texts = {key for row in rows for key, value in row.items() if isinstance(value, str)}
    assert texts == {"asked_at", "kind", "confidence"}
    assert {row["kind"] for row in rows} <= set(RequestKind)
    assert {row["confidence"] for row in rows} <= set(Confidence)


def _path(database: Database) -> Path:
    return database._path
