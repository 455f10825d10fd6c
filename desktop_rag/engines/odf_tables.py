"""Tables of OpenDocument texts, slides and charts. Repetitions are claims, so they are bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from desktop_rag.engines.drawingml import MAX_REPEATED_CHARS
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.odf_styles import TABLE

MAX_COLUMNS = 200
MAX_REPEATS = 100
"""Of a row or cell with text; empty ones come once."""
_ROW_GROUPS = frozenset(
    {TABLE + tag for tag in ("table-header-rows", "table-rows", "table-row-group")}
)
_CELL, _COVERED = TABLE + "table-cell", TABLE + "covered-table-cell"


def cells_of(table: Any) -> list[list[Any]]:
    """Cell elements of the rows of a table itself, without repetitions and covered cells."""
    return [[c for c in row if c.tag == _CELL] for row in _rows(table)]


def table_texts(table: Any, text_of: Callable[[Any], str]) -> list[list[str]]:
    """Texts row by row, columns in line; a short cell over several rows is repeated in each."""
    written: list[list[str]] = []
    above: dict[int, str] = {}
    for row in _rows(table):
        cells = _row_texts(row, text_of, above)
        times = _repeats(row, "number-rows-repeated") if any(cells) else 1
        written.extend([cells] * times)
    return written


def _rows(container: Any) -> Iterator[Any]:
    for element in container:
        if element.tag == TABLE + "table-row":
            yield element
        elif element.tag in _ROW_GROUPS:
            yield from _rows(element)


def _row_texts(row: Any, text_of: Callable[[Any], str], above: dict[int, str]) -> list[str]:
    texts: list[str] = []
    column, spanned = 0, 0
    for cell in row:
        if cell.tag not in (_CELL, _COVERED) or column >= MAX_COLUMNS:
            continue
        times = min(_number(cell, "number-columns-repeated"), MAX_COLUMNS - column)
        if cell.tag == _COVERED:
            by_span = min(spanned, times)  # the rest is covered from above
            texts.extend(_short(above.get(column + n, "")) for n in range(by_span, times))
            spanned -= by_span
        else:
            text = text_of(cell)
            spanned = _number(cell, "number-columns-spanned") - 1
            times = times if text else min(times, MAX_COLUMNS)
            for n in range(times + spanned):
                above[column + n] = text
            texts.extend([text] * times)
        column += times
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _short(text: str) -> str:
    return text if len(text) <= MAX_REPEATED_CHARS else ""


def _repeats(element: Any, name: str) -> int:
    return min(_number(element, name), MAX_REPEATS)


def _number(element: Any, name: str) -> int:
    return max(whole(element.get(TABLE + name), 1), 1)
