"""A file that only grows, and only by whole pieces that are on disk."""

from __future__ import annotations

import os
from pathlib import Path


class AppendLog:
    """Opened for appending; created when missing. Not thread-safe.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        # Unbuffered: what a full disk refused must not be written later, behind our back.
        self._file = path.open("ab", buffering=0)
        self.size = self._file.tell()

    def append(self, data: bytes) -> None:
        """On disk when it returns; when it fails the file is as it was.

        Raises:
            OSError: no room, or the disk fails.
        """
        if not data:
            return
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(self.size)
            raise
        self.size += len(data)

    def cut(self, size: int) -> None:
        """Drop everything behind `size` bytes."""
        if size < self.size:
            self._file.truncate(size)
            self.size = size

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
