"""Columns of a table as conditions look at them: texts, numbers, dates, yes or no.

Each is worked out once, however often it is compared: a table may have tens of thousands of rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from desktop_rag.domain.periods import days_in
from desktop_rag.domain.same_things import are_same
from desktop_rag.domain.table_records import Record, Table, is_value
from desktop_rag.domain.terms import fold

Test = Callable[[Record], bool]

_DATE_SHARE = 0.8
"""Of a column's cells that must be dates for it to be one of dates."""
_YES = {"yes", "y", "true", "1", "x", "ja", "oui", "si", "vero", "sim", "tak", "да", "✓"}
_NO = {"no", "n", "false", "0", "", "-", "nein", "non", "falso", "nao", "nee", "nie", "нет"}
_DECORATION = re.compile(r"[\s\u00a0\u202f'’$€£¥+%]|eur|usd|chf|gbp", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")


class Columns:
    """The columns of one table."""

    def __init__(self, table: Table) -> None:
        self.count = max((len(record.cells) for record in table.records), default=0)
        self._table = table
        self._folded: dict[int, dict[str, str]] = {}
        self._numbers: dict[int, dict[str, float | None]] = {}
        self._days: dict[int, dict[str, tuple[str, ...]]] = {}

    def name(self, column: int) -> str:
        """What a column is called; empty when it has no name."""
        names = self._table.columns
        return names[column] if column < len(names) else ""

    def called(self, thing: str) -> int | None:
        """The one column that is called like the thing; `None` for none or several."""
        return column_for(self._table, thing)

    def folded(self, column: int) -> dict[str, str]:
        """Its different cells, and how they are compared."""
        if column not in self._folded:
            self._folded[column] = {cell: fold(cell) for cell in self._table.column(column)}
        return self._folded[column]

    def numbers(self, column: int) -> dict[str, float | None]:
        """The number of each cell; empty when it is no column of numbers."""
        if column not in self._numbers:
            cells = list(self.folded(column))
            numbers = numbers_in(cells) if any(cells) else None
            self._numbers[column] = dict(zip(cells, numbers, strict=True)) if numbers else {}
        return self._numbers[column]

    def days(self, column: int) -> dict[str, tuple[str, ...]]:
        """The days that each cell names; empty when it is no column of dates."""
        if column not in self._days:
            days = {cell: days_in(cell) for cell in self.folded(column)}
            filled = [found for cell, found in days.items() if cell]
            are_dates = filled and sum(map(bool, filled)) >= _DATE_SHARE * len(filled)
            self._days[column] = days if are_dates else {}
        return self._days[column]

    def are_yes_or_no(self, column: int) -> bool:
        """Whether its cells say yes or no."""
        values = set(self.folded(column).values())
        return bool(values & _YES) and values <= _YES | _NO

    def holding(self, said: str) -> int | None:
        """The one column with such a cell, else the one with such words in its cells."""
        for cells_with in (self.cells_equal, self.cells_with_words):
            found = [n for n in range(self.count) if cells_with(n, said)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def cells_equal(self, column: int, said: str) -> set[str]:
        """The different cells that are this, but for case and accents."""
        wanted = fold(said)
        return {cell for cell, folded in self.folded(column).items() if folded == wanted}

    def cells_with_words(self, column: int, said: str) -> set[str]:
        """The different cells of words with these among them, whole.

        Never a number or a date: `2022` is no value in `2022-05-17`, nor `40` in `1.40`.
        """
        wanted = fold(said)
        pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        return {
            cell
            for cell, folded in self.folded(column).items()
            if wanted in folded and pattern.search(folded) and not is_value(cell)
        }

    def is_yes(self, column: int) -> Test:
        """Whether a record says yes there."""
        return self.among(
            column, {c for c, folded in self.folded(column).items() if folded in _YES}
        )

    @staticmethod
    def among(column: int, cells: set[str]) -> Test:
        """Whether a record's cell is one of these."""

        def test(record: Record) -> bool:
            return (record.cells[column] if column < len(record.cells) else "") in cells

        return test


def column_for(table: Table, thing: str) -> int | None:
    """The one column that is called like the thing; `None` for none or several."""
    found = [
        number
        for number, name in enumerate(table.columns)
        if fold(name) == fold(thing) or are_same(name, thing)
    ]
    return found[0] if len(found) == 1 else None


def numbers_in(cells: Sequence[str]) -> list[float | None] | None:
    """The numbers of a column, `None` for an empty cell; `None` when one cannot be read for sure.

    `1.200` may be twelve hundred or a little more than one: other cells of the column tell, such
    as `300,00`; otherwise it is not known.
    """
    bare = [_DECORATION.sub("", cell) for cell in cells]
    if not all(_NUMBER.fullmatch(one) for one in bare if one):
        return None
    has_comma = any(re.search(r",\d\d?$|\.\d{3},|,\d{4,}$", one) for one in bare)
    has_point = any(re.search(r"\.\d\d?$|,\d{3}\.|\.\d{4,}$", one) for one in bare)
    is_open = any(re.fullmatch(r"-?\d{1,3}[.,]\d{3}", one) for one in bare)
    if (has_comma and has_point) or (is_open and not (has_comma or has_point)):
        return None
    marks = (".", ",") if has_comma else (",", ".")
    plain = [one.replace(marks[0], "").replace(marks[1], ".") for one in bare]
    return [float(one) if one else None for one in plain]


def number_in(said: str) -> float | None:
    """The number that a question names; three digits after a mark are thousands there."""
    bare = _DECORATION.sub("", said)
    if not _NUMBER.fullmatch(bare):
        return None
    bare = re.sub(r"[.,](?=\d{3}(?!\d))", "", bare)
    return float(bare.replace(",", "."))
