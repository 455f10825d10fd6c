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
