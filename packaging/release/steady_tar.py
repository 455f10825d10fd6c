"""Writes tar files that hold nothing of the computer they were made on."""

from __future__ import annotations

import tarfile
from pathlib import Path
from types import TracebackType
from typing import Self


class Tar:
    """Only files; one time, one owner and two modes for all, in the order they are added.

    GNU's format has no times of access and takes long names, and every tar reads it.
    """

    def __init__(self, path: Path, epoch: int) -> None:
        self._epoch = epoch
        self._tar = tarfile.open(path, "w", format=tarfile.GNU_FORMAT)  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self._tar.close()

    def add(self, path: Path, name: str, *, is_executable: bool) -> None:
        """Add a file under this name."""
        info = tarfile.TarInfo(name)
        info.size = path.stat().st_size
        info.mtime = self._epoch
        info.mode = 0o755 if is_executable else 0o644
        with path.open("rb") as file:
            self._tar.addfile(info, file)
