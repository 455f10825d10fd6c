"""Selects a path and all that lies below it, in SQL over a column `path`."""

from __future__ import annotations

import os


def within(path: str) -> tuple[str, tuple[str, str, str]]:
    """A condition with its three values. A range, so that an index on `path` serves it."""
    folder = path.rstrip(os.sep)
    # Everything that begins with "folder/".
    return "(path = ? OR (path > ? AND path < ?))", (
        path,
        folder + os.sep,
        folder + chr(ord(os.sep) + 1),
    )


def is_storable(path: str) -> bool:
    """Whether the catalog can hold a path: on Linux a name need not be text, and is added never."""
    return not any("\ud800" <= character <= "\udfff" for character in path)
