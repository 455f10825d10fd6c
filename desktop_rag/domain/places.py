"""From a span of a document's text to places on its pages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from desktop_rag.domain.documents import Box, Line, Page


def page_of(pages: Sequence[Page], offset: int) -> Page | None:
    """The page that holds the character at `offset`; `None` for documents without pages.

    White space between two pages counts to the earlier one; a page without text holds nothing.
    """
    if not pages:
        return None
    position = bisect_right(pages, offset, key=lambda page: page.start) - 1
    while position > 0 and pages[position].start == pages[position].end:
        position -= 1
    return pages[max(position, 0)]


def pages_of(pages: Sequence[Page], start: int, end: int) -> tuple[int, int] | None:
    """First and last physical page a span touches."""
    first, last = page_of(pages, start), page_of(pages, max(start, end - 1))
    return (first.number, last.number) if first and last else None


def label_of(pages: Sequence[Page], offset: int) -> str:
    """The label printed on the page that holds `offset`, or its number; empty without pages."""
    page = page_of(pages, offset)
    return (page.label or str(page.number)) if page else ""


def boxes_for(pages: Sequence[Page], text: str, start: int, end: int) -> tuple[Box, ...]:
    """Rectangles that cover a span, one a line, in reading order over all its pages.

    A line that is only partly in the span is cut where its letters would end in a common sans-serif
    face, within a letter of the truth for most print. Empty when the pages carry no lines.

    Args:
        text: the document's whole text, which `start` and `end` count in.
    """
    boxes: list[Box] = []
    for page in pages:
        if page.end <= start or page.start >= end:
            continue
        boxes += [
            _clip(page.number, line, text, start, end)
            for line in page.lines
            if line.start < end and line.end > start
        ]
    return tuple(boxes)


def _clip(page: int, line: Line, text: str, start: int, end: int) -> Box:
    printed = text[line.start : line.end]
    width = line.x1 - line.x0
    is_upright = line.y1 - line.y0 > 2 * width and len(printed) > 2
    if is_upright or _RIGHT_TO_LEFT.search(printed):
        return Box(page, line.x0, line.y0, line.x1, line.y1)  # cut nothing
    whole = _advance(printed) or 1.0
    before = _advance(text[line.start : start]) / whole if start > line.start else 0.0
    after = _advance(text[end : line.end]) / whole if end < line.end else 0.0
    return Box(page, line.x0 + before * width, line.y0, line.x1 - after * width, line.y1)


def offset_at(
    lines: Sequence[Line], text: str, x: float, y: float, *, is_near: bool = False
) -> int | None:
    """The offset between letters that is nearest to a point of a page: what a click means.

    In a line whose letters cannot be told apart (upright or right-to-left) it is the nearer end.

    Args:
        lines: of the page.
        text: the document's whole text.
        x, y: in points from the top left.
        is_near: take the nearest line when none is at the point; else that is `None`.
    """
    if not lines:
        return None
    line = min(lines, key=lambda one: _distance(one, x, y))
    if not is_near and _distance(line, x, y) > 0:
        return None
    return _offset_in(line, text, x, y)


def _distance(line: Line, x: float, y: float) -> float:
    """Downwards counts more: beside a line is still in it."""
    aside = max(line.x0 - x, 0.0, x - line.x1)
    away = max(line.y0 - y, 0.0, y - line.y1)
    return aside + 4 * away


def _offset_in(line: Line, text: str, x: float, y: float) -> int:
    printed = text[line.start : line.end]
    width, height = line.x1 - line.x0, line.y1 - line.y0
    if _RIGHT_TO_LEFT.search(printed):
        return line.start if x > line.x0 + width / 2 else line.end
    if height > 2 * width and len(printed) > 2:
        return line.start if y < line.y0 + height / 2 else line.end
    passed, wanted = 0.0, (x - line.x0) / max(width, 0.01) * (_advance(printed) or 1.0)
    for position, letter in enumerate(printed):
        step = _advance(letter)
        if passed + step / 2 > wanted:
            return line.start + position
        passed += step
    return line.end


def _advance(printed: str) -> float:
    """Width of a piece of text relative to its em, by the widths of Helvetica's letters."""
    return sum(_WIDTHS.get(letter, 0.556 if letter < "\u1100" else 1.0) for letter in printed)


_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufefc]")
_WIDTHS = {
    letter: width
    for letters, width in {
        "'": 0.191,
        "ijl": 0.222,
        "|": 0.26,
        "!I,./:;[\\]ft \u00a0": 0.278,
        "()-`r": 0.333,
        '"': 0.355,
        "*": 0.389,
        "ckvxyzJ": 0.5,
        "+<=>~": 0.584,
        "FTZ": 0.611,
        "&ABEKPSVXY": 0.667,
        "wCDHNRU": 0.722,
        "GOQ": 0.778,
        "mM": 0.833,
        "%": 0.889,
        "W": 0.944,
        "@—": 1.0,
    }.items()
    for letter in letters
}
"""Advance widths in em where they differ from 0.556 (Adobe's Helvetica font metrics)."""
