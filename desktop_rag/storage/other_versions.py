"""A catalog of another version: an older one is brought up to date, a newer one is left alone.

Before an older one is changed it is copied into `backups`, and the copy is read through. So is the
way back: an older program that meets a newer catalog names the copy that it can read.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.domain.errors import LibraryDamaged, LibraryTooNew
from desktop_rag.storage import backups, migrations

_PROGRAM = "program"
"""In the table `meta`: the version of the program that gave the catalog its schema."""
_COPY_NAME = re.compile(r"library-v(\d{1,9})-(\d{4})(\d\d)(\d\d)T\d+Z\.sqlite3")
_PROGRAM_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")


def bring_up_to_date(
    connection: sqlite3.Connection, data_dir: Path, version: int, target: int
) -> None:
    """Copy the catalog of a data folder, check the copy, and give it the schema `target`.

    Raises:
        DiskFull: there is no room for the copy; nothing was changed.
        LibraryDamaged: the catalog is damaged, or a step failed; nothing was changed.
    """
    copy = _checked_copy(connection, data_dir, version)
    try:
        migrations.upgrade(connection, version, target, written_by())
    except sqlite3.OperationalError as error:
        # Who tries again and again must not lose the copies of other versions.
        backups.keep_newest(data_dir, f"v{version}")
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_ERROR:
            raise
        raise LibraryDamaged(
            f"The library in {data_dir} could not be brought up to date ({error}). "
            f"Nothing was changed, and {copy} is a copy of it: check it with `desktop-rag "
            "doctor --full`."
        ) from error
    backups.keep_newest(data_dir, "v[0-9]*")


def _checked_copy(connection: sqlite3.Connection, data_dir: Path, version: int) -> Path:
    copy = backups.keep_whole_copy(connection, data_dir, f"v{version}")
    if copy is None:
        raise LibraryDamaged(
            f"The library in {data_dir} is of an older version and damaged, so it was not brought "
            "up to date and nothing was changed. Restore a backup with "
            f"{backups.restore_command(data_dir, None)}, or move the library away and add your "
            "folders again: your documents themselves are untouched."
        )
    return copy


def written_by() -> str:
    """The statement that notes which program gave a catalog its schema."""
    return f"INSERT OR REPLACE INTO meta VALUES ('{_PROGRAM}', '{__version__}')"


def too_new(
    connection: sqlite3.Connection, data_dir: Path, version: int, readable: int
) -> LibraryTooNew:
    """What a program that reads schemas up to `readable` says of one of `version`."""
    details = {"version": str(version), "readable": str(readable), "program": _program(connection)}
    sentence = (
        f"The library in {data_dir} was written by a newer version of Desktop RAG"
        f"{in_figures(version, readable, details['program'])}. Nothing was changed; update the "
        "program to open it."
    )
    if (copy := _copy_for(data_dir, readable)) is None:
        return LibraryTooNew(sentence, **_known(details))
    path, day = copy
    return LibraryTooNew(
        f"{sentence} Or go back to the copy that was made on {day}, without what came later: "
        f"{backups.restore_command(data_dir, path)}.",
        **_known({**details, "copy": str(path), "copied": day}),
    )


def in_figures(version: int, readable: int, program: str) -> str:
    """Both versions in brackets, for a sentence."""
    theirs = f"{program}, " if _PROGRAM_VERSION.fullmatch(program) else ""
    ours = f"this is {__version__}, which reads up to {readable}"
    return f" ({theirs}library format {version}; {ours})"


def _program(connection: sqlite3.Connection) -> str:
    """Who wrote a catalog of whatever schema; empty where it does not tell."""
    with contextlib.suppress(sqlite3.Error):
        row = connection.execute("SELECT value FROM meta WHERE key = ?", (_PROGRAM,)).fetchone()
        if row and _PROGRAM_VERSION.fullmatch(str(row[0])):
            return str(row[0])
    return ""


def _copy_for(data_dir: Path, readable: int) -> tuple[Path, str] | None:
    """The newest copy that this program can read, made before an upgrade; and its day."""
    for path in backups.kept_copies(data_dir):
        found = _COPY_NAME.fullmatch(path.name)
        if found and int(found[1]) <= readable:
            return path, f"{found[2]}-{found[3]}-{found[4]}"
    return None


def _known(details: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in details.items() if value}
