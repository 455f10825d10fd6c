"""What lies in a folder: a walk that reads no file and follows no loop."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.errors import FileBusy, NotFound, Unreadable
from desktop_rag.storage.catalog import FileStamp

_TEMPORARY_PREFIXES = (".", "~$")
_TEMPORARY_SUFFIXES = (".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", "~")
_HASH_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file met on the walk."""

    path: str
    stamp: FileStamp


def is_ignored(name: str) -> bool:
    """Hidden files and the droppings of editors, office programs and browsers."""
    lowered = name.lower()
    return lowered.startswith(_TEMPORARY_PREFIXES) or lowered.endswith(_TEMPORARY_SUFFIXES)


def walk(
    root: Path,
    wants: Callable[[str], bool],
    excluded: Set[str],
    on_unreadable: Callable[[str], None],
) -> Iterator[FoundFile]:
    """Files below `root` whose name `wants` accepts, folder by folder, names in order.

    Paths in `excluded`, and what is below them, are passed over.

    Links to folders are not followed (loops, escapes); links to files are, under their own path.
    A folder that cannot be listed is told to `on_unreadable` and passed over.
    """
    folders = [os.fspath(root)]
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            on_unreadable(folder)
            continue
        for entry in entries:
            if is_ignored(entry.name) or entry.path in excluded or not _is_unicode(entry.path):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            elif wants(entry.name) and (found := _found(entry)):
                yield found


def _found(entry: os.DirEntry[str]) -> FoundFile | None:
    try:
        if not entry.is_file():
            return None
        info = entry.stat()
    except OSError:
        return None
    return FoundFile(entry.path, FileStamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns))


def _is_unicode(path: str) -> bool:
    """Names that are no valid text on this system cannot be stored, shown or typed."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def stamp_of(path: Path) -> FileStamp:
    """Size and time of a file.

    Raises:
        NotFound: there is no such file.
        Unreadable: the system does not let us look.
    """
    try:
        info = path.stat()
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist any more.") from error
    except OSError as error:
        raise Unreadable(
            f"{path.name} cannot be opened ({error.strerror}). Check its permissions and the drive "
            "it is on."
        ) from error
    return FileStamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hexadecimal.

    Raises:
        NotFound, Unreadable: as `stamp_of`.
        FileBusy: another program holds it.
    """
    digest = hashlib.sha256()
    try:
        # A pipe or a kernel log that is named like a document fails at once instead of waiting.
        flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            while block := file.read(_HASH_BLOCK):
                digest.update(block)
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist any more.") from error
    except BlockingIOError as error:
        raise FileBusy(f"{path.name} is in use by another program.") from error
    except OSError as error:
        raise Unreadable(
            f"{path.name} cannot be opened ({error.strerror}). Check its permissions and the drive "
            "it is on."
        ) from error
    return digest.hexdigest()


def device_of(path: Path) -> int | None:
    """Identifier of the file system a path is on; `None` when the path is not reachable."""
    try:
        return path.stat().st_dev
    except (OSError, ValueError):
        return None
