"""A part of the program: what others made and it brings along, under a licence of its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Kind(StrEnum):
    """What a part is to the program."""

    PROGRAM = "program"
    LIBRARY = "library"
    SYSTEM = "system library"
    RUNTIME = "runtime"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Text:
    """A licence text: where it is now, and its place below `resources/licences`."""

    path: Path
    place: str


@dataclass(frozen=True, slots=True)
class Inner:
    """What was compiled into a part, as its makers tell."""

    name: str
    version: str
    licence: str
    """As its makers wrote it; empty when they did not."""
    purl: str = ""
    authors: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One part. Two are the same when their keys are."""

    key: str
    name: str
    version: str
    kind: Kind
    licence: str
    """An SPDX expression."""
    texts: tuple[Text, ...] = ()
    summary: str = ""
    home: str = ""
    note: str = ""
    """What a reader of its licence needs to know besides."""
    purl: str = ""
    where: str = ""
    """A folder below `_internal`: the part is there when this is."""
    inner: tuple[Inner, ...] = ()
