"""Understands what narrows a count: `are from Berlin`, `in March 2023`, `over 1,000 €`, `unpaid`.

A condition is understood when every word of it is: as a value that a column holds, a date, a
comparison, or a word that says nothing by itself. Otherwise it is not, and nothing is counted by
guess: a number that looks exact and is not does more harm than none.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from desktop_rag.domain import condition_words
from desktop_rag.domain.condition_tokens import is_filler, tokens_of
from desktop_rag.domain.periods import YEAR, period_at
from desktop_rag.domain.same_things import names
from desktop_rag.domain.table_columns import Columns, Test, number_in
from desktop_rag.domain.table_records import Record, Table
from desktop_rag.domain.terms import fold

_MOST_VALUE_WORDS = 6

_COMPARISONS: tuple[tuple[str, str], ...] = (
    (r"at least|mindestens|au moins|al menos|almeno|pelo menos|minstens|ab|>=", ">="),
    (r"at most|up to|hochstens|bis zu|au plus|como maximo|al massimo|no maximo|hoogstens|<=", "<="),
    (
        r"more than|greater than|higher than|over|above|older than|exceeding|larger than|mehr als|"
        r"uber|alter als|grosser als|hoher als|plus de|superieure?s? a|mas de|mayor(?:es)? (?:que|"
        r"de)|"
        r"piu di|oltre|maggior[ei] di|mais de|acima de|meer dan|ouder dan|boven|>",
        ">",
    ),
    (
        r"less than|fewer than|smaller than|lower than|under|below|younger than|cheaper than|"
        r"weniger "
        r"als|unter|junger als|kleiner als|moins de|inferieure?s? a|menos de|menor(?:es)? (?:que|"
        r"de)|"
        r"meno di|minor[ei] di|sotto|abaixo de|minder dan|jonger dan|onder|<",
        "<",
    ),
)
_COMPARING = re.compile("|".join(f"(?P<c{n}>{said})" for n, (said, _) in enumerate(_COMPARISONS)))
_SIGNS = [sign for _, sign in _COMPARISONS]
_PRICE = re.compile(r"[€$£]|\beur|euro|usd|dollar|cost|cheap|expensive|kost|teuer|coute|cuesta")
_ID = re.compile(r"\b(?:id|no|nr|number|nummer|numero|code|year|jahr|zip|plz)\b")
_AGE = re.compile(r"older|younger|alter als|junger|ouder|jonger|years|jahre|ans|anos|jaar")
_AGE_COLUMN = condition_words.AGE_COLUMN.split()
_PRICE_COLUMN = condition_words.PRICE_COLUMN.split()
_BETWEEN = {"between", "zwischen", "entre", "tra", "tussen", "pomiedzy", "mellan", "между"}
_JOINTS = {"is", "are", "=", "ist", "sind", "est", "es", "e", "equals", "of", "being", "jest"}
_OR = {"or", "oder", "ou", "o", "of", "lub", "eller", "или"}
_UNITS = frozenset(condition_words.UNITS.split())


@dataclass(frozen=True, slots=True)
class Selected:
    """The records that a condition lets through, and how it was understood."""

    records: tuple[Record, ...]
    said: tuple[str, ...] = ()
    """`“Berlin” in the column city`; empty when nothing narrows."""


@dataclass(slots=True)
class _Reading:
    """Words of a condition that are not understood yet; `None` where one was."""

    columns: Columns
    today: date
    tokens: list[str | None]
    said: list[str] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    values: dict[int, list[str]] = field(default_factory=dict)
    """What columns must hold, any one of it."""

    def take(self, start: int, stop: int) -> None:
        self.tokens[start:stop] = [None] * (stop - start)

    def span(self, start: int, stop: int) -> str | None:
        """The words of a stretch, if none of them was taken."""
        stretch = self.tokens[start:stop]
        return None if None in stretch or stop > len(self.tokens) else " ".join(map(str, stretch))

    def folded(self, index: int) -> str:
        """A word as it is compared; empty where one was taken, and behind the end."""
        return fold(self.tokens[index] or "") if index < len(self.tokens) else ""

    def narrow(self, said: str, test: Test) -> None:
        self.said.append(said)
        self.tests.append(test)


def select(table: Table, condition: str, today: date) -> Selected | None:
    """The records of a table that a condition means; `None`: it is not understood.

    Args:
        table: where to look.
        condition: the words after the thing that is counted, without the name of the file.
        today: what `last month` is counted from.
    """
    reading = _Reading(Columns(table), today, list(tokens_of(condition)))
    for take in _STEPS:
        take(reading)
    if any(token is not None and not is_filler(token) for token in reading.tokens):
        return None
    records = tuple(one for one in table.records if all(test(one) for test in reading.tests))
    return Selected(records, tuple(reading.said))


# ---------------------------------------------------------------------------- values


def _take_long_values(reading: _Reading) -> None:
    """Values of several words before shorter ones: `New York` is not `York`."""
    for length in range(_MOST_VALUE_WORDS, 1, -1):
        for start in range(len(reading.tokens) - length + 1):
            said = reading.span(start, start + length)
            column = reading.columns.holding(said) if said is not None else None
            if said is not None and column is not None:
                reading.values.setdefault(column, []).append(said)
                reading.take(start, start + length)


def _take_named_values(reading: _Reading) -> None:
    """`status is open`, `with city = Berlin`: a column's name, then a value of it."""
    columns = reading.columns
    for start in range(len(reading.tokens)):
        token = reading.tokens[start]
        column = columns.called(token) if token else None
        if column is None:
            continue
        value = start + 1
        while reading.folded(value) in _JOINTS:
            value += 1
        said = reading.span(value, value + 1)
        if said is not None and columns.cells_equal(column, said):
            reading.values.setdefault(column, []).append(said)
            reading.take(start, value + 1)
        elif columns.are_yes_or_no(column):
            reading.narrow(f"yes in the column {columns.name(column)}", columns.is_yes(column))
            reading.take(start, start + 1)


