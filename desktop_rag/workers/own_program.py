"""Notices that the program was replaced while it runs: by an update, or by moving its folder.

A worker is the program started once more. After an update that would be another version, which
need not understand what this one says, and might write files this one cannot read.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.errors import RoleUnavailable


def _seen(file: Path) -> tuple[int, int, int] | None:
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


class OwnProgram:
    """The executable as it was when this was made: early in the life of a process."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._first = _seen(file) if file is not None else None

    def require_unchanged(self, role: str) -> None:
        """Call this before a worker is started.

        Raises:
            RoleUnavailable: it would be one of another version, or none.
        """
        if self._file is not None and self._first != _seen(self._file):
            raise RoleUnavailable(
                "Desktop RAG was updated or moved while it was open. Quit it and start it again; "
                "until then it cannot do everything.",
                role=role,
            )


def this_program() -> OwnProgram:
    """The frozen one; a checkout is whatever its files are."""
    return OwnProgram(Path(os.path.realpath(sys.executable)) if paths.is_frozen() else None)


own_program = this_program()
