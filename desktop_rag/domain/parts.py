"""Says where a span stands in a document without pages: slide, sheet and rows, chapter, lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from desktop_rag.domain.documents import Part, PartKind

_GAP = ", "
CountLines = Callable[[int, int], int]
"""Line ends between two offsets of a text."""


def place_of(
    parts: Sequence[Part],
    text: str,
    start: int,
    end: int,
    count_lines: CountLines | None = None,
) -> str:
    """`slide 4`, `sheet Sales, rows 12-40`, `attachment report.xlsx, sheet Q1, row 3`, `lines 5-9`.

    The innermost parts that hold the beginning of the span, outermost first. A span that goes on
    into the next part of the same kind names both ("slides 4-5"). Empty without parts.

    Args:
        text: the document's whole text, which `start` and `end` count in.
        count_lines: for many places of one text, see `line_counter`.
    """
    lines = count_lines or (lambda first, last: text.count("\n", first, last))
    around = [part for part in parts if part.start <= start < max(part.end, part.start + 1)]
    around.sort(key=lambda part: (part.start, -part.end))
    stop = start + len(text[start:end].rstrip("\n"))
    return _GAP.join(_named(part, parts, lines, start, stop) for part in around)


def line_counter(text: str) -> CountLines:
    """Counts line ends from an index: a place far down a long text costs no more than the first."""
    ends: list[int] = []
    position = text.find("\n")
    while position >= 0:
        ends.append(position)
        position = text.find("\n", position + 1)
    return lambda first, last: max(bisect_left(ends, last) - bisect_left(ends, first), 0)


def _named(part: Part, parts: Sequence[Part], lines: CountLines, start: int, end: int) -> str:
    if part.kind is PartKind.LINES:
        first = max(part.number, 1) + lines(part.start, start)
        return _range("line", first, first + lines(start, end))
    label = f"{part.kind} {part.name or part.number or ''}".rstrip()
    if part.rows:
        rows = _range("row", *_row_numbers(part, lines, start, end))
        return label + _GAP + rows if part.name or part.number else rows
    if part.kind is PartKind.CHAPTER and part.number and part.name:
        return f"chapter {part.number} ({part.name})"
    last = _last_numbered(part, parts, end)
    return label if last == part.number else _range(str(part.kind), part.number, last)


def _last_numbered(part: Part, parts: Sequence[Part], end: int) -> int:
    """Number of the last part of the same kind, without a name, that the span reaches into."""
    if not part.number or part.name:
        return part.number
    reached = [
        other.number
        for other in parts
        if other.kind is part.kind and not other.name and part.start <= other.start < end
    ]
    return max(reached, default=part.number)


def _row_numbers(part: Part, lines: CountLines, start: int, end: int) -> tuple[int, int]:
    first = lines(part.start, start)
    last = first + lines(start, min(end, part.end))
    rows = part.rows
    return rows[min(first, len(rows) - 1)], rows[min(last, len(rows) - 1)]


def _range(unit: str, first: int, last: int) -> str:
    return f"{unit} {first}" if first == last else f"{unit}s {first}-{last}"
