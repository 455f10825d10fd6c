"""A suite that cannot stand noise: stray warnings, logs, threads and connections fail it."""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
import sys
import threading
from collections.abc import Iterator

import hypothesis
import pytest

# A test either passes or fails on a commit; chance finds belong into `example`s.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile("steady")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

_LOCAL = {"127.0.0.1", "::1", "localhost"}
_is_local_allowed = False


def _refuse_connections(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: the network is blocked in tests, for Python code of every library."""
    if event == "socket.connect":
        sock, address = args[0], args[1]
        if isinstance(sock, socket.socket) and sock.family == getattr(socket, "AF_UNIX", None):
            return
        host = address[0] if isinstance(address, tuple) else str(address)
        if not (_is_local_allowed and host in _LOCAL):
            raise PermissionError(f"tests may not connect to {address!r}")
    elif event == "socket.getaddrinfo" and str(args[0]) not in _LOCAL | {"None"}:
        raise PermissionError(f"tests may not look up {args[0]!r}")


sys.addaudithook(_refuse_connections)


@pytest.fixture(scope="session")
def qapp_cls() -> type[object]:
    """Whichever test shows a window first makes the application of all, as the program makes it."""
    from desktop_rag.ui.program import Program

    return Program


@pytest.fixture(autouse=True)
def _network(request: pytest.FixtureRequest) -> Iterator[None]:
    """Connections to a server the test starts itself need the marker `network_setup`."""
    global _is_local_allowed
    _is_local_allowed = request.node.get_closest_marker("network_setup") is not None
    yield
    _is_local_allowed = False


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test ever touches the data folder of whoever runs it. Installed models stay reachable."""
    from desktop_rag import paths

    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(_MODELS_DIR))
    monkeypatch.setenv(paths.DATA_DIR_VARIABLE, str(tmp_path_factory.mktemp("data")))


def _installed_models() -> str:
    from desktop_rag import paths

    return str(paths.models_dir())


_MODELS_DIR = _installed_models()


@pytest.fixture(autouse=True)
def _no_stray_logs(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning in the log fails the test that caused it; `caplog.clear()` says it was expected."""
    yield
    stray = [
        record
        for record in caplog.get_records("call")
        if record.levelno >= logging.WARNING and record.name.startswith("desktop_rag")
    ]
    assert not stray, f"unexpected log records: {[record.getMessage() for record in stray]}"


@pytest.fixture(autouse=True)
def _no_stray_threads_and_processes() -> Iterator[None]:
    """What a test starts, it also ends."""
    before = set(threading.enumerate())
    yield
    for thread in threading.enumerate():
        if thread not in before and not thread.daemon:
            thread.join(timeout=5)
    left = [t for t in threading.enumerate() if t not in before and t.is_alive() and not t.daemon]
    assert not left, f"threads left running: {left}"
    children = multiprocessing.active_children()
    assert not children, f"processes left running: {children}"
