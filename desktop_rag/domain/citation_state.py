"""How the file behind a citation stands today."""

from __future__ import annotations

from enum import StrEnum


class CitationState(StrEnum):
    """Compared with the file as it was quoted."""

    AS_READ = "as read"
    CHANGED = "changed"
    """The file on disk is another one now; it was not read again yet."""
    READ_AGAIN = "read again"
    """It changed and was read again since."""
    GONE = "gone"
    """The library knows the file, but it is not where it was."""
    REMOVED = "removed"
    """It is not in the library any more."""
