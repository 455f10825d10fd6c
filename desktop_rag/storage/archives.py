"""The one file a library can be carried away in, and put back from.

A backup is a zip of the catalog (with texts, passages and vectors), the settings and a manifest
with sizes and checksums. The search index is not in it: it is made again from the catalog without
reading or embedding anything, so a backup works on a computer that has none of the documents.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import sqlite3
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from desktop_rag import __version__, paths
from desktop_rag.domain.errors import (
    DesktopRagError,
    DiskFull,
    InvalidInput,
    LibraryDamaged,
    LibraryLocked,
    LibraryTooNew,
    NotFound,
    UserError,
)
from desktop_rag.storage import backups, flushing
from desktop_rag.storage.catalog import now
from desktop_rag.storage.database import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    named_errors,
    open_read_only,
)
from desktop_rag.storage.other_versions import in_figures
from desktop_rag.storage.sources import NOT_SEEN_HERE

FORMAT = 1
"""Of the zip. Raise it when an older program could not restore what is written."""

_KIND = "desktop-rag-backup"
_MANIFEST = "manifest.json"
_CATALOG = "library.sqlite3"
_SETTINGS = "settings.toml"
STAGING = "restore.partial"
"""Folder of a restore that is under way, or was interrupted."""
_BLOCK = 1 << 20
_MAX_MANIFEST = 1 << 20
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What reading a zip that was damaged on purpose or by accident raises."""


class Member(msgspec.Struct, frozen=True):
    """A file in the zip: bytes and SHA-256 of its contents."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says about itself."""

    kind: str
    format: int
    schema: int
    program: str
    made_at: str
    documents: int
    chunks: int
    files: dict[str, Member]


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written."""

    path: Path
    size: int
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Restored:
    """A library that was put back; `kept` is the copy of the one that was there before."""

    documents: int
    chunks: int
    made_at: str
    kept: Path | None


# ---------------------------------------------------------------------- writing


def write_backup(folder: paths.DataDir, path: Path) -> Backup:
    """Write the library of a data folder to `path`. Works while the library is open elsewhere.

    Raises:
        NotFound: there is no library, or no folder to write to.
        InvalidInput: `path` is a file that is no backup; it is never overwritten.
        LibraryDamaged, LibraryTooNew, DiskFull, UserError: nothing was written.
    """
    if not folder.database.exists():
        raise NotFound(f"There is no library in {folder.root}; nothing was backed up.")
    _check_target(path)
    with _file_errors(path), contextlib.ExitStack() as undo:
        source = undo.enter_context(contextlib.closing(open_read_only(folder.database)))
        room = 2 * backups.size_of(source)
        backups.check_room(path.parent, room, "the backup")
        snapshot = path.with_name(path.name + ".partial.sqlite3")
        archive = path.with_name(path.name + ".partial")
        for partial in (snapshot, archive):
            undo.callback(partial.unlink, missing_ok=True)
        with named_errors(folder.database):
            backups.copy_database(source, snapshot)
        manifest = _write_zip(archive, snapshot, folder.settings)
        flushing.move_into_place(archive, path)
        return Backup(path, path.stat().st_size, manifest.documents, manifest.chunks)


def _check_target(path: Path) -> None:
    if not path.parent.is_dir():
        raise NotFound(f"The folder {path.parent} does not exist; make it, then back up again.")
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder. Name a file in it, like library.zip.")
    if path.exists():
        try:
            read_manifest(path)
        except LibraryTooNew:
            return
        except DesktopRagError as error:
            raise InvalidInput(
                f"{path} exists and is no backup of Desktop RAG, so it is not overwritten. Choose "
                "another name."
            ) from error


def _write_zip(archive: Path, snapshot: Path, settings: Path) -> Manifest:
    files: dict[str, Member] = {}
    # The vectors do not shrink; level 1 takes what the texts give at a third of the time.
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for name, file in ((_CATALOG, snapshot), (_SETTINGS, settings)):
            if file.exists():
                files[name] = _add(out, name, file)
        with contextlib.closing(sqlite3.connect(snapshot)) as db:
            documents, chunks, schema = _figures(db)
        manifest = Manifest(_KIND, FORMAT, schema, __version__, now(), documents, chunks, files)
        out.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _add(out: zipfile.ZipFile, name: str, file: Path) -> Member:
    digest, size = hashlib.sha256(), 0
    with file.open("rb") as source, out.open(name, "w", force_zip64=True) as target:
        while block := source.read(_BLOCK):
            digest.update(block)
            size += len(block)
            target.write(block)
    return Member(size, digest.hexdigest())


def _figures(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Searchable documents, chunks, schema version."""
    documents, chunks = db.execute(
        "SELECT (SELECT count(*) FROM document_texts), (SELECT count(*) FROM chunks)"
    ).fetchone()
    return documents, chunks, db.execute("PRAGMA user_version").fetchone()[0]


