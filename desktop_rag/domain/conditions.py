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
from desktop_rag.domain.calendar_words import period_of
from desktop_rag.domain.dates import dates_in
from desktop_rag.domain.same_things import are_same, names
from desktop_rag.domain.table_records import Record, Table, is_value
from desktop_rag.domain.terms import fold

_TOKEN = re.compile(r'"[^"]+"|[^\s"]+')
_MOST_VALUE_WORDS = 6
_MOST_DATE_WORDS = 4
_SPOKEN = re.compile(
    r"(?:1[5-9]|20)\d\d(?:-\d\d){0,2}|(?:last|this) (?:week|month|year)|today|yesterday"
)
_DATE_SHARE = 0.8
"""Of a column's cells that must be dates for it to be one of dates."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")

FILLERS = frozenset(condition_words.FILLERS.split())
DENIALS = frozenset(condition_words.DENIALS.split())
"""Some are harmless in one language and deny in another: then they deny."""

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
_IN = {"in", "im", "en", "em", "nel", "w", "i", "в", "from", "of", "aus", "vom", "de", "di", "van"}
"""What a month without its year must follow: `may` and `set` are words, too."""
_OF = {"de", "del", "di", "a", "dem", "the"}
_SINCE = {"since", "seit", "depuis", "desde", "dal", "sinds", "od", "sedan", "с"}
_AFTER = {"after", "nach", "apres", "despues", "dopo", "depois", "na", "po", "efter", "после"}
_BEFORE = {"before", "vor", "avant", "antes", "prima", "voor", "przed", "fore", "до"}
_UNTIL = {"until", "till", "bis", "jusqu'en", "hasta", "fino", "ate", "tot", "do", "по"}
_BETWEEN = {"between", "zwischen", "entre", "tra", "tussen", "pomiedzy", "mellan", "между"}
_OR = {"or", "oder", "ou", "o", "of", "lub", "eller", "или"}
_UNITS = {
    "euro",
    "euros",
    "eur",
    "€",
    "dollars",
    "usd",
    "$",
    "years",
    "jahre",
    "ans",
    "anos",
    "old",
    "anni",
    "jaar",
    "lat",
}
_DECORATION = re.compile(r"[\s\u00a0\u202f'’$€£¥+%]|eur|usd|chf|gbp", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)*")
_YES = {"yes", "y", "true", "1", "x", "ja", "oui", "si", "vero", "sim", "tak", "да", "✓"}
_NO = {"no", "n", "false", "0", "", "-", "nein", "non", "falso", "nao", "nee", "nie", "нет"}


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time: from `start` on, before `end`; or a month of any year."""

    start: date
    end: date
    said: str
    month: int = 0
    """Set when only a month was named: then the years of `start` and `end` mean nothing."""

    def holds(self, days: Sequence[str]) -> bool:
        """Whether one of the days or months, as ISO 8601, lies in it."""
        return any(self._holds(day) for day in days)

    def _holds(self, day: str) -> bool:
        if self.month:
            return day[5:7] == f"{self.month:02}"
        begin, end = self.start.isoformat(), self.end.isoformat()
        return begin[: len(day)] <= day < end[: len(day)]


@dataclass(frozen=True, slots=True)
class Selected:
    """The records that a condition lets through, and how it was understood."""

    records: tuple[Record, ...]
    said: tuple[str, ...] = ()
    """`city is “Berlin”`, `date in 2023`; empty when nothing narrows."""


@dataclass(slots=True)
class _Reading:
    """Words of a condition that are not understood yet; `None` where one was."""

    table: Table
    today: date
    tokens: list[str | None]
    said: list[str] = field(default_factory=list)
    tests: list[Callable[[Record], bool]] = field(default_factory=list)
    values: dict[int, list[str]] = field(default_factory=dict)
    """What columns must hold, any one of it."""

    def take(self, start: int, stop: int) -> None:
        self.tokens[start:stop] = [None] * (stop - start)

    def span(self, start: int, stop: int) -> str | None:
        """The words of a stretch, if none of them was taken."""
        stretch = self.tokens[start:stop]
        return None if None in stretch or stop > len(self.tokens) else " ".join(map(str, stretch))


def tokens_of(condition: str) -> list[str]:
    """Words of a condition, quotations whole and without their quotes."""
    found = (token.strip('"') if '"' in token else token for token in _TOKEN.findall(condition))
    return [token.strip(",;:!?()") or token for token in found if token.strip(",;:!?().")]


