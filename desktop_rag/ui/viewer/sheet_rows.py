"""A sheet as rows of cells, straight from the document's text: nothing is copied until it is shown.

A sheet of 200,000 rows is two arrays of numbers; the cells of a row are found when it is painted.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind
from desktop_rag.ui.viewer.text_segments import CELL, cells

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SheetRows:
    """One sheet. Rows are lines of its text that are not empty."""

    text: str
    """Of the whole document."""
    name: str
    starts: array[int]
    ends: array[int]
    numbers: array[int]
    """In the file; 0 for the line that names the sheet."""
    columns: int
    headers: frozenset[int] = field(default_factory=frozenset)
    """Offsets at which a table begins: its first row names the columns."""

    def __len__(self) -> int:
        return len(self.starts)

    def cells(self, row: int) -> list[Span]:
        """Where the cells of a row stand in the text."""
        return list(cells(self.text, self.starts[row], self.ends[row]))

    def is_header(self, row: int) -> bool:
        """Whether it names the columns, or the sheet."""
        return self.starts[row] in self.headers or not self.numbers[row]

    def row_at(self, offset: int) -> int:
        """The row that holds an offset, or the next."""
        return min(bisect_right(self.ends, offset), max(len(self) - 1, 0))

    def rows_of(self, start: int, end: int) -> range:
        """The rows that a span of the text touches."""
        first = bisect_right(self.ends, start)
        last = bisect_right(self.starts, end - 1)
        return range(first, max(first, last))


def is_grid(parts: Sequence[Part]) -> bool:
    """Whether the document is a spreadsheet or a table, and nothing else."""
    return bool(parts) and all(part.kind is PartKind.SHEET for part in parts)


def sheets_of(text: str, blocks: Sequence[Block], parts: Sequence[Part]) -> list[SheetRows]:
    """The sheets of a document. Takes a moment for a large one: not for the GUI thread."""
    tables = [block.start for block in blocks if block.kind is BlockKind.TABLE]
    return [_sheet(text, part, frozenset(tables)) for part in parts]


def _sheet(text: str, part: Part, headers: frozenset[int]) -> SheetRows:
    starts, ends, numbers = array("q"), array("q"), array("q")
    columns, position = 1, part.start
    for line, content in enumerate(text[part.start : part.end].split("\n")):
        end = position + len(content)
        if content:
            starts.append(position)
            ends.append(end)
            numbers.append(_number(part, line, content))
            columns = max(columns, content.count(CELL) + 1)
        position = end + 1
    return SheetRows(text, part.name, starts, ends, numbers, columns, headers)


def _number(part: Part, line: int, content: str) -> int:
    if line == 0 and part.name and content == part.name:
        return 0
    return part.rows[line] if line < len(part.rows) else line + 1
