"""A note beside the library's lock: which process has it, for who waits for the library.

It is only a hint; the lock itself decides. After a crash it names a process that is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from desktop_rag.paths import DataDir

_COMMAND = re.compile(r"[a-z][a-z-]{0,20}")


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has the library open."""

    pid: int
    command: str
    """First word of the command, e.g. `add`; empty for the window."""


class HolderNote:
    """Written and taken away by who has the lock. A disk that is full or read-only is no matter."""

    def __init__(self, folder: DataDir) -> None:
        self._path = folder.holder

    def write(self) -> None:
        """This process has it."""
        note = {"pid": os.getpid(), "command": command_of(sys.argv[1:])}
        with contextlib.suppress(OSError):
            self._path.write_text(json.dumps(note), encoding="utf-8")

    def remove(self) -> None:
        """Nobody has it any more."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def read(self) -> Holder | None:
        """Who has it; `None` when that is not known, or the process is gone."""
        try:
            note = json.loads(self._path.read_text(encoding="utf-8"))
            holder = Holder(int(note["pid"]), str(note["command"]))
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return holder if psutil.pid_exists(holder.pid) else None


def command_of(argv: Sequence[str]) -> str:
    """The command's name and nothing that was asked."""
    words = iter(argv)
    for word in words:
        if word == "--data-dir":
            next(words, None)
        elif not word.startswith("-"):
            return word if _COMMAND.fullmatch(word) and word != "open" else ""
    return ""
