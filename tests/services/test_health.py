"""Health of an open library: the report, the check-up, what it mends, and what it keeps quiet."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.services.upkeep import Outcome
from tests.helpers.fakes import FakeIndex, fake_engines

TIMEOUT_S = 10.0


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def app(tmp_path: Path, index: FakeIndex) -> Iterator[App]:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"Apples {name} are red and grow on trees.")
    with App.open(tmp_path / "data", fake_engines(index=index)) as opened:
        opened.add([tmp_path / "a.txt", tmp_path / "b.txt"])
        opened.start_indexing()
        assert opened.wait_until_indexed(TIMEOUT_S)
        yield opened


def test_the_report_tells_age_room_and_versions(app: App) -> None:
    report = app.health.report()
    assert (report.index.ready, report.index.waiting, report.index.failed) == (2, 0, 0)
    assert report.index.newest >= report.index.oldest > ""
    assert report.index.changes == 0
    assert report.free > 0
    assert dict(report.versions)["SQLite"] == sqlite3.sqlite_version
    assert all(isinstance(one, WorkerFacts) for one in report.workers)


def test_a_sound_library_has_no_problem(app: App) -> None:
    problems = [one for one in app.health.check() if one.outcome is Outcome.PROBLEM]
    assert problems == []


def test_what_can_be_mended_is_mended_while_the_library_is_open(
    app: App, index: FakeIndex, tmp_path: Path
) -> None:
    index.clear()
    index._applied_seq = 10_000  # it claims to be complete
    with sqlite3.connect(tmp_path / "data" / "library.sqlite3") as db:
        last = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()[0]
    db.close()
    index._applied_seq = last
    assert [one.check for one in app.health.check() if one.outcome is Outcome.PROBLEM] == [
        "search index"
    ]
    done = app.health.repair()
    assert done == ["The search index is made again from the catalog."]
    assert app.wait_until_synchronised(TIMEOUT_S)
    assert app.wait_until_indexed(TIMEOUT_S)
    assert index.state().keywords == 2
    assert not any(one.outcome is Outcome.PROBLEM for one in app.health.check())


def test_the_log_is_shown_without_names_of_files(app: App, tmp_path: Path) -> None:
    logging.getLogger("desktop_rag.test").info("Read %s", Path.home() / "Diary" / "secret.txt")
    logging.getLogger("desktop_rag.test").info("Wrote %s", tmp_path / "data" / "library.sqlite3")
    tail = app.health.log_tail(2)
    assert len(tail.splitlines()) == 2
    assert "secret" not in tail
    assert "<data folder>/…" in tail


def test_a_line_of_the_log_that_is_cut_in_two_is_not_shown(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    logging.getLogger("desktop_rag.test").info("Read %s", Path.home() / "Diary" / "secret.txt")
    monkeypatch.setattr("desktop_rag.services.health._TAIL_BYTES", len("secret.txt\n"))
    assert app.health.log_tail() == ""


@pytest.mark.parametrize(
    "text",
    [
        "/home/ann/Letters/to bob.txt: its text is gone.",
        "2 of 3 cannot be reached now (/media/stick/Ann).",
        r"C:\Users\Ann\file.txt cannot be written.",
        r"\\server\share\Ann is offline.",
    ],
)
def test_a_report_names_nobody(app: App, text: str) -> None:
    shortened = app.health.shortened(text)
    assert "nn" not in shortened.replace("cannot", "")
    assert "<path>" in shortened


def test_words_with_strokes_are_no_paths(app: App) -> None:
    said = "4/5 files and 1/2 pages; 12:30, and/or nothing."
    assert app.health.shortened(said) == said