def condition_of(tokens: Sequence[str]) -> str:
    """The condition that these are the words of."""
    return " ".join(f'"{one}"' if " " in one else one for one in tokens)


def select(table: Table, condition: str, today: date) -> Selected | None:
    """The records of a table that a condition means; `None`: it is not understood.

    Args:
        condition: the words after the thing that is counted, without the name of the file.
        today: what `last month` is counted from.
    """
    reading = _Reading(table, today, list(tokens_of(condition)))
    for take in _STEPS:
        take(reading)
    _test_values(reading)
    if any(token is not None and not is_filler(token) for token in reading.tokens):
        return None
    records = tuple(one for one in table.records if all(test(one) for test in reading.tests))
    return Selected(records, tuple(reading.said))


def is_filler(token: str) -> bool:
    """Whether a word says nothing about which records are meant."""
    folded = fold(token).strip(".")
    return folded in FILLERS or (folded.startswith(("d'", "l'")) and len(folded) == 2)


def column_for(table: Table, thing: str) -> int | None:
    """The one column that is called like the thing; `None` for none or several."""
    found = [n for n, name in enumerate(table.columns) if _calls(name, thing)]
    return found[0] if len(found) == 1 else None


def _calls(name: str, thing: str) -> bool:
    return fold(name) == fold(thing) or are_same(name, thing)


# ---------------------------------------------------------------------------- values


def _take_quoted_values(reading: _Reading) -> None:
    """Values of several words before shorter ones: `New York` is not `York`."""
    for length in range(_MOST_VALUE_WORDS, 1, -1):
        for start in range(len(reading.tokens) - length + 1):
            said = reading.span(start, start + length)
            if said is not None and (column := _column_holding(reading.table, said)) is not None:
                reading.values.setdefault(column, []).append(said)
                reading.take(start, start + length)


def _take_named_values(reading: _Reading) -> None:
    """`status is open`, `with city = Berlin`: a column's name, then a value of it."""
    for start, token in enumerate(list(reading.tokens)):
        column = column_for(reading.table, token) if token and reading.tokens[start] else None
        if column is None:
            continue
        value = next(
            (n for n in range(start + 1, len(reading.tokens)) if not _is_joint(reading.tokens[n])),
            len(reading.tokens),
        )
        said = reading.span(value, value + 1)
        if said is not None and _holds(reading.table.column(column), said):
            reading.values.setdefault(column, []).append(said)
            reading.take(start, value + 1)
        elif _is_yes_or_no(reading.table.column(column)):
            reading.said.append(f"yes in the column {reading.table.columns[column]}")
            reading.tests.append(lambda one, n=column: fold(_at(one, n)) in _YES)  # type: ignore[misc]
            reading.take(start, start + 1)


def _take_values(reading: _Reading) -> None:
    for start, token in enumerate(reading.tokens):
        if token is None or is_filler(token):
            continue
        column = _column_holding(reading.table, token)
        if column is not None:
            reading.values.setdefault(column, []).append(token)
            reading.take(start, start + 1)


def _test_values(reading: _Reading) -> None:
    """`from Berlin or Munich`: values of one column add up, columns narrow each other."""
    for column, values in reading.values.items():
        cells = {fold(cell) for cell in reading.table.column(column)}
        name = _column_name(reading.table, column)
        is_whole = all(fold(one) in cells for one in values)
        said = " or ".join(f"“{one}”" for one in values)
        reading.said.append(f"{said} in {name}")
        fits = _equals if is_whole else _has_words
        reading.tests.append(_any_of(column, [fold(one) for one in values], fits))
    if len(reading.values) == 1 and len(next(iter(reading.values.values()))) > 1:
        reading.tokens = [one for one in reading.tokens if not one or fold(one) not in _OR]


def _column_name(table: Table, column: int) -> str:
    return f"the column {table.columns[column]}" if column < len(table.columns) else "a cell"


def _any_of(
    column: int, wanted: Sequence[str], fits: Callable[[str, str], bool]
) -> Callable[[Record], bool]:
    return lambda record: any(fits(_at(record, column), one) for one in wanted)


def _column_holding(table: Table, said: str) -> int | None:
    """The one column with such a cell, else the one with such words in its cells."""
    width = max((len(record.cells) for record in table.records), default=0)
    columns = [table.column(n) for n in range(width)]
    for fits in (_equals, _has_words):
        holding = [n for n, cells in enumerate(columns) if any(fits(c, fold(said)) for c in cells)]
        if holding:
            return holding[0] if len(holding) == 1 else None
    return None


