"""Which way a paragraph runs. Pure functions, no Qt."""

from __future__ import annotations

import unicodedata


def is_right_to_left(text: str) -> bool | None:
    """Which way a paragraph runs: as its first letter does; `None` without any letter."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in {"R", "AL"}:
            return True
        if kind == "L":
            return False
    return None
