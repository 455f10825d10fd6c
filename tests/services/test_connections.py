"""The count over all processes, the look into the system's table, and the switch."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag import network, paths
from desktop_rag.app import App
from desktop_rag.domain.errors import Cancelled, DesktopRagError, NetworkForbidden
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.network import Record, Use, UseKind
from desktop_rag.services.connections import Connections
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from tests.helpers.model_server import Server
from tests.helpers.model_shelf import BIG, Shelf

_LISTENS = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def _allowed() -> Iterator[None]:
    yield
    network.forbid(is_forbidden=False)


def _connections(record: Record, *workers: WorkerFacts) -> Connections:
    return Connections(lambda: workers, lambda _: None, record)


def test_the_systems_table_shows_what_native_code_of_a_worker_does() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _LISTENS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        port = child.stdout.readline().strip()
        record = Record()
        seen = _connections(record, WorkerFacts("parse", "ready", child.pid))
        seen.look()
        seen.look()
        child.communicate()
    found = [(one.process, one.kind, one.target) for one in record.uses()]
    assert ("parse", UseKind.LISTENING, f"127.0.0.1:{port}") in found
    assert record.count == len(found) == len(set(found)), "each is counted once"


def test_what_a_hook_told_is_not_counted_again() -> None:
    record = Record()
    with socket.create_server(("127.0.0.1", 0)) as server:
        target = f"127.0.0.1:{server.getsockname()[1]}"
        record.add(Use(0.0, network.process_name(), UseKind.LISTENING, target))
        seen = _connections(record)
        seen.look()
    assert [one.target for one in record.uses()].count(target) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX sockets")
def test_local_sockets_of_native_code_are_listed_and_not_counted(tmp_path: Path) -> None:
    record = Record()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "one"))
        server.listen()
        _connections(record).look()
    assert str(tmp_path / "one") in [one.target for one in record.local()]
    assert record.count == 0


def test_a_worker_that_is_gone_is_passed_over() -> None:
    record = Record()
    _connections(record, WorkerFacts("parse", "ready", 2**22 + 1)).look()
    assert all(one.process != "parse" for one in record.uses())


def test_protection_is_told_of_running_workers_only() -> None:
    workers = (
        WorkerFacts("parse", "ready", os.getpid(), is_sealed=True),
        WorkerFacts("index", "ready", os.getpid()),
        WorkerFacts("llm", "stopped"),
    )
    activity = _connections(Record(), *workers).activity()
    assert activity.protection.sealed == ("parse",)
    assert activity.protection.hooked == ("index",)
    assert (activity.count, activity.refused, activity.uses) == (0, 0, ())


def test_the_watch_ends_with_the_program() -> None:
    seen = _connections(Record())
    seen.watch()
    seen.watch()
    assert [one.name for one in threading.enumerate()].count("connection-watch") == 1
    seen.close()
    assert "connection-watch" not in [one.name for one in threading.enumerate()]


@pytest.mark.usefixtures("_allowed")
def test_the_switch_is_kept_and_keeps_models_from_being_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))
    with App.open(tmp_path) as app:
        app.connections.forbid(True)
        assert network.is_forbidden()
        assert app.settings().forbid_network
    network.forbid(is_forbidden=False)
    with App.open(tmp_path) as app:
        assert app.connections.is_forbidden, "also after a restart"
        missing = next(m.id for m in app.models.entries() if m.role == "llm" and not m.path)
        with pytest.raises(NetworkForbidden):
            app.models.install(missing, url="https://example.org/model.gguf")
        app.connections.forbid(False)
    assert not network.is_forbidden()


@pytest.mark.network_setup
@pytest.mark.usefixtures("_allowed")
def test_a_download_is_noted_with_its_reason_and_ends_when_the_network_is_forbidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network.install("program")
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    shelf = Shelf(tmp_path)
    server = Server(shelf.big)
    server.hold_after = 100_000
    before = network.record.count
    errors: list[DesktopRagError] = []

    def install() -> None:
        try:
            shelf.library().install(BIG, url=server.url)
        except DesktopRagError as error:
            errors.append(error)

    thread = threading.Thread(target=install)
    thread.start()
    deadline = time.monotonic() + 10
    while network.record.count == before:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    network.forbid(is_forbidden=True)
    server.gate.set()
    thread.join(10)
    server.close()
    assert not thread.is_alive()
    assert [type(one) for one in errors] == [Cancelled]
    used = [one for one in network.record.uses() if one.reason == BIG]
    assert used
    assert used[0].target == server.url.split("/")[2]
