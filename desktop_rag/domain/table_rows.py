"""Is a number taken from the row and column in question? For tables as text, cells apart by " | ".

A number in a passage supports a statement only if its row is about the same thing: sales of online
stores are no answer about North America, though both stand in one table; nor are those of 2022 an
answer about 2023, though both stand in one row.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.support import Terms, terms
from desktop_rag.domain.table_cells import TableLine, read_lines


@dataclass(frozen=True, slots=True)
class Cell:
    """Numbers of a cell, and the terms that tell its column from the others of the row."""

    numbers: frozenset[str]
    column: frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a passage: the numbers in it and, for a table row, the words of its first cell."""

    numbers: frozenset[str]
    label: frozenset[str]
    is_table: bool
    cells: tuple[Cell, ...] = ()
    """Where the columns have names."""


def rows_of(text: str, columns: str = "") -> tuple[Row, ...]:
    """The lines of a passage; arguments as in `table_cells.with_column_names`."""
    return tuple(_row(line) for line in read_lines(text, columns) if line.text.strip())


def are_about(rows: tuple[Row, ...], numbers: frozenset[str], topic: Terms) -> bool:
    """Whether each number stands in prose, or in a row and column that fit the topic best.

    A row without words in its label, and a number that stands nowhere, say nothing either way.
    """
    return all(_is_about(rows, number, topic) for number in numbers)


def _is_about(rows: tuple[Row, ...], number: str, topic: Terms) -> bool:
    holding = [row for row in rows if number in row.numbers]
    if not holding:
        return True
    named = frozenset[str]().union(*(row.label for row in rows if row.label <= topic.words))
    return any(_fits(row, number, topic, named) for row in holding)


def _fits(row: Row, number: str, topic: Terms, named: frozenset[str]) -> bool:
    """Whether a row's label and the number's column are those of the topic.

    Args:
        row: holds the number.
        number: digits.
        topic: terms of question and statement.
        named: words of the labels that the topic names in full.
    """
    if not row.is_table:
        return True
    if row.label and not row.label & topic.words:
        return False
    if row.label and named - row.label and not row.label <= topic.words:
        return False
    own = [cell.column for cell in row.cells if number in cell.numbers]
    others = [cell.column for cell in row.cells if number not in cell.numbers]
    return not own or any(_is_column(one, others, topic) for one in own)


def _is_column(own: frozenset[str], others: list[frozenset[str]], topic: Terms) -> bool:
    """Whether no other column is called more like the topic; figures, as of years, decide first."""
    if any(one & topic.numbers for one in others) and not own & topic.numbers:
        return False
    wanted = topic.words | topic.numbers
    return not any(own & wanted < one & wanted for one in others)


def _row(line: TableLine) -> Row:
    is_table = bool(line.values)
    columns = [terms(name) for name in line.names]
    called = [one.words | one.numbers for one in columns]
    common = frozenset[str].intersection(*called) if called else frozenset[str]()
    cells = (
        Cell(terms(value).numbers, held - common)
        for value, held in zip(line.values if called else (), called, strict=True)
    )
    label = terms(line.label).words if is_table else frozenset[str]()
    return Row(terms(line.text).numbers, label, is_table, tuple(cells))
