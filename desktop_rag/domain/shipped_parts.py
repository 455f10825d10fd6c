"""What the program consists of: the works of others that it brings, each under a licence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Build:
    """What was built, and from what."""

    version: str
    is_frozen: bool
    """An installed program; otherwise one that runs from its source code."""
    commit: str = ""
    date: str = ""
    """Of the commit, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part, and where its licence texts lie."""

    name: str
    version: str
    licence: str
    """An SPDX expression, or what its maker wrote; empty when nobody says."""
    kind: str = "library"
    """`program`, `library`, `system library`, `runtime` or `model`."""
    summary: str = ""
    home: str = ""
    note: str = ""
    """What a reader of the licence needs to know besides."""
    files: tuple[Path, ...] = ()
