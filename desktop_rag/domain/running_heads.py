"""Finds running heads, running feet and page numbers, so that they stay out of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.domain.layout.fragments import Fragment, Row
from desktop_rag.domain.layout.rows import rows_of

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"^[\W_]*(?:(?:page|seite|p\.|s\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|von|/)\s*\d{1,4})?[\W_]*$",
    re.IGNORECASE,
)
_EDGE_ROWS = 3
_MARGIN = 0.08
"""Part of the page's height at its top and bottom where text is hardly ever part of the body."""


@dataclass(frozen=True, slots=True)
class _EdgeRow:
    """A cell of a row at the edge: name on the left, chapter in the middle, number on the right."""

    page: int
    key: str
    """Side and words of the cell, digits apart."""
    numbers: tuple[int, ...]
    fragments: tuple[Fragment, ...]


def without_running_heads(
    pages: Sequence[Sequence[Fragment]], heights: Sequence[float]
) -> list[list[Fragment]]:
    """Drop what repeats at the top or bottom of the pages.

    A row goes when it stands in the margin or apart from the text, is not printed larger than the
    text, has the same words on a third of the pages (at least three; two for bare page numbers),
    and its numbers do not change or count with the pages. So "Invoice 4711" over every page stays,
    and so does the head of a table that goes on over many pages. Documents of one or two pages
    lose nothing but their page numbers.
    """
    usual = _usual_size(pages)
    if len(pages) < 3:
        return _without_page_numbers(pages, heights, usual)
    rows: dict[str, list[_EdgeRow]] = {}
    for index, (page, height) in enumerate(zip(pages, heights, strict=True)):
        for row in _edge_rows(index, page, height, usual):
            rows.setdefault(row.key, []).append(row)
    needed = max(3.0, len(pages) / 3)
    gone = {
        id(fragment)
        for key, found in rows.items()
        if len({row.page for row in found}) >= (2 if key.endswith(" #") else needed)
        and _counts_with_pages(found)
        for row in found
        for fragment in row.fragments
    }
    return [[f for f in page if id(f) not in gone] for page in pages]


def _without_page_numbers(
    pages: Sequence[Sequence[Fragment]], heights: Sequence[float], usual: float
) -> list[list[Fragment]]:
    """Drop a page number that stands alone in the margin, and says the page it is on."""
    gone: set[int] = set()
    for index, (page, height) in enumerate(zip(pages, heights, strict=True)):
        for row in _edge_rows(index, page, height, usual):
            box = row.fragments[0]
            in_margin = box.y1 < _MARGIN * height or box.y0 > (1 - _MARGIN) * height
            is_number = row.key.endswith(" #") and row.numbers[:1] == (index + 1,)
            if in_margin and is_number and len(row.fragments) == 1 and len(page) > 1:
                gone.add(id(box))
    return [[f for f in page if id(f) not in gone] for page in pages]


def _usual_size(pages: Sequence[Sequence[Fragment]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for fragment in page:
            sizes[round(fragment.size * 2) / 2] += len(fragment.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _edge_rows(index: int, page: Sequence[Fragment], height: float, usual: float) -> list[_EdgeRow]:
    """The candidates among the first and last rows of a page."""
    if not page:
        return []
    found = []
    for side in ("top", "bottom"):
        rows = rows_of(_outermost(page, is_top=side == "top"))
        outer = rows if side == "top" else rows[::-1]
        for position, row in enumerate(outer[:_EDGE_ROWS]):
            inner = outer[position + 1] if position + 1 < len(outer) else None
            if row.size > 1.1 * usual or not _is_set_off(row, inner, page, height):
                continue
            found += [
                _edge_row(index, side, cell)
                for cell in row.cells
                if position < 2 or not _PAGE_NUMBER.match(cell[0].text)
            ]
    return found


def _edge_row(page: int, side: str, cell: Sequence[Fragment]) -> _EdgeRow:
    text = " ".join(fragment.text for fragment in cell)
    words = "#" if _PAGE_NUMBER.match(text) else _DIGITS.sub("#", text.lower())
    numbers = tuple(int(number[-9:]) for number in _DIGITS.findall(text))
    return _EdgeRow(page, f"{side} {words}", numbers, tuple(cell))


def _is_set_off(row: Row, inner: Row | None, page: Sequence[Fragment], height: float) -> bool:
    """In the margin, or apart from the next row; the head of a table is neither."""
    if len(row.cells) >= 3 and any(row.y1 - 1 <= f.y0 < row.y1 + 0.8 * row.height for f in page):
        return False
    if row.y1 < _MARGIN * height or row.y0 > (1 - _MARGIN) * height:
        return True
    if inner is None:
        return False
    gap = inner.y0 - row.y1 if inner.y0 > row.y0 else row.y0 - inner.y1
    return gap > 1.2 * row.height


def _outermost(page: Sequence[Fragment], *, is_top: bool) -> list[Fragment]:
    """Enough fragments from the edge to hold the edge rows, however wide the rows are."""
    ordered = sorted(page, key=lambda f: f.y0 if is_top else -f.y1)
    limit = ordered[min(8 * _EDGE_ROWS, len(ordered)) - 1]
    if is_top:
        return [f for f in ordered if f.y0 <= limit.y0]
    return [f for f in ordered if f.y1 >= limit.y1]


def _counts_with_pages(rows: Sequence[_EdgeRow]) -> bool:
    """Whether every number is the same on (nearly) all pages or grows by one a page."""
    length = Counter(len(row.numbers) for row in rows).most_common(1)[0][0]
    usual = [row for row in rows if len(row.numbers) == length]
    steps = list(pairwise(usual))
    for position in range(length):
        in_step = sum(
            b.numbers[position] - a.numbers[position] in (0, b.page - a.page) for a, b in steps
        )
        if in_step < 0.7 * len(steps):
            return False
    return True
