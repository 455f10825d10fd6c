"""What is written in many ways and means one thing: dates, numbers, sections, account numbers.

Keyword search keeps these beside the words, so that each notation finds the others.
"""

from __future__ import annotations

import re

from desktop_rag.domain.dates import dates_in
from desktop_rag.domain.terms import fold

SIGN = "#"
"""Begins what no word is."""

# Each begins with what is rare, not with a look behind: that makes them several times faster.
# 1.000 may be a thousand or one: it counts as both.
_GROUPED = re.compile(
    r"\d(?<![\d.,]\d)\d{0,2}(?:(?:\.\d{3})+|(?:['’]\d{3})+|(?: \d{3})+)(?!\d|[.,]\d)"
)
_DECIMAL = re.compile(r"\d(?<![\d.,]\d)\d*,\d{1,2}(?!\d|[.,]\d)")
_SECTION = re.compile(r"§+ ?(\d+[a-z]?)\b")
_ACCOUNT = re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_LONG_NUMBER = re.compile(r"\d(?<![\w-]\d)\d*(?:-\d+){2,}(?![\w-])")
_LEAST_DIGITS = 9
_BROKEN = re.compile(r"([^\W\d_]{2,})-\n[ \t]*([^\W\d_]{2,})")


def same_things(text: str) -> list[str]:
    """One term for each date, number, section … of a text that can be written otherwise."""
    found = [f"{SIGN}{date}" for date in dates_in(text)]
    if "-\n" in text:
        found += [fold(one[1] + one[2]) for one in _BROKEN.finditer(text) if one[2].islower()]
    if "§" in text:
        found += [f"{SIGN}§{one}" for one in _SECTION.findall(text)]
    if any(character.isdigit() for character in text):
        found += _numbers(text)
    return list(dict.fromkeys(found))


def _numbers(text: str) -> list[str]:
    found = [re.sub(r"\D", "", one) for one in _GROUPED.findall(text)]
    found += [one.replace(",", ".") for one in _DECIMAL.findall(text)]
    found += [one.replace(" ", "").lower() for one in _ACCOUNT.findall(text)]
    long = (re.sub(r"\D", "", one) for one in _LONG_NUMBER.findall(text))
    return found + [one for one in long if len(one) >= _LEAST_DIGITS]
