"""Which files of the library are shown, and in which order. Pure functions: no Qt, no disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from desktop_rag.domain.library import FileState, LibraryFile

Key = tuple[int, str]
Row = tuple[tuple[object, str], Key, LibraryFile, str]
"""What it is sorted by, what tells it from others, the file, and what is looked for in."""


class Show(StrEnum):
    """Which states are shown."""

    ALL = "all"
    """But what was left out."""
    READY = "ready"
    WAITING = "waiting"
    FAILED = "failed"
    NOTED = "noted"
    SKIPPED = "skipped"


class SortBy(StrEnum):
    """What files are put in order by."""

    FOLDER = "folder"
    NAME = "name"
    READ = "read"
    """Newest first."""
    SIZE = "size"
    """Largest first."""
    PASSAGES = "passages"
    STATE = "state"
    """Problems first."""
    TYPE = "type"


_STATES: dict[Show, frozenset[FileState]] = {
    Show.READY: frozenset({FileState.READY}),
    Show.WAITING: frozenset({FileState.QUEUED, FileState.READING}),
    Show.FAILED: frozenset({FileState.FAILED}),
    Show.SKIPPED: frozenset({FileState.SKIPPED}),
}
_URGENCY = {
    FileState.FAILED: 0,
    FileState.READING: 1,
    FileState.QUEUED: 2,
    FileState.READY: 3,
    FileState.SKIPPED: 4,
}


@dataclass(frozen=True, slots=True)
class FileFilter:
    """What a file must be to be shown."""

    text: str = ""
    """Part of its path, title or tags, whatever the case."""
    show: Show = Show.ALL
    kind: str = ""
    """As `kind_of` gives it."""
    code: str = ""
    """Of its failure, or why it was left out."""
    places: tuple[str, ...] = ()
    """Files and folders: it is one of them or lies in one."""
    is_placed: bool = False
    """Whether `places` counts though it is empty: an empty collection holds nothing."""
    tags: tuple[str, ...] = ()

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves out anything that a plain list would show."""
        return self != FileFilter()


@dataclass(frozen=True, slots=True)
class Order:
    """How files are put in order."""

    by: SortBy = SortBy.FOLDER
    is_reversed: bool = False


def key_of(file: LibraryFile) -> Key:
    """A file keeps its number when it is renamed; one that was left out has only its path."""
    return (0, file.path) if file.state is FileState.SKIPPED else (file.id, "")


def kind_of(file: LibraryFile) -> str:
    """The ending of its name in small letters, without the dot."""
    return PurePath(file.path).suffix.lstrip(".").lower() or file.format


def searchable(file: LibraryFile) -> str:
    """What is looked for in."""
    return "\n".join((file.path, file.title, *file.tags)).casefold()


def kept(rows: list[Row], wanted: FileFilter) -> list[Row]:
    """The rows of files that are wanted, in their order.

    A pass for each condition: a function called for each of 100,000 rows would take a second.
    """
    if needle := wanted.text.strip().casefold():
        rows = [row for row in rows if needle in row[3]]
    if wanted.places or wanted.is_placed:
        exact = frozenset(wanted.places)
        below = _below(wanted.places)
        rows = [row for row in rows if row[2].path.startswith(below) or row[2].path in exact]
    if wanted.show not in (Show.ALL, Show.NOTED):
        states = _STATES[wanted.show]
        rows = [row for row in rows if row[2].state in states]
    if wanted.show is Show.NOTED:
        rows = [row for row in rows if row[2].notes]
    if wanted.code:
        rows = [row for row in rows if row[2].failure_code == wanted.code]
    if wanted.kind:
        rows = [row for row in rows if kind_of(row[2]) == wanted.kind]
    if wanted.tags:
        tags = frozenset(wanted.tags)
        rows = [row for row in rows if not tags.isdisjoint(row[2].tags)]
    return rows


def _below(places: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(place.rstrip("/\\") + end for place in places for end in {os.sep, "/", "\\"})


def sort_key(order: Order) -> Callable[[LibraryFile], tuple[object, str]]:
    """What to compare; the path decides between equals."""
    values: dict[SortBy, Callable[[LibraryFile], object]] = {
        SortBy.FOLDER: lambda _file: 0,
        SortBy.NAME: lambda file: PurePath(file.path).name.casefold(),
        SortBy.READ: lambda file: _backwards(file.indexed_at),
        SortBy.SIZE: lambda file: -file.size,
        SortBy.PASSAGES: lambda file: -file.chunks,
        SortBy.STATE: lambda file: _URGENCY[file.state],
        SortBy.TYPE: kind_of,
    }
    value = values[order.by]
    return lambda file: (value(file), file.path)


def _backwards(moment: str) -> int:
    """Later ISO dates first; those without one last."""
    digits = "".join(filter(str.isdigit, moment[:19]))
    return -int(digits or 0)
