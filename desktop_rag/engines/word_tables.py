"""Tables of Word documents: which rows and cells are shown, and what merged cells hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop_rag.engines.drawingml import MAX_REPEATED_CHARS
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.word_styles import W, is_on, value

_MAX_GAP = 60


def rows_of(table: Any) -> list[Any]:
    """The rows of a table itself, not of tables inside it; deleted ones left out."""
    return [row for row in table.iter(W + "tr") if _owner(row) is table and not _is_deleted(row)]


def cells_of(row: Any) -> list[Any]:
    """The cells of a row, through content controls."""
    return [cell for cell in row.iter(W + "tc") if next(cell.iterancestors(W + "tr")) is row]


def table_texts(rows: list[Any], text_of: Callable[[Any], str]) -> list[list[str]]:
    """Texts of all cells, row by row.

    Columns stay in line: rows that begin further right get empty cells, a cell over several rows
    is repeated if it is short. Header rows that are repeated further down come once.
    """
    written: list[list[str]] = []
    above: dict[int, str] = {}
    for row in rows:
        cells = _row_texts(row, text_of, above)
        is_header = _is_header(row) or _is_header(rows[0])
        if not (written and is_header and cells == written[0]):
            written.append(cells)
    return written


def _row_texts(row: Any, text_of: Callable[[Any], str], above: dict[int, str]) -> list[str]:
    texts = [""] * _gap(row)
    column = len(texts)
    for cell in cells_of(row):
        text = text_of(cell)
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        if merge is not None and value(merge) != "restart" and not text:
            known = above.get(column, "")
            text = known if len(known) <= MAX_REPEATED_CHARS else ""
        above[column] = text
        texts.append(text)
        column += max(whole(value(cell.find(f"{W}tcPr/{W}gridSpan")), 1, _MAX_GAP), 1)
    return texts


def _gap(row: Any) -> int:
    return whole(value(row.find(f"{W}trPr/{W}gridBefore")), 0, _MAX_GAP)


def _owner(element: Any) -> Any:
    return next(element.iterancestors(W + "tbl"))


def _is_header(row: Any) -> bool:
    return is_on(row.find(f"{W}trPr/{W}tblHeader"))


def _is_deleted(row: Any) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None
