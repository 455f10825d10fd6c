"""Numbers of a text with sign, scale and unit, in any notation, and whether two are the same.

`1,234.50`, `1.234,50` and `1 234.5` are one number. `1.000` may be a thousand or one and is both.
`$3 million` is not `$3 billion`, `5 kg` not `5 lb`; a number without a unit, as in a cell of a
table, may have any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from desktop_rag.domain.facts.units import NUMBER_WORDS, ORDINALS, SCALES, TENS, UNITS

_NUMBER = re.compile(
    r"(?P<sign>(?<![\d%]\s)(?<![\w.)\]%-])[-−–](?=[$€£¥]?\d))?"
    r"(?:(?P<currency>US\$|[$€£¥₹]|(?<![A-Za-z])(?:USD|EUR|GBP|CHF|JPY|INR))[ \u00a0]?)?"
    r"(?P<number>(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)"
    r"|\d+(?:[.,'’]\d+)*)"
)
_AFTER = re.compile(r"[ \u00a0\u202f-]?(?P<word>[^\W\d_]+[²³]?|[%‰€$£¥₹¢″]|°\s?[CFcf]?)(?![\w²³])")
_SECOND = re.compile(r"[ \u00a0-](?P<word>[^\W\d_]+)")
_SLASH = re.compile(r"(?P<word>[a-z]{1,4}/[a-z]{1,2})\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NO_RANKS = frozenset({"first", "second"})
"""May open an enumeration or be a unit of time."""
_ARTICLES = frozenset({"a", "an", "ein", "eine", "einen", "einem", "un", "une", "una"})
_DECADE = re.compile(r"(?<!\d)(?:1\d|20)\d0(?=['’]?s\b)")
DECADE = "'s"
"""Unit of 1970 in "the 1970s"."""
_FALL = re.compile(
    r"\b(?:fell|fall\w*|drop\w*|decreas\w*|declin\w*|loss\w*|lost|lower\w*|down|minus|negative|below"
    r"|reduc\w*|shrank|shrink\w*|deficit|sank|gesunken|verlust\w*|rückgang|minus|baisse|perte)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text."""

    readings: frozenset[str]
    """Canonical decimals it may mean, without sign."""
    unit: str
    """Of `units.UNITS`; empty when none is known."""
    scale: int
    """Power of ten that a word behind it says."""
    is_negative: bool
    start: int
    end: int

    @property
    def scaled(self) -> frozenset[str]:
        """The readings with their scale; a version (1.2.3) is no number and has none."""
        return frozenset(
            one if one.count(".") > 1 else canonical(f"{Decimal(one).scaleb(self.scale):f}")
            for one in self.readings
        )


def quantities(text: str) -> list[Quantity]:
    """All numbers of a text, in digits and in words. A bare "one" is a pronoun and left out."""
    found = [_in_digits(one, text) for one in _NUMBER.finditer(text)]
    return found + list(_in_words(text))


def loose_numbers(text: str) -> frozenset[str]:
    """Numbers as a source may be read, too: parts of groups with spaces, ordinals."""
    parts = {canonical(part) for part in re.findall(r"\d+", text)}
    ordinals = {ORDINALS.get(word, 0) for word in _WORD.findall(text.lower())} - {0}
    return frozenset(parts.union(map(str, ordinals)))


def is_held(said: Quantity, source: Quantity, *, is_fall: bool) -> bool:
    """Whether a source's number bears out one that is said.

    Args:
        said: of the statement.
        source: of the source.
        is_fall: one of the two texts says in words that something went down, so signs tell nothing.
    """
    if said.unit and source.unit and said.unit != source.unit:
        return False
    if said.is_negative != source.is_negative and not is_fall:
        return False
    if said.readings & source.readings and (said.scale == source.scale or not source.scale):
        return True
    return bool(said.scaled & source.scaled)


def says_fall(text: str) -> bool:
    """Whether a text says that something went down."""
    return bool(_FALL.search(text))


def canonical(number: str) -> str:
    """A decimal without needless zeros: `012.50` is `12.5`."""
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def decades(text: str) -> frozenset[str]:
    """Decades a text names, by their first three digits: `197` for the 1970s."""
    return frozenset(one.group()[:3] for one in _DECADE.finditer(text))


