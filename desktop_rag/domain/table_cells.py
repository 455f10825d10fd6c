"""Writes table rows the way a small language model reads them: every value with its column's name.

A 1.5B model finds the right row of `Total net sales | $81,797 | $293,787`, and then takes a column
by chance. `Total net sales: three months $81,797, nine months $293,787` leaves nothing to guess.
Only rows about the question are written out. Where there are some, other rows are left out, except
a few: among twenty the same model overlooks the right one (odds 2 : 1 that the answer is there,
6 : 1 without them), and every token of a prompt costs time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from desktop_rag.domain.support import Terms, terms

CELL = " | "
_VALUE = re.compile(r"[(\[$€£¥≈~±<>\s]*[-–—+]?[\d.,'\s]*\d[)\]%\s]*[a-z%]{0,3}|[-–—]+|n/?a")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PROSE_CHARS = 60
"""A longer line without cells ends a table; a shorter one may be a heading between its rows."""
_MAX_LEVELS = 3
_FEW_ROWS = 3
"""Rows not asked for that may stay: a short table says more as a whole."""


def with_column_names(text: str, columns: str, asked: Terms) -> str:
    """The text with those rows written out that share a word with the question, and few others.

    Args:
        text: lines; cells of a table apart by " | ".
        columns: header rows of a table that began before the text, apart by " / "; may be empty.
        asked: terms of the question.
    """
    lines = list(read_lines(text, columns))
    written = [_written(line, asked) for line in lines]
    if all(after == line.text for after, line in zip(written, lines, strict=True)):
        return "\n".join(written)
    others = {n for n, line in enumerate(lines) if _is_other(line, asked)}
    if len(others) <= _FEW_ROWS:
        return "\n".join(written)
    return "\n".join(row for n, row in enumerate(written) if n not in others)


def _is_other(line: TableLine, asked: Terms) -> bool:
    """Whether a row shares neither a word nor a number with the question."""
    held = terms(line.text)
    return bool(line.values) and not (held.words & asked.words or held.numbers & asked.numbers)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of text; of a row with values, its label, its values and their columns' names."""

    text: str
    label: str = ""
    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """As many as values, or none when the header rows do not fit them."""


def read_lines(text: str, columns: str = "") -> Iterator[TableLine]:
    """The lines of a text; arguments as in `with_column_names`."""
    table = _Header([_cells(level) for level in columns.split(" / ")] if columns else [])
    table.is_complete = bool(columns)
    lines = text.splitlines()
    in_figures = _lines_of_figure_tables(lines)
    for number, line in enumerate(lines):
        yield _read(line, table, has_figures=number in in_figures)


@dataclass(slots=True)
class _Header:
    """Header rows met so far, outermost first, and whether a value row has followed them."""

    levels: list[list[str]] = field(default_factory=list)
    is_complete: bool = False

    def add(self, cells: list[str]) -> None:
        if self.is_complete:
            self.levels, self.is_complete = [], False
        self.levels = [*self.levels, cells][-_MAX_LEVELS:]

    def names(self, count: int) -> list[str] | None:
        """One name for each of `count` columns, or `None` when the header does not fit them."""
        spread = [level for level in (_spread(one, count) for one in self.levels) if level]
        if not spread:
            return None
        return [" ".join(dict.fromkeys(parts)) for parts in zip(*spread, strict=True)]


def _lines_of_figure_tables(lines: Sequence[str]) -> set[int]:
    """Lines of tables that hold any figure: there, rows without one are header rows."""
    found: set[int] = set()
    for is_table, numbered in groupby(enumerate(lines), key=lambda one: CELL in one[1]):
        block = list(numbered)
        if is_table and any(_is_value(cell) for _, line in block for cell in _cells(line)):
            found.update(number for number, _ in block)
    return found


def _read(line: str, table: _Header, *, has_figures: bool) -> TableLine:
    cells = _cells(line)
    if len(cells) < 2:
        if len(line) > _PROSE_CHARS:
            table.levels, table.is_complete = [], False
        return TableLine(line)
    is_header = not any(map(_is_value, cells)) if has_figures else not table.levels
    if is_header:
        table.add(cells)
        return TableLine(line)
    table.is_complete = True
    label, *values = cells
    return TableLine(line, label, tuple(values), tuple(table.names(len(values)) or ()))


def _written(line: TableLine, asked: Terms) -> str:
    if not line.names or not terms(line.label).words & asked.words:
        return line.text
    named = zip(line.values, line.names, strict=True)
    return f"{line.label}: " + ", ".join(_named(value, name) for value, name in named)


def _named(value: str, name: str) -> str:
    """`Shelf K-17`; but a name with figures of its own follows: `$81,797 (2023)`."""
    has_figures = any(character.isdigit() for character in name)
    return f"{value} ({name})" if has_figures or not value else f"{name} {value}"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(CELL)]


def _is_value(cell: str) -> bool:
    return bool(_VALUE.fullmatch(cell.casefold())) and not _YEAR.fullmatch(cell)


def _spread(level: Sequence[str], count: int) -> list[str] | None:
    """A header row over `count` columns; a cell over several of them is repeated."""
    names_labels = len(level) > 1 and not _YEAR.fullmatch(level[0])
    for cells in (level, level[1:] if names_labels else []):
        if cells and count % len(cells) == 0:
            return [cell for cell in cells for _ in range(count // len(cells))]
    return None
