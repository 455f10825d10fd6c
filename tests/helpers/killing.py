"""Runs code in a child that is killed, for real, at the statement of SQLite one names."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

_COUNTED = """
import sys
from tests.helpers.killing import kill_at_statement
kill_at_statement(int(sys.argv[1]))
"""


def kill_at_statement(number: int) -> None:
    """From now on, `SIGKILL` this process when its connections begin their `number`th statement."""
    connect = sqlite3.connect
    seen = 0

    def count(statement: str) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def traced(*args: object, **kwargs: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **kwargs)  # type: ignore[call-overload]
        connection.set_trace_callback(count)
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]


def run_killed_at(number: int, code: str, *arguments: str | Path) -> bool:
    """Run `code` in a child that dies at its `number`th statement; false when it ended before.

    `code` finds `arguments` in `sys.argv[2:]`.
    """
    done = subprocess.run(
        [sys.executable, "-c", _COUNTED + code, str(number), *map(str, arguments)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0
