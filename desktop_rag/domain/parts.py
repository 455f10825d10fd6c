"""Says where a span stands in a document without pages: slide, sheet and rows, chapter, lines."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.documents import Part, PartKind

_GAP = ", "


def place_of(parts: Sequence[Part], text: str, start: int, end: int) -> str:
    """`slide 4`, `sheet Sales, rows 12-40`, `attachment report.xlsx, sheet Q1, row 3`, `lines 5-9`.

    The innermost parts that hold the beginning of the span, outermost first. A span that goes on
    into the next part of the same kind names both ("slides 4-5"). Empty without parts.

    Args:
        text: the document's whole text, which `start` and `end` count in.
    """
    around = [part for part in parts if part.start <= start < max(part.end, part.start + 1)]
    around.sort(key=lambda part: (part.start, -part.end))
    return _GAP.join(_named(part, parts, text, start, end) for part in around)


def _named(part: Part, parts: Sequence[Part], text: str, start: int, end: int) -> str:
    if part.kind is PartKind.LINES:
        return _range("line", *_line_numbers(part, text, start, end))
    label = f"{part.kind} {part.name or part.number or ''}".rstrip()
    if part.rows:
        rows = _range("row", *_row_numbers(part, text, start, end))
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


def _line_numbers(part: Part, text: str, start: int, end: int) -> tuple[int, int]:
    first = max(part.number, 1) + text.count("\n", part.start, start)
    return first, first + text[start:end].rstrip("\n").count("\n")


def _row_numbers(part: Part, text: str, start: int, end: int) -> tuple[int, int]:
    first = text.count("\n", part.start, start)
    last = first + text[start : min(end, part.end)].rstrip("\n").count("\n")
    rows = part.rows
    return rows[min(first, len(rows) - 1)], rows[min(last, len(rows) - 1)]


def _range(unit: str, first: int, last: int) -> str:
    return f"{unit} {first}" if first == last else f"{unit}s {first}-{last}"
