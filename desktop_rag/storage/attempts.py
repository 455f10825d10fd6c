"""Remembers over the end of the process that something was tried and never came to an end."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from desktop_rag import paths

MOST = 2
"""One unfinished attempt may be a person who closed the window; two are a driver that crashes."""
_REMEMBERED_S = 7 * 86400.0
"""Then it may be another driver, or they were two people who closed the window."""


class Attempts:
    """A counter in a small file. Where it cannot be written, every attempt is the first."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def may_begin(self) -> bool:
        """Whether it is worth trying again."""
        return self._unfinished() < MOST

    def begin(self) -> None:
        """It is tried now; whatever ends the process before `end` counts against it."""
        with contextlib.suppress(OSError):
            paths.make_private(self._file.parent)
            self._file.write_text(str(self._unfinished() + 1), encoding="utf-8")

    def end(self) -> None:
        """It came to an end, good or bad, and nothing crashed."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)

    def _unfinished(self) -> int:
        with contextlib.suppress(OSError, ValueError):
            if time.time() - self._file.stat().st_mtime < _REMEMBERED_S:
                return int(self._file.read_text(encoding="utf-8"))
        return 0
