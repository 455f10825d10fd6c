"""Searches and answers are taken note of, on request only, and nobody waits for it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag import settings
from desktop_rag.app import App
from desktop_rag.domain.answers import Confidence, RetrievalFigures, SearchResult
from desktop_rag.paths import DataDir
from desktop_rag.services.query_recording import QueryRecording
from desktop_rag.storage.database import Database
from desktop_rag.storage.querylog import LoggedQuery, QueryLog
from tests.helpers.fakes import fake_engines

TIMEOUT_S = 10.0
RESULT = SearchResult("What?", (), RetrievalFigures(10, 2, 5, passages=3, passage_documents=1))
SECRET = "harbourmaster"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "library.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A data folder with one document."""
    (tmp_path / "pump.txt").write_text("# Pump\n\nThe pump of the harbourmaster holds oil.")
    with App.open(tmp_path / "data", fake_engines()) as app:
        app.add([tmp_path / "pump.txt"])
        app.start_indexing()
        assert app.wait_until_indexed(TIMEOUT_S)
    return tmp_path / "data"


def entries(folder: Path) -> list[tuple[str, str, int]]:
    db = sqlite3.connect(DataDir(folder).database)
    try:
        query = "SELECT kind, confidence, passages FROM query_log ORDER BY id"
        return [tuple(row) for row in db.execute(query)]
    finally:
        db.close()


def opened(folder: Path) -> App:
    app = App.open(folder, fake_engines())
    app.start_indexing()  # a new fake index has to be filled
    assert app.wait_until_indexed(TIMEOUT_S)
    return app


class SlowLog(QueryLog):
    """Writes when it is let."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.may_write = threading.Event()
        self.written: list[int] = []

    def add(self, queries: Sequence[LoggedQuery]) -> bool:
        assert self.may_write.wait(TIMEOUT_S)
        self.written.append(len(queries))
        return super().add(queries)


def test_searches_and_answers_are_logged_and_small_talk_is_not(library: Path) -> None:
    with opened(library) as app:
        app.search(f"pump of the {SECRET}")
        app.search("xylophone quartet tuning")
        app.ask(f"What does the pump of the {SECRET} hold?").result(TIMEOUT_S)
        app.ask("Hello!").result(TIMEOUT_S)
        app.ask("Who tuned the xylophone quartet?").result(TIMEOUT_S)
    logged = entries(library)
    assert [kind for kind, _, _ in logged] == ["search", "search", "ask", "ask"]
    assert [confidence == "none" for _, confidence, _ in logged] == [False, True, False, True]
    assert logged[0][2] == 2


def test_the_log_can_be_switched_off_and_then_forgets(library: Path) -> None:
    with opened(library) as app:
        app.search("pump")
    assert len(entries(library)) == 1
    with opened(library) as app:
        app.search("pump")
        app.change_setting("query_log", "off")
        app.search("oil")
    assert entries(library) == []
    with opened(library) as app:
        app.search("oil")
        app.change_setting("query_log", "on")
        app.search("pump")
    assert len(entries(library)) == 1


def test_switched_off_while_another_process_has_the_library_forgets_at_the_next_start(
    library: Path,
) -> None:
    with opened(library) as app:
        app.search("pump")
    settings.store(DataDir(library).settings, "query_log", "off")
    App.open(library, fake_engines()).close()
    assert entries(library) == []


def test_nobody_waits_for_the_log_and_closing_writes_what_waits(database: Database) -> None:
    log = SlowLog(database)
    recording = QueryRecording(log, is_on=True)
    begin = time.monotonic()
    for _ in range(50):
        recording.note_search(RESULT, Confidence.LOW, 12.0)
    assert time.monotonic() - begin < 1
    log.may_write.set()
    recording.close()
    assert sum(log.written) == 50
    assert len(log.written) <= 2, "what waited is written in one transaction"
    recording.note_search(RESULT, Confidence.LOW, 12.0)
    assert sum(log.written) == 50


def test_what_a_language_model_takes_is_no_time_of_the_search(database: Database) -> None:
    recording = QueryRecording(QueryLog(database), is_on=True)
    deep = replace(RESULT, figures=replace(RESULT.figures, timings_ms={"expand": 4_000.0}))
    recording.note_search(replace(deep, is_weak=True), Confidence.HIGH, 4_030.0)
    recording.close()
    with database.read() as db:
        row = db.execute("SELECT * FROM query_log").fetchone()
    assert (row["search_ms"], row["elapsed_ms"]) == (30, 4_030)
    assert row["confidence"] == "none", "the nearest passages are no result"


def test_too_many_at_once_are_left_out(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.services.query_recording._MOST_WAITING", 5)
    log = SlowLog(database)
    recording = QueryRecording(log, is_on=True)
    for _ in range(50):
        recording.note_search(RESULT, Confidence.LOW, 12.0)
    log.may_write.set()
    recording.close()
    assert 5 <= sum(log.written) <= 11


def test_what_waits_when_it_is_switched_off_is_not_written(database: Database) -> None:
    log = QueryLog(database)
    recording = QueryRecording(log, is_on=True)
    with database.write():  # the writer waits for this
        for _ in range(3):
            recording.note_search(RESULT, Confidence.LOW, 12.0)
        switching = threading.Thread(target=lambda: recording.switch(is_on=False))
        switching.start()
    switching.join(TIMEOUT_S)
    recording.close()
    with database.read() as db:
        assert db.execute("SELECT count(*) FROM query_log").fetchone()[0] == 0
