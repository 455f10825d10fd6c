"""Runs code in a child that is killed, for real, at the step one names.

A step is a statement of SQLite, or what Python does to a file whose path holds a given word.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

_COUNTED = """
import sys
from tests.helpers.killing import kill_at_step
kill_at_step(int(sys.argv[1]), sys.argv[2])
"""

_FILE_EVENTS = frozenset(
    {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree", "shutil.copyfile"}
)


def kill_at_step(number: int, word: str = "") -> None:
    """From now on, `SIGKILL` this process when it begins its `number`th step.

    Steps on files count when `word` is part of the path; without a word only statements count.
    """
    connect = sqlite3.connect
    seen = 0

    def count(_: str = "") -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_event(event: str, args: tuple[object, ...]) -> None:
        if event in _FILE_EVENTS and any(word in str(arg) for arg in args[:2]):
            count()

    def traced(*args: object, **kwargs: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **kwargs)  # type: ignore[call-overload]
        connection.set_trace_callback(count)
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]
    if word:
        sys.addaudithook(on_event)


def run_killed_at(number: int, code: str, *arguments: str | Path, word: str = "") -> bool:
    """Run `code` in a child that dies at its `number`th step; false when it ended before.

    `code` finds `arguments` in `sys.argv[3:]`.
    """
    done = subprocess.run(
        [sys.executable, "-c", _COUNTED + code, str(number), word, *map(str, arguments)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0
