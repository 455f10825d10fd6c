"""How much of a file was read, in words that the window and the command line share."""

from __future__ import annotations

from collections.abc import Iterable

from desktop_rag.domain.documents import Coverage


def waiting_words(coverage: Coverage) -> str:
    """`12 of 40 pages wait for text recognition`; empty when none waits."""
    waiting = len(coverage.waiting)
    if not waiting:
        return ""
    if coverage.pages == 1:
        return "waits for text recognition"
    verb = "waits" if waiting == 1 else "wait"
    return f"{waiting} of {coverage.pages} pages {verb} for text recognition"


def ranges(numbers: Iterable[int]) -> str:
    """Page numbers as people write them: `1-3, 7`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)
