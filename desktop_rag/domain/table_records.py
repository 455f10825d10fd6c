"""Takes tables in a document's text apart into records: what is counted, and what is no record.

Cells stand apart by " | ", rows by line ends, as all readers write them. A row of column names, a
repeated one and a row of totals are no records. A table that goes on after an empty row or on the
next page is one table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind
from desktop_rag.domain.table_cells import CELL
from desktop_rag.domain.terms import fold

_TOTAL = re.compile(
    r"(?:grand |sub-?|over-?all )?totals?|sum(?:me)?|gesamt(?:summe)?|zwischensumme|insgesamt|total"
    r"(?: general)?|totale|totaal|razem|suma|summa|sous-total|итого|всего|合计|総計|合計"
)
_VALUE = re.compile(
    r"[-+(]?[$€£¥]?\s?\d[\d.,'\s]*(?:%|[a-z€$£]{1,3})?\)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MAX_NAME = 60
"""Characters of a column name; more is a remark."""


@dataclass(frozen=True, slots=True)
class Record:
    """A row: its cells, and its span in the document's text."""

    cells: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document. `columns` is empty when it has no row of column names."""

    columns: tuple[str, ...]
    records: tuple[Record, ...]
    caption: str = ""
    """The sheet's name and the lines above the table."""
    totals: int = 0
    """Rows of totals, which are left out."""

    def column(self, index: int) -> list[str]:
        """A column's cells, one for each record; empty where a row is shorter."""
        return [_cell(record, index) for record in self.records]


def tables_of(text: str, blocks: Sequence[Block], parts: Sequence[Part] = ()) -> list[Table]:
    """The tables of a document with at least one record, in order."""
    found: list[Table] = []
    places: list[Part | None] = []
    caption = ""
    for block in blocks:
        if block.kind is not BlockKind.TABLE:
            caption = text[block.start : block.end].strip()[: _MAX_NAME * 2]
            continue
        sheet = _sheet_at(parts, block.start)
        table = _table(list(_rows(text, block)))
        is_near = bool(found) and places[-1] == sheet and not caption
        if is_near and _goes_on(found[-1], table, is_sheet=sheet is not None):
            found[-1] = _joined(found[-1], table)
            continue
        name = sheet.name if sheet else ""
        called = name if name == caption else f"{name} {caption}".strip()
        found.append(replace(table, caption=called))
        places.append(sheet)
        caption = ""
    return [table for table in found if table.records]


def _rows(text: str, block: Block) -> Iterator[Record]:
    start = block.start
    for line in text[block.start : block.end].split("\n"):
        if line.strip(" |"):
            cells = tuple(cell.strip() for cell in line.split(CELL))
            yield Record(cells, start, start + len(line))
        start += len(line) + 1


def _table(rows: list[Record]) -> Table:
    columns = rows[0].cells if rows and _names_columns(rows) else ()
    body = rows[1:] if columns else rows
    records = [row for row in body if not _is_total(row) and not _repeats(row, columns)]
    totals = sum(map(_is_total, body))
    return Table(columns, tuple(records), totals=totals)


def _names_columns(rows: Sequence[Record]) -> bool:
    """Whether the first row names columns: short different words, and no values."""
    first = rows[0].cells
    filled = [cell for cell in first if cell]
    if not filled or len({fold(cell) for cell in filled}) < len(filled):
        return False
    values = [cell for cell in filled if is_value(cell)]
    are_years = len(values) < len(filled) and all(map(_YEAR.fullmatch, values))
    if (values and not are_years) or any(len(cell) > _MAX_NAME for cell in filled):
        return False
    # Names of columns are no values of theirs: `Berlin` above `Berlin` is a record.
    return len(rows) > 1 and not any(
        fold(cell) in {fold(_cell(row, n)) for row in rows[1:] if row.cells != first}
        for n, cell in enumerate(first)
        if cell
    )


def _repeats(row: Record, columns: Sequence[str]) -> bool:
    return bool(columns) and [fold(c) for c in row.cells] == [fold(c) for c in columns]


def _is_total(row: Record) -> bool:
    first = next((fold(cell).strip(" :") for cell in row.cells if cell), "")
    has_label = _TOTAL.fullmatch(first) is not None
    return has_label and any(is_value(cell) for cell in row.cells)


def _goes_on(before: Table, table: Table, *, is_sheet: bool) -> bool:
    """Whether a table that follows at once is the rest of the one before it."""
    if not before.columns or not (table.columns or table.records):
        return False
    if _same(table.columns, before.columns):
        return True
    first = table.columns or table.records[0].cells
    if len(first) != len(before.columns):
        return not table.columns and 1 < len(first) < len(before.columns)
    # Words over words in a sheet are more often a record after an empty row than new names.
    has_values = any(is_value(cell) for record in table.records for cell in record.cells)
    return not table.columns or (is_sheet and not has_values)


def _joined(before: Table, table: Table) -> Table:
    records = list(table.records)
    if table.columns and not _same(table.columns, before.columns) and records:
        start = records[0].start - 1 - len(CELL.join(table.columns))
        records.insert(0, Record(table.columns, start, records[0].start - 1))
    return replace(
        before,
        records=(*before.records, *records),
        totals=before.totals + table.totals,
    )


def _same(some: Sequence[str], others: Sequence[str]) -> bool:
    return [fold(one) for one in some] == [fold(one) for one in others]


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, an amount or a date."""
    return _VALUE.fullmatch(cell.casefold().strip()) is not None


def _sheet_at(parts: Sequence[Part], start: int) -> Part | None:
    sheets = (part for part in parts if part.kind is PartKind.SHEET and part.start <= start)
    return max((one for one in sheets if start < one.end), key=lambda one: one.start, default=None)


def _cell(record: Record, index: int) -> str:
    return record.cells[index] if index < len(record.cells) else ""
