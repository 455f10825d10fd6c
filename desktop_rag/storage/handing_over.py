"""Hands a library from a process that has it open without need to one that wants it.

The lock says that a library is open, this file beside it that its holder would let go when asked.
It belongs to whoever has the lock, who also clears away what a crash left behind.
"""

from __future__ import annotations

import contextlib

from desktop_rag.paths import DataDir

_ASKED = b"wanted"


class HandingOver:
    """The note between two processes."""

    def __init__(self, folder: DataDir) -> None:
        self._note = folder.offer

    def offer(self) -> None:
        """Say, as the holder, that others need only ask. A full disk makes that impossible."""
        with contextlib.suppress(OSError):
            self._note.write_bytes(b"")

    def withdraw(self) -> None:
        """Say nothing more."""
        with contextlib.suppress(OSError):
            self._note.unlink(missing_ok=True)

    def is_asked_for(self) -> bool:
        """Whether another process waits for the library; for its holder."""
        try:
            return self._note.stat().st_size > 0
        except OSError:
            return False

    def ask(self) -> bool:
        """Ask the holder to let go; false when it made no offer."""
        try:
            with self._note.open("r+b") as note:
                note.write(_ASKED)
        except OSError:
            return False
        return True