def _in_digits(found: re.Match[str], text: str) -> Quantity:
    if _DECADE.match(text, found.start("number")):
        return Quantity(
            _readings(found["number"]),
            DECADE,
            scale=0,
            is_negative=False,
            start=found.start(),
            end=found.end(),
        )
    unit = UNITS[found["currency"].casefold()] if found["currency"] else ""
    scale, behind, end = _behind(text, found.end(), is_money=bool(unit))
    bracketed = text[found.start() - 1 : found.start()] == "(" and text[end : end + 1] == ")"
    return Quantity(
        readings=_readings(found["number"]),
        unit=unit or behind,
        scale=scale,
        # Accounts write losses in brackets; `(5)` in prose is a note, and has no unit.
        is_negative=bool(found["sign"]) or (bracketed and bool(unit or behind)),
        start=found.start(),
        end=end,
    )


def _in_words(text: str) -> Iterator[Quantity]:
    for value, start, at in _said_numbers(text):
        scale, unit, end = _behind(text, at, is_money=False)
        # A bare "one" is a pronoun, an article without a unit no number.
        if value > 1 or unit or scale:
            readings = frozenset({str(value)})
            yield Quantity(readings, unit, scale, is_negative=False, start=start, end=end)


def _said_numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Numbers in words up to 99, articles as 1: value, start, end."""
    words = [(one.group().lower(), one.start(), one.end()) for one in _WORD.finditer(text)]
    is_joined = False
    for (word, start, end), (after, begin, finish) in pairwise([*words, ("", 0, 0)]):
        if is_joined:
            is_joined = False
            continue
        value = TENS.get(word) or NUMBER_WORDS.get(word, int(word in _ARTICLES))
        value = value or ORDINALS.get(word, 0) * (word not in _NO_RANKS)
        is_joined = word in TENS and after in NUMBER_WORDS and text[end:begin] in {" ", "-"}
        if is_joined:
            yield value + NUMBER_WORDS[after], start, finish
        elif value:
            yield value, start, end


def _behind(text: str, at: int, *, is_money: bool) -> tuple[int, str, int]:
    """Scale and unit that stand behind a number, and where they end."""
    scale = 0
    if (word := _AFTER.match(text, at)) and (power := _scale(word["word"], is_money=is_money)):
        scale, at = power, word.end()
    if slash := _SLASH.match(text, at + (text[at : at + 1] in {" ", "\u00a0"})):
        unit = UNITS.get(slash["word"].casefold(), "")
        if unit:
            return scale, unit, slash.end()
    word = _AFTER.match(text, at)
    if word is None:
        return scale, "", at
    first = word["word"].casefold().replace(" ", "")
    if second := _SECOND.match(text, word.end()):
        unit = UNITS.get(f"{first}-{second['word'].casefold()}", "")
        if unit:
            return scale, unit, second.end()
    unit = UNITS.get(first, "")
    return (scale, unit, word.end()) if unit else (scale, "", at)


def _scale(word: str, *, is_money: bool) -> int:
    if is_money and word in {"m", "M"}:
        return 6
    if is_money and word in {"B", "b"}:
        return 9
    return SCALES.get(word.casefold(), 0)


def _readings(number: str) -> frozenset[str]:
    """The decimals a number in digits may mean."""
    bare = re.sub(r"[ \u00a0\u202f'’]", "", number)
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        decimal = max(".", ",", key=bare.rfind)
        grouping = "," if decimal == "." else "."
        return frozenset({canonical(bare.replace(grouping, "").replace(decimal, "."))})
    joint = "." if points else ","
    grouped = canonical(bare.replace(joint, ""))
    if points + commas == 0:
        return frozenset({canonical(bare)})
    if points + commas > 1:
        return frozenset({grouped, canonical(bare)} if joint == "." else {grouped})
    decimal_reading = canonical(bare.replace(joint, "."))
    is_group = len(bare.rpartition(joint)[2]) == 3
    return frozenset({grouped, decimal_reading} if is_group else {decimal_reading})
