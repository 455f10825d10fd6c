"""Is a number taken from the row the question is about? For tables as text, cells apart by " | ".

A number in a passage supports a statement only if its row is about the same thing: sales of online
stores are no answer about North America, though both stand in one table.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.support import Terms, terms

CELL = " | "


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a passage: the numbers in it and, for a table row, the words of its first cell."""

    numbers: frozenset[str]
    label: frozenset[str]
    is_table: bool


def rows_of(text: str) -> tuple[Row, ...]:
    """The lines of a passage."""
    return tuple(_row(line) for line in text.splitlines() if line.strip())


def are_about(rows: tuple[Row, ...], numbers: frozenset[str], topic: Terms) -> bool:
    """Whether each number stands in prose, or in a row whose label shares a word with the topic.

    A row without words in its label, and a number that stands nowhere, say nothing either way.
    """
    return all(_is_about(rows, number, topic) for number in numbers)


def _is_about(rows: tuple[Row, ...], number: str, topic: Terms) -> bool:
    holding = [row for row in rows if number in row.numbers]
    if not holding:
        return True
    return any(not row.is_table or not row.label or row.label & topic.words for row in holding)


def _row(line: str) -> Row:
    label, cell, _ = line.partition(CELL)
    is_table = bool(cell)
    return Row(terms(line).numbers, terms(label).words if is_table else frozenset(), is_table)
