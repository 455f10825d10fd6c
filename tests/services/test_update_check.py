"""The update check asks only when it may, and only tells."""

from __future__ import annotations

import datetime as dt
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag import __version__
from desktop_rag.domain.errors import DownloadFailed, InvalidInput, UserError
from desktop_rag.services.update_check import UpdateCheck, UpdateFound
from desktop_rag.settings import Settings
from desktop_rag.storage.database import Database
from desktop_rag.storage.meta import Meta
from desktop_rag.storage.version_document import (
    VersionDocument,
    fetch_version_document,
    parsed_version_document,
)

ADDRESS = "https://updates.example/version.json"


class Desk:
    def __init__(self, database: Database) -> None:
        self.settings = Settings(update_check=True, update_address=ADDRESS)
        self.newest = "99.0"
        self.asked: list[str] = []
        self.time = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
        self.is_forbidden = False
        self.updates = UpdateCheck(
            Meta(database), lambda: self.settings, self.fetch, lambda: self.time, self.refuse
        )

    def fetch(self, url: str) -> VersionDocument:
        self.asked.append(url)
        if not self.newest:
            raise DownloadFailed("Nobody answers.")
        return VersionDocument(self.newest, "https://updates.example/")

    def refuse(self) -> None:
        if self.is_forbidden:
            raise UserError("The network is switched off in the settings.")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    database = Database(tmp_path / "library.sqlite3")
    yield Desk(database)
    database.close()


def test_a_newer_version_is_told(desk: Desk) -> None:
    found = desk.updates.check()
    assert found == UpdateFound("99.0", __version__, "https://updates.example/")
    assert found.is_newer
    desk.newest = __version__ + ".0"
    assert not desk.updates.check().is_newer


def test_without_an_address_nobody_is_asked(desk: Desk) -> None:
    desk.settings = Settings(update_check=True)
    with pytest.raises(InvalidInput, match="no address"):
        desk.updates.check()
    assert desk.updates.check_when_due() is None
    assert desk.asked == []


def test_it_is_off_by_default(desk: Desk) -> None:
    desk.settings = Settings(update_address=ADDRESS)
    assert desk.updates.check_when_due() is None
    assert desk.asked == []


def test_while_the_network_is_forbidden_nobody_is_asked(desk: Desk) -> None:
    desk.is_forbidden = True
    with pytest.raises(UserError, match="switched off"):
        desk.updates.check()
    assert desk.updates.check_when_due() is None
    assert desk.asked == []


def test_once_a_week_is_often_enough(desk: Desk) -> None:
    assert desk.updates.check_when_due() is not None
    desk.time += dt.timedelta(days=6, hours=23)
    assert desk.updates.check_when_due() is None
    assert len(desk.asked) == 1
    desk.time += dt.timedelta(hours=2)
    assert desk.updates.check_when_due() is not None
    desk.time -= dt.timedelta(days=400)  # the clock was wrong
    assert desk.updates.check_when_due() is not None


def test_nobody_hears_of_a_check_that_failed_by_itself(desk: Desk) -> None:
    desk.newest = ""
    assert desk.updates.check_when_due() is None
    with pytest.raises(DownloadFailed):
        desk.updates.check()


@pytest.mark.parametrize(
    "contents",
    [b"", b"<html>", b"[]", b'{"version": 3}', b'{"version": "new"}', b"\xff", b" " * 70_000],
)
def test_what_says_no_version_is_named(contents: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"updates\.example.*does not say a version"):
        parsed_version_document(contents, ADDRESS)


def test_only_web_addresses_are_followed_from_it() -> None:
    found = parsed_version_document(b'{"version": "1.2", "page": "file:///etc/passwd"}', ADDRESS)
    assert found == VersionDocument("1.2")


class _Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b'{"version": "2.0", "page": "https://x.example/"}'
        self.send_response(200 if self.path == "/version.json" else 404)
        self.end_headers()
        if self.path == "/version.json":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    made = http.server.HTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.mark.network_setup
def test_it_really_asks(server: str) -> None:
    found = fetch_version_document(f"{server}/version.json")
    assert found == VersionDocument("2.0", "https://x.example/")
    with pytest.raises(DownloadFailed, match="404"):
        fetch_version_document(f"{server}/elsewhere")
    with pytest.raises(DownloadFailed, match="cannot be reached"):
        fetch_version_document("http://127.0.0.1:9/version.json")