# ---------------------------------------------------------------------- reading


def read_manifest(path: Path) -> Manifest:
    """What a backup says about itself, after a look at its outside only.

    Raises:
        NotFound: there is no such file.
        LibraryDamaged: it is no backup, or it was cut short.
        LibraryTooNew: it was written by a newer version.
    """
    if not path.is_file():
        raise NotFound(f"{path} does not exist or is no file. Name a backup to restore.")
    with _file_errors(path), _bad_zip_told(path), zipfile.ZipFile(path) as archive:
        if archive.getinfo(_MANIFEST).file_size > _MAX_MANIFEST:
            raise _no_backup(path)
        manifest = msgspec.json.decode(archive.read(_MANIFEST), type=Manifest)
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    if manifest.kind != _KIND:
        raise _no_backup(path)
    if manifest.format > FORMAT or manifest.schema > SCHEMA_VERSION:
        raise _too_new(path, manifest.schema, manifest.program)
    wanted = {name: member.size for name, member in manifest.files.items()}
    del sizes[_MANIFEST]
    if sizes != wanted or not {_CATALOG} <= wanted.keys() <= {_CATALOG, _SETTINGS}:
        raise _no_backup(path)
    return manifest


def restore(folder: paths.DataDir, path: Path, *, is_forced: bool) -> Restored:
    """Put a library from a backup, or from a copy in `backups`, into a data folder.

    The caller holds the folder's lock. Whatever ends this process leaves the old library or the new
    one. A library that is there is copied into `backups` first. Sources count as offline until most
    of their files are found again at their place, so that nothing restored is taken for deleted.

    Raises:
        InvalidInput: there is a library already and `is_forced` is not set.
        NotFound, LibraryDamaged, LibraryTooNew: of the file; nothing was changed.
        DiskFull, UserError: nothing was changed.
    """
    if not path.is_file():
        raise NotFound(f"{path} does not exist or is no file. Name a backup to restore.")
    if folder.database.exists() and not is_forced:
        raise InvalidInput(
            f"There is a library in {folder.root} already. Add --force to put the backup in its "
            f"place; a copy of what is there is kept in {backups.backups_dir(folder.root)}."
        )
    staging = folder.root / STAGING
    with _file_errors(folder.database):
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        try:
            made_at = _stage(path, staging)
            documents, chunks = _check_and_settle(staging / _CATALOG, path)
            kept = _keep_aside(folder) if folder.database.exists() else None
            _swap(folder, staging)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    return Restored(documents, chunks, made_at, kept)


def _stage(path: Path, staging: Path) -> str:
    """Unpack and check a backup; returns when it was made."""
    with path.open("rb") as file:
        is_catalog = file.read(16) == b"SQLite format 3\x00"
    if is_catalog:
        backups.check_room(staging, path.stat().st_size, "the restored library")
        shutil.copyfile(path, staging / _CATALOG)
        return ""
    manifest = read_manifest(path)
    total = sum(member.size for member in manifest.files.values())
    backups.check_room(staging, total, "the restored library")
    with _bad_zip_told(path), zipfile.ZipFile(path) as archive:
        for name, member in manifest.files.items():
            with archive.open(name) as source:
                if _unpack(source, staging / name, member.size) != member.sha256:
                    raise _damaged(path)
    return manifest.made_at


def _unpack(source: IO[bytes], target: Path, size: int) -> str:
    """Write at most `size` bytes; returns their SHA-256."""
    digest = hashlib.sha256()
    with target.open("wb") as file:
        while size > 0 and (block := source.read(min(_BLOCK, size))):
            size -= len(block)
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


