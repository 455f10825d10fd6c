"""Writes spreadsheet values the way their program shows them: dates, percentages, money, numbers.

The rules for number formats follow ECMA-376 part 1, section 18.8.31, as far as percentages and
currencies go; all other numbers are written in full.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]\-]*)(?:-[^\]]*)?\]')
_SYMBOL = re.compile(r"[$€£¥₹₩₽₺]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR)\b|\bkr\b|\bzł")
_BRACKETS = re.compile(r"\[[^\]]*\]|_.|\*.")
_DECIMALS = re.compile(r"\.(0+)")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What is shown beside the digits."""

    decimals: int
    is_percent: bool = False
    symbol: str = ""
    is_symbol_first: bool = False


def number_format(code: str) -> NumberFormat | None:
    """The format of a percentage or an amount of money; `None` for all other format codes."""
    section = _LITERAL.sub(lambda m: m[1] or m[2] or m[3] or "", code.split(";")[0])
    section = _BRACKETS.sub("", section)
    decimals = _DECIMALS.search(section)
    places = len(decimals[1]) if decimals else 0
    if "%" in section:
        return NumberFormat(places, is_percent=True)
    symbol = _SYMBOL.search(section)
    digits = re.search(r"[0#]", section)
    if not symbol or not digits:
        return None
    return NumberFormat(
        places, symbol=symbol.group(), is_symbol_first=symbol.start() < digits.start()
    )


def cell_text(value: object, shown: NumberFormat | None = None) -> str:
    """A cell's value as text; empty for an empty cell."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return _formatted(value, shown) if shown else _number(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else _moment(value)
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    return "" if value is None else str(value)


def _number(value: float) -> str:
    """Up to fifteen digits, which is what spreadsheets keep; no exponent below 10^21."""
    if float(value).is_integer() and abs(value) < 2**53:
        return str(int(value))
    text = f"{value:.15g}"
    if "e" not in text or not 1e-9 < abs(value) < 1e21:
        return text
    plain = f"{Decimal(text):f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _formatted(value: float, shown: NumberFormat) -> str:
    if shown.is_percent:
        return f"{value * 100:.{shown.decimals}f}%"
    digits = f"{abs(value):,.{shown.decimals}f}"
    sign = "-" if value < 0 else ""
    if not shown.is_symbol_first:
        return f"{sign}{digits} {shown.symbol}"
    gap = " " if shown.symbol.isalpha() else ""
    return f"{sign}{shown.symbol}{gap}{digits}"


def _moment(value: datetime) -> str:
    return value.replace(microsecond=0).isoformat(sep=" ")


def _duration(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
