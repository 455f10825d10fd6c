"""Deletes a data folder's contents: what is ours by name, and nothing else. Links are not followed.

What is to be deleted is written down first, in a file that goes last: whatever ends the program in
between, the next start goes on. Everything runs while the library's lock is held.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import filelock

from desktop_rag.paths import DataDir, is_default_data_dir, portable_dir
from desktop_rag.storage.model_files import read_json, write_json

_OURS: dict[str, tuple[str, ...]] = {
    "": (
        "library.sqlite3",
        "library.sqlite3-*",
        "library.sqlite3.partial*",
        "library.offer*",
        "library.holder",
        "answers.kept*",
        "settings.toml",
        "settings.toml.partial",
        "window.ini*",
        "restore.partial",
        "erase.pending.tmp",
    ),
    "logs": (
        "desktop-rag.log",
        "desktop-rag.log.[0-9]",
        "worker-*.log",
        "crash-[0-9]*.txt",
        "seen-crash-[0-9]*.txt",
    ),
    "backups": ("library-*.sqlite3*",),
    "index": (
        "index.lock",
        "manifest.json*",
        "words.txt*",
        "keywords",
        "matrix",
        "vectors",
    ),
}
"""By folder: files, and folders of which everything is ours. A data folder may be somebody's home,
so a name is one that the program gives, not one that it might."""
_MODELS = (
    ".*.lock",
    "choice.json*",
    "speeds.json*",
    "gpu.attempts",
    "processor.json*",
    "probe.log",
    "probe.old.log",
    "adding-????????",
)
"""What lies beside models and belongs to none."""
_PORTABLE = ("qt", "temporary")
"""Folders of a portable program, which has its data folder for itself."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What a deletion left: names that are not ours, or that could not be deleted."""

    left: tuple[Path, ...]


def request(folder: DataDir, *, with_models: bool) -> None:
    """Write down that everything is to be deleted once the library is closed."""
    write_json(folder.erasure, {"models": with_models})


def is_requested(folder: DataDir) -> bool:
    """Whether a deletion waits, or was interrupted."""
    return folder.erasure.exists()


def is_data_folder(folder: DataDir) -> bool:
    """Whether what bears our names in it is ours: it holds a library, or is where it is kept."""
    is_there = folder.database.exists() or is_requested(folder)
    return is_there or is_default_data_dir(folder.root)


def wants_models(folder: DataDir) -> bool:
    """Whether installed models are to be deleted with it; not when that cannot be read."""
    told = read_json(folder.erasure)
    return isinstance(told, dict) and told.get("models") is True


def erase(folder: DataDir) -> Erased:
    """Delete what is ours, then the note that asked for it. The lock stays until `vacate`."""
    for name, patterns in _OURS.items():
        _delete_in(folder.root / name, patterns)
    for name in filter(None, _OURS):
        _remove_empty(folder.root / name)
    if folder.root == portable_dir():
        _delete_in(folder.root, _PORTABLE)
    folder.erasure.unlink(missing_ok=True)
    return Erased(tuple(_left(folder)))


def erase_beside_models(models: Path) -> None:
    """Delete what the program wrote beside models, and their folder when nothing else is in it."""
    _delete_in(models, _MODELS)
    _remove_empty(models)


def vacate(folder: DataDir) -> None:
    """After the lock was let go: delete its file, and the folder if nothing foreign is in it.

    Not if somebody else has opened the library meanwhile; so the file goes while it is held, but on
    Windows, where that cannot be done: nor can a file be deleted there that somebody else holds.
    """
    lock = filelock.FileLock(folder.lock)
    with contextlib.suppress(OSError, filelock.Timeout):
        with lock.acquire(timeout=0):
            if os.name == "posix":
                folder.lock.unlink()
        if os.name != "posix":
            folder.lock.unlink(missing_ok=True)
        folder.root.rmdir()


def _delete_in(place: Path, patterns: tuple[str, ...]) -> None:
    """Entries of a folder by name. A link to a folder is deleted itself, never what it names."""
    if place.is_symlink() and place.name in _OURS:
        with contextlib.suppress(OSError):
            place.unlink()
        return
    for entry in _entries(place):
        if not any(fnmatch(entry.name, pattern) for pattern in patterns):
            continue
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)  # follows no link either
            else:
                Path(entry.path).unlink()


def _entries(place: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as listing:
            return list(listing)
    except OSError:
        return []


def _remove_empty(place: Path) -> None:
    with contextlib.suppress(OSError):
        place.rmdir()


def _left(folder: DataDir) -> Iterator[Path]:
    """Everything that is there but the lock and the models, which have rules of their own."""
    for entry in _entries(folder.root):
        if entry.name not in {folder.lock.name, "models"}:
            yield Path(entry.path)
