"""Makes what was written survive a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def move_into_place(partial: Path, path: Path) -> None:
    """Give a finished file its name in one step; it survives a power cut when this returns."""
    sync_file(partial)
    partial.replace(path)
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Flush a file to disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk (new names, renames), where the system has such a thing."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
