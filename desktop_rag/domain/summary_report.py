"""Says what a summary was made from: all pages, or which share, and what all would take."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """How much of what was to be summarised a language model has read."""

    name: str
    """Of the whole, for a person: `handbook.pdf`, `35 files`."""
    pages: int
    """Of the whole; 0 for formats without."""
    parts: int
    read: int
    """Of the parts."""
    is_stopped: bool = False
    part_s: float = 0.0
    """Seconds a part takes."""
    is_named: bool = True
    """Whether `name` would be understood in a question: `35 files` would not."""
    is_sampled: bool = False
    """Whether even the central sentences were looked for in a sample only."""


def scope_note(reading: Reading) -> str:
    """One sentence on what a summary was made from."""
    whole = _whole(reading)
    if not reading.read:
        sampled = "a sample of " if reading.is_sampled else ""
        return f"The most central sentences of {sampled}{whole}, word for word."
    if reading.read >= reading.parts:
        return f"{whole[0].upper()}{whole[1:]}{' (a sample)' if reading.is_sampled else ''}."
    share = f"{reading.read} of {reading.parts} parts"
    if reading.is_stopped:
        return f"Stopped after {share} of {reading.name}."
    return (
        f"The first and the most central parts of {reading.name}: {share}"
        f"{_pages_read(reading)}; of others, central sentences are quoted. A full summary would "
        f"take {_duration(reading)}: ask for a {_full(reading)}."
    )


def _whole(reading: Reading) -> str:
    if reading.pages > 1:
        return f"all {reading.pages:,} pages of {reading.name}"
    return f"all of {reading.name}"


def _full(reading: Reading) -> str:
    return f"“full summary of {reading.name}”" if reading.is_named else "“full summary” of them"


def _pages_read(reading: Reading) -> str:
    if reading.pages <= 1:
        return ""
    pages = max(1, round(reading.pages * reading.read / reading.parts))
    return f", about {pages:,} of {reading.pages:,} pages"


def _duration(reading: Reading) -> str:
    minutes = math.ceil(reading.parts * reading.part_s / 60)
    if minutes < 90:
        return f"about {max(minutes, 1)} minute{'s' if minutes > 1 else ''}"
    return f"about {round(minutes / 60)} hours"
