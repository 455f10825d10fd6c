"""Days as people write them in a filter: `2023`, `2023-05`, `2023-05-17`, `yesterday`."""

from __future__ import annotations

import re
from datetime import date, timedelta

_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,4})\s*(d|days?|w|weeks?|m|months?|y|years?)(?:\s+ago)?")
# fmt: off
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)
# fmt: on
_NAMED_MONTH = re.compile(rf"({'|'.join(MONTHS)})\s+(\d{{4}})")


def first_day(text: str) -> date | None:
    """The day, or the first day of the month or year, that `text` writes in numbers."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    return _day(year, month, day)


def day_of(text: str, today: date) -> date | None:
    """`first_day`, or a word: `yesterday`, `last month`, `2 weeks ago`, `May 2023`.

    A period is its first day: `last year` said on 2024-05-17 is 2023-01-01.
    """
    words = " ".join(re.split(r"[\s_-]+", text.strip().lower()))
    numbered = first_day(text)
    if numbered is not None:
        return numbered
    if named := _NAMED_MONTH.fullmatch(words):
        return _day(int(named[2]), MONTHS.index(named[1]) + 1, 1)
    if ago := _AGO.fullmatch(words):
        return _before(today, int(ago[1]), ago[2][0])
    return _spoken(words, today)


def period_of(text: str, today: date) -> tuple[date, date] | None:
    """First day of a period, and the first day after it: `last year`, `2023`, `2023-05`."""
    start = day_of(text, today)
    if start is None:
        return None
    words = " ".join(re.split(r"[\s_-]+", text.strip().lower()))
    parts = len(re.findall(r"[-/.]", text.strip())) if first_day(text) else -1
    if parts == 0 or words.endswith("year"):
        return start, _day(start.year + 1, 1, 1) or date.max
    if parts == 1 or words.endswith("month") or _NAMED_MONTH.fullmatch(words):
        return start, _before(start, -1, "m") or date.max
    days = 7 if words.endswith("week") else 1
    return start, start + timedelta(days=min(days, (date.max - start).days))


def _spoken(words: str, today: date) -> date | None:
    monday = today - timedelta(days=today.weekday())
    return {
        "today": today,
        "yesterday": today - timedelta(days=1),
        "this week": monday,
        "last week": monday - timedelta(days=7),
        "this month": today.replace(day=1),
        "last month": _before(today.replace(day=1), 1, "m"),
        "this year": date(today.year, 1, 1),
        "last year": date(today.year - 1, 1, 1),
    }.get(words)


def _before(today: date, count: int, unit: str) -> date | None:
    if unit in "dw":
        return today - timedelta(days=min(count * (7 if unit == "w" else 1), today.toordinal() - 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    # The 31st of a shorter month is its last day.
    return next(filter(None, (_day(year, month + 1, today.day - less) for less in range(4))), None)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
