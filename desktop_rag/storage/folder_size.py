"""Estimates what a folder would bring to a library: a quick look that gives up in time."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.storage.folders import is_ignored, suffix_of


@dataclass(frozen=True, slots=True)
class FolderSize:
    """Files that could be read, and their bytes. Rules in ignore files are not looked at."""

    files: int
    n_bytes: int
    is_all: bool
    """Everything was looked at; else there is more."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a look gives up."""

    entries: int = 50_000
    seconds: float = 4.0


def size_of_folder(
    folder: Path,
    suffixes: Collection[str],
    is_cancelled: Callable[[], bool] = lambda: False,
    limits: Limits = Limits(),
) -> FolderSize:
    """Count the files of a folder that have one of these endings. No link is followed.

    A folder that cannot be listed counts as empty.
    """
    deadline = time.monotonic() + limits.seconds
    waiting, files, n_bytes, seen = [str(folder)], 0, 0, 0
    while waiting:
        for entry in _listed(waiting.pop()):
            seen += 1
            if seen > limits.entries or is_cancelled() or time.monotonic() > deadline:
                return FolderSize(files, n_bytes, is_all=False)
            if is_ignored(entry.name):
                continue
            info = _info(entry)
            if info is None:
                continue
            if stat.S_ISDIR(info.st_mode):
                waiting.append(entry.path)
            elif stat.S_ISREG(info.st_mode) and suffix_of(entry.name) in suffixes:
                files += 1
                n_bytes += info.st_size
    return FolderSize(files, n_bytes, is_all=True)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return list(listing)
    except OSError:
        return []


def _info(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None
