"""The count over all processes, the look into the system's table, and the switch."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag import network, paths
from desktop_rag.app import App
from desktop_rag.domain.errors import NetworkForbidden
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.network import Record, Use, UseKind
from desktop_rag.services.connections import Connections

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