def _equals(cell: str, folded: str) -> bool:
    return fold(cell) == folded


def _has_words(cell: str, folded: str) -> bool:
    """Never inside a number or a date: `2022` in `2022-05-17` is no value, nor `40` in `1.40`."""
    if is_value(cell):
        return fold(cell) == folded
    return re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", fold(cell)) is not None


def _holds(cells: Sequence[str], said: str) -> bool:
    return any(_has_words(cell, fold(said)) for cell in cells)


def _is_joint(token: str | None) -> bool:
    joints = {"is", "are", "=", "ist", "sind", "est", "es", "e", "equals", "of", "being", "jest"}
    return token is not None and fold(token) in joints


def _is_yes_or_no(cells: Sequence[str]) -> bool:
    values = {fold(cell) for cell in cells}
    return bool(values & _YES) and values <= _YES | _NO


def _at(record: Record, column: int) -> str:
    return record.cells[column] if column < len(record.cells) else ""


# ---------------------------------------------------------------------------- numbers


def _take_comparisons(reading: _Reading) -> None:
    folded = [fold(token) if token else "" for token in reading.tokens]
    for start in range(len(folded)):
        for length in (3, 2, 1):
            said = " ".join(folded[start : start + length])
            found = _COMPARING.fullmatch(said)
            stop = start + length
            if found is None or stop >= len(folded) or None in reading.tokens[start:stop]:
                continue
            limit = number_in(reading.tokens[stop] or "")
            unit = " ".join(folded[stop : stop + 2])
            column = _compared_column(reading, f"{said} {unit}")
            if limit is None or column is None or _YEAR.fullmatch(folded[stop]):
                continue
            _test_number(reading, column, _SIGNS[int(str(found.lastgroup)[1:])], limit)
            reading.take(start, stop + 1)
            _take_unit(reading, stop + 1)


def _take_between(reading: _Reading) -> None:
    """`between 200 and 300`: both ends are in."""
    for start, token in enumerate(reading.tokens[:-3]):
        if token is None or fold(token) not in _BETWEEN:
            continue
        ends = [number_in(reading.tokens[start + n] or "") for n in (1, 3)]
        column = _compared_column(
            reading, " ".join(filter(None, reading.tokens[start : start + 6]))
        )
        if column is None or ends[0] is None or ends[1] is None:
            continue
        _test_number(reading, column, ">=", ends[0])
        _test_number(reading, column, "<=", ends[1])
        reading.take(start, start + 4)
        _take_unit(reading, start + 4)


def _take_unit(reading: _Reading, index: int) -> None:
    while index < len(reading.tokens) and fold(reading.tokens[index] or "") in _UNITS:
        reading.take(index, index + 1)
        index += 1


def _compared_column(reading: _Reading, said: str) -> int | None:
    """The column a comparison is about: the one that is named, or the one it can only be."""
    table = reading.table
    for start, token in enumerate(reading.tokens):
        column = column_for(table, token) if token else None
        if column is not None and _are_numbers(table.column(column)):
            reading.take(start, start + 1)
            return column
    numeric = [n for n in range(len(table.columns)) if _are_amounts(table, n)]
    asked = _AGE_COLUMN if _AGE.search(said) else _PRICE_COLUMN if _PRICE.search(said) else ()
    found = [n for n in numeric if not asked or any(names(table.columns[n], one) for one in asked)]
    return found[0] if len(found) == 1 else None


def _are_amounts(table: Table, column: int) -> bool:
    """Whether a column holds numbers that can be more or less, not numbers of things."""
    is_id = _ID.search(fold(table.columns[column])) is not None
    return not is_id and _are_numbers(table.column(column))


def _test_number(reading: _Reading, column: int, sign: str, limit: float) -> None:
    compare = _COMPARE[sign]
    cells = reading.table.column(column)
    numbers = dict(zip(cells, numbers_in(cells) or (), strict=True))

    def is_in(record: Record) -> bool:
        number = numbers.get(_at(record, column))
        return number is not None and compare(number, limit)

    reading.said.append(f"a number {sign} {limit:g} in the column {reading.table.columns[column]}")
    reading.tests.append(is_in)


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def _are_numbers(cells: Sequence[str]) -> bool:
    return any(cells) and numbers_in(cells) is not None


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
        name = reading.table.columns[column]
        days = {record: days_in(_at(record, column)) for record in reading.table.records}
        if any(len({period.holds([day]) for day in one}) > 1 for one in days.values()):
            return  # 03/05/2023 may be in March or in May
        reading.said.append(f"a date {period.said} in the column {name}")
        reading.tests.append(lambda one, days=days, p=period: p.holds(days[one]))  # type: ignore[misc]
        reading.take(start, stop)