def _check_and_settle(catalog: Path, origin: Path) -> tuple[int, int]:
    """Make sure that a catalog is whole and ours, and fit it for its new place."""
    try:
        with contextlib.closing(sqlite3.connect(catalog, isolation_level=None)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise _no_backup(origin)
            schema = db.execute("PRAGMA user_version").fetchone()[0]
            if schema > SCHEMA_VERSION:
                raise _too_new(origin, schema)
            if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise _damaged(origin)
            db.execute("PRAGMA journal_mode = DELETE")
            _settle(db)
            documents, chunks, _ = _figures(db)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            raise _disk_full(catalog) from error
        raise _damaged(origin) from error
    flushing.sync_file(catalog)
    return documents, chunks


def _settle(db: sqlite3.Connection) -> None:
    """Nothing of another place or time may be believed.

    Change numbers begin after all that any index can have seen: one of another library that lies in
    the folder is then known to be out of date, whenever this is interrupted.
    """
    first = time.time_ns() // 1_000_000
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE sources SET device = ?", (NOT_SEEN_HERE,))
    # What was never read holds nothing; it is met again when its source is.
    db.execute("DELETE FROM jobs")
    db.execute(
        "DELETE FROM documents WHERE state = 'queued'"
        " AND id NOT IN (SELECT document_id FROM document_texts)"
    )
    db.execute("UPDATE documents SET state = 'ready' WHERE state = 'queued'")
    if db.execute(
        "SELECT 1 FROM pragma_table_info('documents') WHERE name = 'coverage'"
    ).fetchone():
        # They are met again with their source, and so are their pages.
        db.execute(
            "UPDATE documents SET state = 'queued'"
            " WHERE json_array_length(coverage, '$.waiting') > 0"
        )
    db.execute("DELETE FROM changes")
    db.execute("DELETE FROM sqlite_sequence WHERE name = 'changes'")
    db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', ?)", (first,))
    db.execute("INSERT INTO changes (chunk_id) SELECT id FROM chunks")
    db.execute("INSERT OR REPLACE INTO meta VALUES ('pruned_through', ?)", (str(first),))
    db.execute("COMMIT")


def _keep_aside(folder: paths.DataDir) -> Path:
    """Copy the library that is there: as a catalog when it can be read, else byte by byte."""
    target = backups.backups_dir(folder.root)
    target.mkdir(exist_ok=True)
    if folder.settings.exists():
        shutil.copyfile(folder.settings, target / f"settings-{backups.stamp()}.toml")
    try:
        with contextlib.closing(sqlite3.connect(folder.database)) as db:
            if db.execute("SELECT 1 FROM sqlite_schema").fetchone():
                return backups.keep_copy(db, folder.root, "replaced")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            raise _disk_full(folder.database) from error
    name = f"damaged-{backups.stamp()}.sqlite3"
    for suffix in ("", "-wal"):
        source = folder.database.with_name(folder.database.name + suffix)
        if source.exists():
            backups.check_room(target, source.stat().st_size, "a copy of the old library")
            shutil.copyfile(source, target / (name + suffix))
    return target / name


def _swap(folder: paths.DataDir, staging: Path) -> None:
    # A deletion that was interrupted would take the restored library at the next start.
    folder.erasure.unlink(missing_ok=True)
    if folder.database.exists():
        _retire_log(folder.database)
    (staging / _CATALOG).replace(folder.database)
    flushing.sync_folder(folder.root)
    if (staging / _SETTINGS).exists():
        (staging / _SETTINGS).replace(folder.settings)
    # A cache of the old library. Should this be interrupted, its numbers give it away.
    shutil.rmtree(folder.index, ignore_errors=True)


def _retire_log(database: Path) -> None:
    """Write the log beside a catalog into it and remove it: it must not meet another catalog."""
    try:
        with contextlib.closing(sqlite3.connect(database, timeout=2.0)) as db:
            db.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LibraryLocked(
                f"The library in {database.parent} is being read by another program, a backup "
                "perhaps. Wait for it to end, then restore again."
            ) from error
        if code == sqlite3.SQLITE_FULL:
            raise _disk_full(database) from error
    for suffix in ("-wal", "-shm", "-journal"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


# ---------------------------------------------------------------------- what can be wrong


@contextlib.contextmanager
def _bad_zip_told(path: Path) -> Iterator[None]:
    try:
        yield
    except (KeyError, msgspec.MsgspecError) as error:
        raise _no_backup(path) from error
    except _ZIP_ERRORS as error:
        raise _damaged(path) from error


@contextlib.contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _disk_full(path) from error
        raise UserError(
            f"{error.filename or path} cannot be used ({os.strerror(error.errno or 0)}). Check "
            "its permissions, or choose another place."
        ) from error


def _disk_full(path: Path) -> DiskFull:
    return DiskFull(
        f"The disk that holds {path.parent} is full. Free some space and try again; the library is "
        "as it was."
    )


def _no_backup(path: Path) -> LibraryDamaged:
    return LibraryDamaged(
        f"{path} is no backup of Desktop RAG. Name a file that `desktop-rag backup` has written."
    )


def _damaged(path: Path) -> LibraryDamaged:
    return LibraryDamaged(
        f"{path} is damaged or incomplete, so nothing was restored. Copy it again from where it "
        "was kept, or use another backup."
    )


def _too_new(path: Path, schema: int, program: str = "") -> LibraryTooNew:
    figures = in_figures(schema, SCHEMA_VERSION, program)
    return LibraryTooNew(
        f"{path} was written by a newer version of Desktop RAG{figures}. Nothing was changed; "
        "update the program to restore it."
    )
