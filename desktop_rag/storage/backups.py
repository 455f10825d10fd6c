"""Copies of the catalog that the program keeps by itself, in the data folder's `backups`.

A copy is made before anything that changes a library as a whole: an upgrade of its schema, a
restore over it. It is complete or not there: it is written under another name, flushed to disk and
moved into place. `storage.archives` writes the files a person keeps elsewhere.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.domain.errors import DiskFull
from desktop_rag.paths import is_default_data_dir
from desktop_rag.storage.flushing import move_into_place

KEPT = 3
"""Newest copies of one kind that stay."""

_SPARE_ROOM = 16 << 20
_PARTIAL = ".partial"


def backups_dir(data_dir: Path) -> Path:
    """Where the copies of a library lie."""
    return data_dir / "backups"


def kept_copies(data_dir: Path) -> list[Path]:
    """Complete copies, the newest first."""
    found = backups_dir(data_dir).glob("library-*.sqlite3")
    return sorted(found, key=lambda path: (path.stem.rsplit("-", 1)[-1], path.name), reverse=True)


def restore_command(data_dir: Path, copy: Path | None) -> str:
    """What a person types to go back to a copy, or to a backup of theirs.

    It names the data folder unless it is the usual one: the library there is another.
    """
    file = _quoted(copy) if copy is not None else "FILE"
    place = "" if is_default_data_dir(data_dir) else f" --data-dir {_quoted(data_dir)}"
    return f"`desktop-rag restore {file} --force{place}`"


def _quoted(path: Path) -> str:
    return f'"{path}"' if " " in str(path) else str(path)


def keep_copy(source: sqlite3.Connection, data_dir: Path, kind: str) -> Path:
    """Copy an open catalog into `backups` as `library-KIND-TIME.sqlite3`; the newest three stay.

    Raises:
        DiskFull: there is no room for it; nothing was written.
    """
    path = _copied(source, data_dir, kind)
    keep_newest(data_dir, kind)
    return path


def keep_whole_copy(source: sqlite3.Connection, data_dir: Path, kind: str) -> Path | None:
    """The same, if the copy is whole; else none is kept, and those of before stay.

    Raises:
        DiskFull: there is no room for it; nothing was written.
    """
    path = _copied(source, data_dir, kind)
    if not is_whole(path):
        path.unlink()
        return None
    return path


def _copied(source: sqlite3.Connection, data_dir: Path, kind: str) -> Path:
    folder = backups_dir(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    check_room(folder, size_of(source), "a copy of the library, which is made first")
    path = folder / f"library-{kind}-{stamp()}.sqlite3"
    copy_database(source, path)
    return path


def keep_newest(data_dir: Path, kinds: str) -> None:
    """Remove all copies but the newest three of these kinds (a pattern of file names)."""
    of_kind = f"library-{kinds}-*.sqlite3"
    for old in [path for path in kept_copies(data_dir) if path.match(of_kind)][KEPT:]:
        old.unlink()


def is_whole(path: Path) -> bool:
    """Read a catalog through. It takes a second for 300 MB."""
    try:
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as db:
            return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """Copy an open database to a new file in one piece, on disk when it returns.

    Other connections may write meanwhile; the copy holds what was committed when it began.
    """
    partial = path.with_name(path.name + _PARTIAL)
    partial.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(partial)) as target:
            source.backup(target)
            # One file, without a log beside it.
            target.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    move_into_place(partial, path)


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes of an open database, with what its log holds."""
    pages = int(connection.execute("PRAGMA page_count").fetchone()[0])
    return pages * int(connection.execute("PRAGMA page_size").fetchone()[0])


def check_room(folder: Path, size: int, purpose: str) -> None:
    """Make sure that `size` more bytes fit.

    Raises:
        DiskFull: with both figures.
    """
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE_ROOM:
        raise DiskFull(
            f"There is no room for {purpose}: it needs {(size + _SPARE_ROOM) // 10**6 + 1} MB in "
            f"{folder} and {free // 10**6} MB are free. Free some space and try again; nothing "
            "was changed."
        )


def stamp() -> str:
    """The time now for a file's name; names sort by it."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")


def partial_files(data_dir: Path) -> Iterator[Path]:
    """What a copy that was interrupted left behind."""
    return backups_dir(data_dir).glob(f"*{_PARTIAL}*")
