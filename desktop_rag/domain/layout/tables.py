"""Finds the rows that form a table and mends rows that were printed on two lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.domain.layout.fragments import Fragment, Row
from desktop_rag.domain.layout.rows import FIGURE


def table_runs(rows: Sequence[Row]) -> list[tuple[int, int, bool]]:
    """Split rows into runs `(start, end, is_table)`; a table has two rows of several cells."""
    flags = _table_flags(rows)
    runs: list[tuple[int, int, bool]] = []
    start = 0
    for position in range(1, len(rows) + 1):
        if position == len(rows) or flags[position] != flags[start]:
            runs.append((start, position, flags[start]))
            start = position
    return [
        (start, end, is_table and _has_columns(rows[start:end])) for start, end, is_table in runs
    ]


def _has_columns(rows: Sequence[Row]) -> bool:
    """Whether white gaps stand under each other; wide word spaces in justified text do not."""
    parted = [_gaps(row) for row in rows if len(row.cells) >= 2]
    aligned = sum(
        any(min(a1, b1) - max(a0, b0) > 3 for a0, a1 in above for b0, b1 in below)
        for above, below in pairwise(parted)
    )
    return len(parted) >= 2 and aligned >= 0.5 * (len(parted) - 1)


def _gaps(row: Row) -> list[tuple[float, float]]:
    return [(a[-1].x1, b[0].x0) for a, b in pairwise(row.cells)]


def joined_rows(rows: Sequence[Row]) -> list[Row]:
    """Put together what is one row of a table but was printed on two lines."""
    left = min(row.x0 for row in rows)
    joined: list[Row] = []
    for row in rows:
        above = joined[-1] if joined else None
        if above is not None and _is_wrapped_label(above, row):
            row.cells[0] = above.cells[0] + row.cells[0]
            joined[-1] = row
        elif above is not None and len(joined) <= 3 and _is_split_head(above, row, left):
            above.cells = [a + b for a, b in zip(above.cells, row.cells, strict=True)]
            above.y1 = row.y1
        else:
            joined.append(row)
    _mark_empty_cells(joined)
    return joined


def _mark_empty_cells(rows: Sequence[Row]) -> None:
    """Give rows that lack a cell inside the table an empty one, so that columns stay aligned."""
    fullest = max(rows, key=lambda row: len(row.cells))
    columns = [(cell[0].x0, cell[-1].x1) for cell in fullest.cells]
    for row in rows:
        if 2 <= len(row.cells) < len(columns):
            places = [_column(cell, columns) for cell in row.cells]
            if places[0] == 0 and all(a < b for a, b in pairwise(places)):
                by_place = dict(zip(places, row.cells, strict=True))
                row.cells = [by_place.get(place, []) for place in range(places[-1] + 1)]


def _column(cell: Sequence[Fragment], columns: Sequence[tuple[float, float]]) -> int:
    """The column whose nearest edge or middle lies closest to the cell's."""
    x0, x1 = cell[0].x0, cell[-1].x1

    def distance(number: int) -> float:
        left, right = columns[number]
        return min(abs(left - x0), abs(right - x1), abs(left + right - x0 - x1) / 2)

    return min(range(len(columns)), key=distance)


def _is_wrapped_label(above: Row, row: Row) -> bool:
    """A label alone on its line that ends in the next row ("Total change in … / losses | 5")."""
    if len(above.cells) != 1 or len(row.cells) < 2 or row.y0 - above.y1 > 0.6 * row.height:
        return False
    return _is_open_label(above, row)


def _is_split_head(above: Row, row: Row, left: float) -> bool:
    """Column titles on two lines ("June 25, / 2022"), with nothing in the label column."""
    if len(above.cells) != len(row.cells) or len(row.cells) < 2:
        return False
    if min(above.x0, row.x0) < left + 2 * row.size or row.y0 - above.y1 > 0.5 * row.height:
        return False
    if any(FIGURE.match(cell[0].text) for cell in above.cells):
        return False
    return all(
        min(a[-1].x1, b[-1].x1) > max(a[0].x0, b[0].x0)
        for a, b in zip(above.cells, row.cells, strict=True)
    )


def _table_flags(rows: Sequence[Row]) -> list[bool]:
    """Which rows belong to a table: those of several cells, and single cells in or on top of it."""
    flags = [len(row.cells) >= 2 for row in rows]
    for position in range(1, len(rows) - 1):
        if not flags[position] and flags[position - 1]:
            flags[position] = _is_inside_table(rows, position)
    for position in range(len(rows) - 2, -1, -1):
        if not flags[position] and flags[position + 1]:
            flags[position] = _is_table_title(rows, position)
    for position, row in enumerate(rows):
        neighbours = flags[max(position - 1, 0) : position] + flags[position + 1 : position + 2]
        if flags[position] and (not any(neighbours) or (len(row.cells) < 2 and not neighbours[-1])):
            flags[position] = False
    return flags


def _is_inside_table(rows: Sequence[Row], position: int) -> bool:
    """A single cell between table rows: a label that wraps, a subheading ("Net sales:")."""
    row, above = rows[position], rows[position - 1]
    below = next((r for r in rows[position + 1 : position + 4] if len(r.cells) >= 2), None)
    if below is None:
        return False
    width = max(above.x1, below.x1) - min(above.x0, below.x0)
    gaps = (row.y0 - above.y1, below.y0 - row.y1)
    if gaps[0] < 2.2 * row.height and gaps[1] < 3.5 * row.height:
        return row.x1 - row.x0 < 0.66 * width
    return False


def _is_table_title(rows: Sequence[Row], position: int) -> bool:
    """A single cell right on top of a table row, over its columns or the start of its label."""
    row, below = rows[position], rows[position + 1]
    if below.y0 - row.y1 > 0.6 * row.height or len(below.cells) < 2:
        return False
    width = below.x1 - below.x0
    is_over_columns = row.x0 > below.x0 + 0.3 * width and row.x1 - row.x0 < 0.6 * width
    return is_over_columns or _is_open_label(row, below)


def _is_open_label(row: Row, below: Row) -> bool:
    """A label that breaks inside brackets or goes on in small letters in the next row."""
    is_flush = abs(row.x0 - below.x0) < 2.5 * row.size and row.x1 < below.x1
    return (
        is_flush
        and (row.text.count("(") > row.text.count(")") or below.text[:1].islower())
        and not row.text.endswith((".", ":"))
    )
