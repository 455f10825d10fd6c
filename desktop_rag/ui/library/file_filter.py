"""Which files of the library are shown, and in which order. Pure functions: no Qt, no disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from desktop_rag.domain.library import FileState, LibraryFile

Key = tuple[int, str]


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
    Show.ALL: frozenset(FileState) - {FileState.SKIPPED},
    Show.READY: frozenset({FileState.READY}),
    Show.WAITING: frozenset({FileState.QUEUED, FileState.READING}),
    Show.FAILED: frozenset({FileState.FAILED}),
    Show.NOTED: frozenset(FileState) - {FileState.SKIPPED},
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


def predicate(wanted: FileFilter) -> Callable[[LibraryFile, str], bool]:
    """Whether a file with this `searchable` text is shown."""
    states = _STATES[wanted.show]
    needle = wanted.text.strip().casefold()
    checks: list[Callable[[LibraryFile, str], bool]] = []
    if needle:
        checks.append(lambda _file, hay: needle in hay)
    if wanted.show is Show.NOTED:
        checks.append(lambda file, _hay: bool(file.notes))
    if wanted.kind:
        checks.append(lambda file, _hay: kind_of(file) == wanted.kind)
    if wanted.code:
        checks.append(lambda file, _hay: file.failure_code == wanted.code)
    if wanted.places or wanted.is_placed:
        checks.append(_placed(wanted.places))
    if wanted.tags:
        tags = frozenset(wanted.tags)
        checks.append(lambda file, _hay: not tags.isdisjoint(file.tags))

    def is_wanted(file: LibraryFile, hay: str) -> bool:
        return file.state in states and all(check(file, hay) for check in checks)

    return is_wanted


def _placed(places: tuple[str, ...]) -> Callable[[LibraryFile, str], bool]:
    exact = frozenset(places)
    below = tuple(place.rstrip("/\\") + end for place in places for end in {os.sep, "/", "\\"})
    return lambda file, _hay: file.path in exact or file.path.startswith(below)


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