def period_at(tokens: Sequence[str | None], start: int, today: date) -> tuple[Period, int] | None:
    """The period that the words from `start` on say, and where they end."""
    first = tokens[start]
    if first is None:
        return None
    word = fold(first)
    is_bound = word in _SINCE | _AFTER | _BEFORE | _UNTIL
    begin = start + 1 if is_bound else start
    while (
        is_bound and begin < len(tokens) and fold(tokens[begin] or "?") in ("de", "del", "di", "a")
    ):
        begin += 1
    for stop in range(min(begin + _MOST_DATE_WORDS, len(tokens)), begin, -1):
        stretch = tokens[begin:stop]
        if None in stretch:
            continue
        said = " ".join(map(str, stretch))
        period = _period(said, today)
        is_said = period is not None and (
            not period.month or is_bound or _follows_in(tokens, start)
        )
        if period is not None and is_said:
            return (_bounded(period, word, said) if is_bound else period), stop
    return None


def _follows_in(tokens: Sequence[str | None], start: int) -> bool:
    return start > 0 and fold(tokens[start - 1] or "") in _IN


def _period(said: str, today: date) -> Period | None:
    text = fold(said).strip(" .,")
    if (
        _YEAR.fullmatch(text)
        or re.fullmatch(r"\d{4}-\d{2}(?:-\d{2})?", text)
        or re.fullmatch(r"(?:last|this) (?:week|month|year)|today|yesterday", text)
    ):
        known = period_of(text, today)
    else:
        return _written(said, text, today)
    return Period(*known, f"in {said}") if known else None


def _written(said: str, text: str, today: date) -> Period | None:
    """`March 2023`, `3 May 2023`, and `March` of any year."""
    if not all(_is_of_date(word) for word in text.split()):
        return None
    found = dates_in(text)
    if found and len({day[:7] for day in found}) == 1:
        known = period_of(max(found, key=len), today)
        return Period(*known, f"in {said}") if known else None
    if text.isalpha() and text not in FILLERS and (months := dates_in(f"{text} 2000")):
        month = int(months[0][5:7])
        return Period(date.min, date.max, f"in {said} of any year", month)
    return None


def _is_of_date(word: str) -> bool:
    is_month = len(word) > 2 and bool(dates_in(f"{word} 2000"))
    return is_month or re.fullmatch(r"\d[\d./-]*(?:st|nd|rd|th|er)?", word) is not None


def _bounded(period: Period, word: str, said: str) -> Period:
    if word in _SINCE:
        return Period(period.start, date.max, f"since {said}")
    if word in _AFTER:
        return Period(period.end, date.max, f"after {said}")
    if word in _BEFORE:
        return Period(date.min, period.start, f"before {said}")
    return Period(date.min, period.end, f"until {said}")


def _date_column(reading: _Reading) -> int | None:
    """The column of dates that is meant: the one that is named, else the only one."""
    table = reading.table
    dated = [n for n in range(len(table.columns)) if _are_dates(table.column(n))]
    for start, token in enumerate(reading.tokens):
        named = [n for n in dated if token and names(table.columns[n], token)]
        if len(named) == 1 and not is_filler(str(token)):
            reading.take(start, start + 1)
            return named[0]
    return dated[0] if len(dated) == 1 else None


def _are_dates(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and sum(bool(days_in(one)) for one in filled) >= _DATE_SHARE * len(filled)


def days_in(cell: str) -> tuple[str, ...]:
    """The days, else months, else the year that a cell names."""
    found = dates_in(cell)
    days = tuple(one for one in found if len(one) == 10)
    if days or found:
        return days or tuple(found)
    return (cell.strip(),) if _YEAR.fullmatch(cell.strip()) else ()


_STEPS = (
    _take_quoted_values,
    _take_between,
    _take_comparisons,
    _take_dates,
    _take_named_values,
    _take_values,
)
"""What is told by more words comes first: `New York` before `in March` before `open`."""
