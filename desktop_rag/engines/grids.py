"""Writes the rows of a sheet as text: tables apart from each other, true row numbers kept.

Spreadsheets and delimited text share this. Nothing is known here of any file format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.domain.assembly import CELL_GAP, TextAssembler
from desktop_rag.domain.documents import BlockKind, Part, PartKind
from desktop_rag.domain.text_cleaning import clean_line

MAX_CHARACTERS = 4_000_000
"""Of a whole file: some fifty thousand rows. Numbers make a token of every other character, so
this is read in half a minute and embedded in five."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row that is not blank: its number in the file (the first is 1) and its cells as text."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(1 for cell in self.cells if cell)


def grid_row(number: int, cells: Iterable[str]) -> GridRow:
    """A row with clean cells, each in one line and without the sign that keeps cells apart."""
    return GridRow(
        number, tuple(clean_line(cell).replace(CELL_GAP, "|") if cell else "" for cell in cells)
    )


class GridWriter(TextAssembler):
    """Assembles sheets. `parts` has one for each sheet, its rows one entry for each line."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Part] = []
        self.tables = 0
        self._rows: list[int] = []

    def add_sheet(
        self,
        rows: Iterable[GridRow],
        name: str = "",
        number: int = 0,
        remarks: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Write one sheet; a sheet without a filled cell or a remark adds nothing.

        Args:
            name: becomes a heading, too.
            remarks: (row number, sentence) for what belongs to the sheet beside its cells.
        """
        self._rows = []
        start = self.length + 2 if self.length else 0
        groups = (table for group in _groups(rows) for table in _side_by_side(group))
        first = next(groups, None)
        if first is None and not remarks:
            return
        opening = first[0].number if first else remarks[0][0]
        if name:
            self._add_lines(BlockKind.HEADING, [(opening, clean_line(name))], level=1)
        while first is not None:
            self._add_table(first)
            first = next(groups, None)
        self._add_lines(BlockKind.LIST, [(row, f"- {text}") for row, text in remarks])
        self.parts.append(Part(PartKind.SHEET, start, self.length, name, number, tuple(self._rows)))

    def _add_table(self, group: Sequence[GridRow]) -> None:
        """A group of rows: lines of one cell on top are its caption, the rest is the table."""
        body = 0
        while body < len(group) and group[body].filled == 1:
            body += 1
        if body == len(group):  # a list of single cells
            body = 0 if len(group) > 1 else 1
        columns = _columns(group[body:])
        for row in group[:body]:
            self._add_lines(BlockKind.PARAGRAPH, [(row.number, " ".join(filter(None, row.cells)))])
        lines = [(row.number, _line(row, columns)) for row in group[body:]]
        self._add_lines(BlockKind.TABLE, lines)
        self.tables += bool(lines)

    def _add_lines(self, kind: BlockKind, lines: Sequence[tuple[int, str]], level: int = 0) -> None:
        if not lines:
            return
        if self._rows:
            self._rows.append(lines[0][0])  # of the empty line between two blocks
        self.add(kind, "\n".join(line for _, line in lines), level)
        self._rows.extend(number for number, _ in lines)


def _groups(rows: Iterable[GridRow]) -> Iterator[list[GridRow]]:
    """Runs of rows without a blank row between them."""
    group: list[GridRow] = []
    for row in rows:
        if group and row.number != group[-1].number + 1:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _side_by_side(group: list[GridRow]) -> Iterator[list[GridRow]]:
    """Tables that stand beside each other, apart by an empty column and in different rows.

    In equal rows an empty column is only space inside one table.
    """
    used = _columns(group)
    gaps = [0, *(n for n in range(1, len(used)) if used[n] > used[n - 1] + 1), len(used)]
    spans = [(used[a], used[b - 1] + 1) for a, b in pairwise(gaps) if b > a]
    tables = [_cut_out(group, left, right) for left, right in spans]
    heights = {(table[0].number, table[-1].number) for table in tables}
    if len(spans) < 2 or len(heights) < 2 or any(r - le < 2 for le, r in spans):
        yield group
        return
    for table in tables:
        yield from _groups(table)


def _cut_out(group: Sequence[GridRow], left: int, right: int) -> list[GridRow]:
    rows = [GridRow(row.number, row.cells[left:right]) for row in group]
    return [row for row in rows if row.filled]


def _columns(group: Sequence[GridRow]) -> list[int]:
    """Columns with anything in them."""
    width = max((len(row.cells) for row in group), default=0)
    seen = [False] * width
    for row in group:
        for column, cell in enumerate(row.cells):
            seen[column] = seen[column] or bool(cell)
    return [column for column, is_used in enumerate(seen) if is_used]


def _line(row: GridRow, columns: Sequence[int]) -> str:
    """The row's cells, empty ones in between kept so that columns stay under their names."""
    cells = [row.cells[column] for column in columns if column < len(row.cells)]
    while cells and not cells[-1]:
        cells.pop()
    return CELL_GAP.join(cells)


class Bound:
    """Lets rows through until their text comes to `most` characters."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.is_reached = False
        self.last = 0
        """Number of the last row that was let through."""

    def kept(self, rows: Iterable[GridRow]) -> Iterator[GridRow]:
        """The rows that fit."""
        for row in rows:
            self._left -= sum(map(len, row.cells)) + len(CELL_GAP) * row.filled
            if self._left < 0:
                self.is_reached = True
                return
            self.last = row.number
            yield row
