"""Opens the catalog's SQLite file and hands out connections; knows nothing of what is in it.

One writer at a time (a lock in this process, `BEGIN IMMEDIATE` in the file), readers beside it
(WAL). A file from a newer version or of another program is refused before anything is written; one
from an older version is copied into `backups` and then brought up to date.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from desktop_rag import paths
from desktop_rag.domain.errors import DiskFull, LibraryDamaged, UserError
from desktop_rag.storage import backups, other_versions

SCHEMA_VERSION = 5
APPLICATION_ID = 0x44524147
"""'DRAG' in ASCII; marks the file as ours (SQLite header, bytes 68-71)."""

_BUSY_TIMEOUT_S = 10.0


class Database:
    """The catalog's file. Usable from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Readers and the pool's owner wait here for microseconds only.
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._is_closed = False
        # Other writers of this process wait here for the length of a transaction.
        self._write_lock = threading.RLock()
        with named_errors(path):
            paths.make_private(path.parent)
            _refuse_emptied(path)
            self._writer = self._open_checked()

    def _open_checked(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        # Sorting must not put a person's text into the system's folder for temporary files.
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        is_new = version == 0 and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        if not is_new:
            _refuse_foreign(connection, self._path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if is_new:
            _create(connection)
        elif version < SCHEMA_VERSION:
            other_versions.bring_up_to_date(connection, self._path.parent, version, SCHEMA_VERSION)

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection with a consistent view until the block ends."""
        connection = self._borrow()
        try:
            with named_errors(self._path):
                connection.execute("BEGIN")
                yield connection
        finally:
            connection.rollback()
            self._give_back(connection)

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed when the block ends, undone when it raises.

        Raises:
            DiskFull: nothing of the transaction was kept.
        """
        with self._write_lock, named_errors(self._path):
            if self._is_closed:
                raise sqlite3.ProgrammingError("the catalog is closed")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                self._writer.rollback()
                raise

    def _borrow(self) -> sqlite3.Connection:
        with self._pool_lock:
            if self._is_closed:
                raise sqlite3.ProgrammingError("the catalog is closed")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._pool_lock:
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close all connections; readers still at work close theirs when they finish."""
        with self._write_lock, self._pool_lock:
            self._is_closed = True
            for connection in self._idle:
                connection.close()
            self._idle.clear()
            self._writer.close()


def open_read_only(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, also while another process has the library open.

    Raises:
        LibraryDamaged: it is no catalog of this program.
        LibraryTooNew: it was written by a newer version.
        UserError: it cannot be opened.
    """
    with named_errors(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro{_immutable(path)}",
            uri=True,
            timeout=_BUSY_TIMEOUT_S,
            isolation_level=None,
        )
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA temp_store = MEMORY")
            _refuse_foreign(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _immutable(path: Path) -> str:
    """On a medium that cannot be written SQLite must be told not to look for a log.

    A catalog there may be read only if none was left behind: its last changes would be missing.
    """
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return "" if has_log or os.access(path.parent, os.W_OK) else "&immutable=1"


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise LibraryDamaged(
            f"{path} is a database of another program. Move it away, or choose another data "
            "folder with --data-dir."
        )
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise other_versions.too_new(connection, path.parent, version, SCHEMA_VERSION)


def _refuse_emptied(path: Path) -> None:
    """A catalog without a byte beside what was made from it is an accident, not a new library."""
    if not path.exists() or path.stat().st_size:
        return
    copies = backups.kept_copies(path.parent)
    if not copies and not (paths.DataDir(path.parent).index / "manifest.json").exists():
        return
    command = backups.restore_command(path.parent, copies[0] if copies else None)
    remedy = f"Restore {'the newest copy' if copies else 'a backup'} with {command}"
    raise LibraryDamaged(
        f"{path} is empty, though there was a library in it. {remedy}, or delete that file and add "
        "your folders again: your documents themselves are untouched."
    )


def _create(connection: sqlite3.Connection) -> None:
    schema = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    connection.executescript(
        f"BEGIN IMMEDIATE;\n{schema}\nPRAGMA application_id = {APPLICATION_ID};\n"
        f"{other_versions.written_by()};\nPRAGMA user_version = {SCHEMA_VERSION};\nCOMMIT;"
    )


@contextlib.contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system report into errors a person can act on."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _translated(error, path) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(path) from error
        raise UserError(
            f"The data folder {path.parent} cannot be used ({error.strerror}). Check its "
            "permissions, or choose another one with --data-dir."
        ) from error


def _translated(error: sqlite3.DatabaseError, path: Path) -> Exception:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return _disk_full(path)
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return LibraryDamaged(
            f"{path} is damaged or not a library of Desktop RAG. Restore it from a backup, or move "
            "it away and add your folders again: your documents themselves are untouched."
        )
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return UserError(
            f"The data folder {path.parent} cannot be written. Check its permissions, or choose "
            "another one with --data-dir."
        )
    if code == sqlite3.SQLITE_IOERR:
        return _disk_full(path) if _is_full(path) else _disk_fails(path)
    return error


def _disk_full(path: Path) -> DiskFull:
    return DiskFull(
        f"The disk that holds {path.parent} is full. Free some space; what is indexed is safe, and "
        "the rest goes on by itself."
    )


def _disk_fails(path: Path) -> UserError:
    return UserError(
        f"The disk that holds {path.parent} cannot be read or written. Check that it is plugged in "
        "and healthy, and try again."
    )


def _is_full(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free < 1 << 20
