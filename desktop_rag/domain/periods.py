"""Periods of time in the words of a question: `in March 2023`, `since 2022`, `last month`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from desktop_rag.domain.calendar_words import period_of
from desktop_rag.domain.dates import dates_in
from desktop_rag.domain.terms import fold

YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_MOST_DATE_WORDS = 4
_IN = {"in", "im", "en", "em", "nel", "w", "i", "в", "from", "of", "aus", "vom", "de", "di", "van"}
"""What a month without its year must follow: `may` and `set` are words, too."""
_SINCE = {"since", "seit", "depuis", "desde", "dal", "sinds", "od", "sedan", "с"}
_AFTER = {"after", "nach", "apres", "despues", "dopo", "depois", "na", "po", "efter", "после"}
_BEFORE = {"before", "vor", "avant", "antes", "prima", "voor", "przed", "fore", "до"}
_UNTIL = {"until", "till", "bis", "jusqu'en", "hasta", "fino", "ate", "tot", "do", "по"}


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
        YEAR.fullmatch(text)
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
    if text.isalpha() and (months := dates_in(f"{text} 2000")):
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


def days_in(cell: str) -> tuple[str, ...]:
    """The days, else months, else the year that a cell names."""
    found = dates_in(cell)
    days = tuple(one for one in found if len(one) == 10)
    if days or found:
        return days or tuple(found)
    return (cell.strip(),) if YEAR.fullmatch(cell.strip()) else ()
