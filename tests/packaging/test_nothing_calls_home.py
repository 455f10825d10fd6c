"""The short form of `build.py prove`: this checkout's program, without a network, under strace.

In full, with the packages in a clean root and a real window: `packaging/build.py prove`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from proof.calls import Tally, read

from desktop_rag import paths
from tests.end_to_end.documents import make_documents
from tests.packaging import session_in_window

ROOT = Path(__file__).resolve().parents[2]
SMALL_LLM = "qwen2.5-coder-0.5b-instruct-q4_k_m"
ELSEWHERE = "192.0.2.1"
"""Belongs to nobody."""
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="strace is a program of Linux"),
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
    pytest.mark.timeout(600),
]


@pytest.fixture(scope="module")
def without_network() -> list[str]:
    """What puts a command into a network without any interface."""
    command = ["unshare", "--map-root-user", "--net"]
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no network name space may be made here: {tried.stderr.strip()}")
    return command


def watched(
    without_network: Sequence[str], folder: Path, words: Sequence[str], **variables: str
) -> tuple[subprocess.CompletedProcess[str], Tally]:
    """Run Python with these words; returns what it said and what it did on the network."""
    trace = folder / "network.strace"
    watch = ["strace", "-f", "-qq", "-e", "trace=network,io_uring_setup", "-o", str(trace)]
    done = subprocess.run(
        [*watch, *without_network, sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, read(trace)


def assert_silent(tally: Tally) -> None:
    attempts = [f"{call.name}({call.text}" for call in (*tally.attempts, *tally.made)]
    assert attempts == []
    assert tally.to_the_kernel == []
    # Each worker asks for one socket to know that it is refused: they were there, and sealed.
    assert len(tally.refused) >= 3


def test_a_connection_is_counted(without_network: list[str], tmp_path: Path) -> None:
    code = f"import socket; socket.create_connection(('{ELSEWHERE}', 80), 5)"
    done, tally = watched(without_network, tmp_path, ["-c", code])
    assert "unreachable" in done.stderr
    assert [(call.name, call.family) for call in tally.attempts] == [("connect", "AF_INET")]
    assert len(tally.made) == 1


def test_what_a_sealed_worker_tries_is_seen_although_it_is_refused(
    without_network: list[str], tmp_path: Path
) -> None:
    code = (
        "from desktop_rag.workers.no_sockets import refuse_sockets; import socket\n"
        "assert refuse_sockets()\n"
        "try: socket.socket()\n"
        "except PermissionError: pass"
    )
    done, tally = watched(without_network, tmp_path, ["-c", code])
    assert done.returncode == 0, done.stderr
    assert len(tally.refused) == 2  # its own try, and this one
    assert not tally.made


def test_a_session_in_the_window_reaches_for_no_network(
    without_network: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Drop a folder with a scan, ask, click the citations, look at what is marked."""
    make_documents(tmp_path / "House rules")
    file = Path(session_in_window.__file__)
    words = ["-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "-k", "quoted", str(file)]
    started = time.monotonic()
    done, tally = watched(
        without_network,
        tmp_path,
        words,
        **{session_in_window.FOLDER: str(tmp_path / "House rules")},
    )
    assert done.returncode == 0, done.stdout[-4000:]
    tell(capsys, "A session in the window", tally, started)
    assert_silent(tally)


def test_the_sample_documents_are_asked_without_a_network(
    without_network: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the small language model when it is installed; else answers are quoted."""
    is_there = any(paths.models_dir().glob(f"**/{SMALL_LLM}*.gguf"))
    variables = {"DESKTOP_RAG_LLM": SMALL_LLM} if is_there else {}
    words = ["-m", "desktop_rag", "--data-dir", str(tmp_path / "data"), "try"]
    started = time.monotonic()
    done, tally = watched(without_network, tmp_path, words, **variables)
    assert done.returncode == 0, done.stderr
    assert "aurora-heat-pump-manual.pdf, page" in done.stdout
    assert "could not find an answer" in done.stdout
    by = SMALL_LLM if is_there else "no language model: none is installed"
    tell(capsys, f"The sample documents ({by})", tally, started)
    assert_silent(tally)


def tell(capsys: pytest.CaptureFixture[str], what: str, tally: Tally, started: float) -> None:
    number = len(tally.attempts) + len(tally.made)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{what} under strace: {number} attempts to reach a network; "
            f"{len(tally.refused)} workers tested their seal; {time.monotonic() - started:.0f} s\n"
        )
