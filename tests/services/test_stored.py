"""What is kept: measured, and deleted one by one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.app import App
from desktop_rag.domain.documents import RecognisedPage
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.services.stored import Kind, Stored
from desktop_rag.storage.database import Database
from desktop_rag.storage.recognised import RecognisedPages
from tests.helpers.fakes import fake_engines

TIMEOUT_S = 10.0


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    (tmp_path / "a.txt").write_text("Apples are red and grow on trees.")
    with App.open(tmp_path / "data", fake_engines()) as opened:
        opened.add([tmp_path / "a.txt"])
        opened.start_indexing()
        assert opened.wait_until_indexed(TIMEOUT_S)
        yield opened


def _of(app: App, kind: Kind) -> Stored:
    return next(one for one in app.stored.all() if one.kind is kind)


def _recognise(app: App, tmp_path: Path) -> None:
    database = Database(tmp_path / "data" / "library.sqlite3")
    page = RecognisedPage(1, (), engine="engine")
    RecognisedPages(database).add("0" * 64, page)
    database.close()


def test_every_kind_has_a_place_and_a_size(app: App, tmp_path: Path) -> None:
    kinds = {one.kind: one for one in app.stored.all()}
    assert list(kinds) == list(Kind)
    library = kinds[Kind.LIBRARY]
    assert library.size >= (tmp_path / "data" / "library.sqlite3").stat().st_size
    assert library.count == 3, "with the two files beside it while it is open"
    assert kinds[Kind.BACKUPS].size == 0, "there is no such folder yet"
    assert kinds[Kind.CHATS].is_in_library


def test_chats_are_counted(app: App) -> None:
    assert _of(app, Kind.CHATS).count == 0
    app.ask("What colour are apples?").result(TIMEOUT_S)
    chats = _of(app, Kind.CHATS)
    assert chats.count == 1
    assert chats.size > 20


def test_the_query_log_is_emptied_and_goes_on(app: App) -> None:
    app.search("apples")
    deadline = time.monotonic() + TIMEOUT_S
    while not _of(app, Kind.QUERY_LOG).count:  # a thread of its own writes it
        assert time.monotonic() < deadline
        time.sleep(0.01)
    app.stored.clear(Kind.QUERY_LOG)
    assert _of(app, Kind.QUERY_LOG).count == 0
    assert app.settings().query_log


def test_recognised_pages_are_forgotten_and_texts_stay(app: App, tmp_path: Path) -> None:
    _recognise(app, tmp_path)
    assert _of(app, Kind.RECOGNISED).count == 1
    app.stored.clear(Kind.RECOGNISED)
    assert _of(app, Kind.RECOGNISED) == Stored(
        Kind.RECOGNISED, tmp_path / "data" / "library.sqlite3", 0, 0, True, True
    )
    assert app.search("apples").passages


def test_kept_answers_are_deleted(app: App, tmp_path: Path) -> None:
    app.ask("What colour are apples?").result(TIMEOUT_S)
    deadline = time.monotonic() + TIMEOUT_S
    while not (tmp_path / "data" / "answers.kept").exists():  # it is kept after it was given
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert _of(app, Kind.ANSWERS).size > 0
    app.stored.clear(Kind.ANSWERS)
    assert _of(app, Kind.ANSWERS).size == 0


def test_logs_are_emptied_while_they_are_written(app: App, tmp_path: Path) -> None:
    logs = tmp_path / "data" / "logs"
    for name in ("desktop-rag.log.1", "worker-parse.old.log", "worker-parse.log", "diary.txt"):
        (logs / name).write_text("text")
    app.stored.clear(Kind.LOGS)
    left = {path.name: path.stat().st_size for path in logs.iterdir()}
    assert left.pop("desktop-rag.log", 0) == 0
    assert left == {"worker-parse.log": 0, "diary.txt": 4}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_not_counted(app: App, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 10_000)
    before = _of(app, Kind.LOGS).size
    (tmp_path / "data" / "logs" / "link.log").symlink_to(tmp_path / "large")
    assert _of(app, Kind.LOGS).size == before
    app.stored.clear(Kind.LOGS)
    assert (tmp_path / "large").stat().st_size == 10_000


@pytest.mark.parametrize("kind", [Kind.LIBRARY, Kind.CHATS, Kind.SETTINGS])
def test_what_the_program_lives_on_is_not_deleted_by_itself(app: App, kind: Kind) -> None:
    with pytest.raises(InvalidInput):
        app.stored.clear(kind)
    assert not _of(app, kind).is_clearable
