"""Dates a text states, so that one in any notation meets its source: `3 May 2023`, `2023-05-03`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.domain.dates import MONTHS, date_spans
from desktop_rag.domain.terms import fold

_DAY_AND_MONTH = re.compile(
    r"(?<![\w.,])(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?(?: of| de)? (?P<month>[^\W\d_]{3,14})"
    r"|(?P<month_first>[A-Z][a-z]{2,13})\.? (?P<day_last>\d{1,2})(?:st|nd|rd|th)?(?![\w.,:]\d|\d)"
)
_MONTH = re.compile(r"\b[A-Z][^\W\d_]{2,13}")
"""With a small first letter it may be a verb or an adverb: may, march, mar."""


@dataclass(frozen=True, slots=True)
class Day:
    """A date in a statement: any of its readings bears it out."""

    readings: frozenset[str]
    """`2023-05-03`, `2023-05`, `--05-03`, `--05`."""
    start: int
    end: int


def days(text: str) -> list[Day]:
    """Dates of a text as exactly as it states them."""
    found: list[Day] = []
    for date, start, end in sorted(date_spans(text), key=lambda one: (one[1], -len(one[0]))):
        last = found[-1] if found else None
        if last is not None and start < last.end:
            # `03/05/2023` may be two days; the month inside `3 May 2023` is no date of its own.
            if all(len(date) == len(known) for known in last.readings):
                end = max(end, last.end)
                found[-1] = Day(last.readings | {date}, last.start, end)
            continue
        found.append(Day(frozenset({date}), start, end))
    taken = [(one.start, one.end) for one in found]
    return found + [one for one in _without_year(text) if not _is_in(one, taken)]


def known_days(text: str) -> frozenset[str]:
    """Every form in which a source's dates may be asked for, down to the month alone."""
    known: set[str] = set()
    for date, _, _ in date_spans(text):
        known |= {date, date[:7], f"-{date[4:]}", f"-{date[4:7]}"}
    for one in _without_year(text):
        known |= one.readings
        known |= {reading[:4] for reading in one.readings}
    return frozenset(known)


def _without_year(text: str) -> Iterator[Day]:
    end = 0
    for one in _DAY_AND_MONTH.finditer(text):
        month = MONTHS.get(fold(one["month"] or one["month_first"]), 0)
        day = int(one["day"] or one["day_last"])
        if month and 1 <= day <= 31:
            end = one.end()
            yield Day(frozenset({f"--{month:02}-{day:02}"}), one.start(), end)
    for one in _MONTH.finditer(text):
        month = MONTHS.get(fold(one.group()), 0)
        if month and one.start() >= end:
            yield Day(frozenset({f"--{month:02}"}), one.start(), one.end())


def _is_in(one: Day, spans: list[tuple[int, int]]) -> bool:
    return any(start <= one.start < end for start, end in spans)