def _take_values(reading: _Reading) -> None:
    for start, token in enumerate(reading.tokens):
        if token is None or is_filler(token):
            continue
        column = reading.columns.holding(token)
        if column is not None:
            reading.values.setdefault(column, []).append(token)
            reading.take(start, start + 1)


def _test_values(reading: _Reading) -> None:
    """`from Berlin or Munich`: values of one column add up, columns narrow each other."""
    columns = reading.columns
    for column, values in reading.values.items():
        cells = [columns.cells_equal(column, value) for value in values]
        if not all(cells):
            cells = [columns.cells_with_words(column, value) for value in values]
        said = " or ".join(f"“{value}”" for value in values)
        name = columns.name(column)
        where = f"in the column {name}" if name else "in a cell"
        reading.narrow(f"{said} {where}", columns.among(column, set().union(*cells)))
    if len(reading.values) == 1 and len(next(iter(reading.values.values()))) > 1:
        reading.tokens = [one for one in reading.tokens if not one or fold(one) not in _OR]


# ---------------------------------------------------------------------------- numbers


def _take_comparisons(reading: _Reading) -> None:
    for start in range(len(reading.tokens)):
        for length in (3, 2, 1):
            stop = start + length
            said = reading.span(start, stop)
            found = _COMPARING.fullmatch(fold(said)) if said else None
            limit = number_in(reading.folded(stop))
            if found is None or limit is None or YEAR.fullmatch(reading.folded(stop)):
                continue
            sign = _SIGNS[int(str(found.lastgroup)[1:])]
            if _compare(reading, (start, stop), [(sign, limit)]):
                reading.take(start, stop + 1)
                _take_unit(reading, stop + 1)


def _take_between(reading: _Reading) -> None:
    """`between 200 and 300`: both ends are in."""
    for start in range(len(reading.tokens) - 3):
        ends = [number_in(reading.folded(start + n)) for n in (1, 3)]
        if reading.folded(start) not in _BETWEEN or ends[0] is None or ends[1] is None:
            continue
        limits = [(">=", ends[0]), ("<=", ends[1])]
        if _compare(reading, (start, start + 3), limits):
            reading.take(start, start + 4)
            _take_unit(reading, start + 4)


def _take_unit(reading: _Reading, index: int) -> None:
    while reading.folded(index) in _UNITS:
        reading.take(index, index + 1)
        index += 1


def _compare(
    reading: _Reading, around: tuple[int, int], limits: Sequence[tuple[str, float]]
) -> bool:
    """Narrow by limits in the column that is meant; false when it is not clear which.

    Args:
        reading: what is narrowed.
        around: where the comparison begins, and where its last number is.
        limits: how a cell compares with which number.
    """
    said = " ".join(reading.folded(n) for n in range(around[0], around[1] + 3))
    column = _compared_column(reading, said)
    if column is None:
        return False
    numbers = reading.columns.numbers(column)
    for sign, limit in limits:
        cells = {c for c, n in numbers.items() if n is not None and _COMPARE[sign](n, limit)}
        told = f"a number {sign} {limit:.15g} in the column {reading.columns.name(column)}"
        reading.narrow(told, reading.columns.among(column, cells))
    return True


def _compared_column(reading: _Reading, said: str) -> int | None:
    """The column a comparison is about: the one that is named, or the one it can only be."""
    columns = reading.columns
    for start, token in enumerate(reading.tokens):
        column = columns.called(token) if token else None
        if column is not None and columns.numbers(column):
            reading.take(start, start + 1)
            return column
    amounts = [
        n
        for n in range(columns.count)
        if columns.numbers(n) and columns.name(n) and not _ID.search(fold(columns.name(n)))
    ]
    asked = _AGE_COLUMN if _AGE.search(said) else _PRICE_COLUMN if _PRICE.search(said) else ()
    found = [n for n in amounts if not asked or any(names(columns.name(n), a) for a in asked)]
    return found[0] if len(found) == 1 else None


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


# ---------------------------------------------------------------------------- dates


def _take_dates(reading: _Reading) -> None:
    for start in range(len(reading.tokens)):
        found = period_at(reading.tokens, start, reading.today)
        if found is None:
            continue
        period, stop = found
        column = _date_column(reading)
        if column is None:
            return
        days = reading.columns.days(column)
        if any(len({period.holds([day]) for day in one}) > 1 for one in days.values()):
            return  # 03/05/2023 may be in March or in May
        cells = {cell for cell, one in days.items() if period.holds(one)}
        told = f"a date {period.said} in the column {reading.columns.name(column)}"
        reading.narrow(told, reading.columns.among(column, cells))
        reading.take(start, stop)


def _date_column(reading: _Reading) -> int | None:
    """The column of dates that is meant: the one that is named, else the only one."""
    columns = reading.columns
    dated = [n for n in range(columns.count) if columns.name(n) and columns.days(n)]
    for start, token in enumerate(reading.tokens):
        if token is None or is_filler(token):
            continue
        named = [n for n in dated if names(columns.name(n), token)]
        if len(named) == 1:
            reading.take(start, start + 1)
            return named[0]
    return dated[0] if len(dated) == 1 else None


_STEPS = (
    _take_long_values,
    _take_between,
    _take_comparisons,
    _take_dates,
    _take_named_values,
    _take_values,
    _test_values,
)
"""What is told by more words comes first: `New York` before `in March` before `open`."""
