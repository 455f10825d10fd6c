"""From a span of a document's text to places on its pages."""

from __future__ import annotations

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


def boxes_for(pages: Sequence[Page], start: int, end: int) -> tuple[Box, ...]:
    """Rectangles that cover the text of a span, one a line, in reading order over all its pages.

    A line that is only partly in the span is cut in proportion to its characters: exact for
    monospaced print, within a letter or two otherwise. Empty when the pages carry no lines.
    """
    boxes: list[Box] = []
    for page in pages:
        if page.end <= start or page.start >= end:
            continue
        boxes += [
            _clip(page.number, line, start, end)
            for line in page.lines
            if line.start < end and line.end > start
        ]
    return tuple(boxes)


def _clip(page: int, line: Line, start: int, end: int) -> Box:
    length = max(line.end - line.start, 1)
    before = max(start - line.start, 0) / length
    after = max(line.end - end, 0) / length
    width = line.x1 - line.x0
    if line.y1 - line.y0 > 2 * width and length > 2:
        return Box(page, line.x0, line.y0, line.x1, line.y1)  # upright text: cut nothing
    return Box(page, line.x0 + before * width, line.y0, line.x1 - after * width, line.y1)
