"""Identifiers of a text: model numbers, versions, article numbers, numbered sections and tables.

`HX-250`, `HX 250` and `hx250` are one, `HX-200` is another, however alike the passages read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.domain.facts.units import UNITS
from desktop_rag.domain.terms import FUNCTION_WORDS, fold

_TOKEN = re.compile(r"(?<![\w.])[A-Za-z0-9]+(?:[-_./][A-Za-z0-9]+)*(?![\w])")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+){2,}[a-z]?|[vV]\d+(?:\.\d+)*")
_APART = re.compile(r"\b(?P<letters>[A-Z]{1,5}|[A-Z][a-z]?[A-Z]) (?P<digits>\d{1,5}[A-Za-z]?)\b")
_NO_CODE = re.compile(
    r"\d+(?:st|nd|rd|th|s|er|e)|\d+(?:[kKmMbB]|bn|mn)|[A-Za-z]{3}\d{1,2}[A-Za-z]{3}"
    r"|(?:US|EUR|USD|GBP)\d+|\d+(?:\.\d+)?[a-z]{3,}",
)
_LABELLED = re.compile(
    r"\b(?P<label>[^\W\d_]{3,})s?[ \u00a0](?:No\.?[ \u00a0]|Nr\.?[ \u00a0])?"
    r"(?P<number>\d{1,4}[a-z]?(?:\.\d+)*)(?![\w%]|[.,]\d)"
    r"(?=(?P<word>[ -][^\W\d_]*[a-z])?)"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LABELS = frozenset(
    """
    section sections article articles chapter clause paragraph table figure page step level
    version release type class phase part appendix annex item rule model grade zone room
    building stage series form line window windows abschnitt artikel kapitel tabelle seite
    absatz stufe schritt teil anhang tarif chapitre tableau étape capítulo tabla paso
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


@dataclass(frozen=True, slots=True)
class Code:
    """An identifier as it is compared, and the span that holds it."""

    key: str
    start: int
    end: int

    @property
    def family(self) -> str:
        """Letters it begins with: what is alike in `HX-250` and `HX-200`."""
        found = re.match(r"[a-z]+", self.key)
        return found.group() if found else ""


def codes(text: str) -> list[Code]:
    """Identifiers in order."""
    found = list(_written_as_one(text))
    taken = {one.start for one in found}
    for one in _APART.finditer(text):
        if one.start() not in taken and not _YEAR.fullmatch(one["digits"]):
            found.append(Code(fold(one["letters"] + one["digits"]), one.start(), one.end()))
    return sorted(found, key=lambda one: one.start)


def labelled(text: str) -> dict[str, frozenset[str]]:
    """Numbers that stand behind a word as its name: `section 4.2`, `Windows 11`."""
    found: dict[str, frozenset[str]] = {}
    for one in _LABELLED.finditer(text):
        label = fold(one["label"]).removesuffix("s")
        # "Revenue 5 million" counts something: a name stands alone, or is a known one.
        is_label = label in _LABELS or (one["label"][0].isupper() and not one["word"])
        if is_label and label not in FUNCTION_WORDS and not _YEAR.fullmatch(one["number"]):
            found[label] = found.get(label, frozenset()) | {one["number"]}
    return found


def _written_as_one(text: str) -> Iterator[Code]:
    for one in _TOKEN.finditer(text):
        token = one.group()
        if _VERSION.fullmatch(token):
            yield Code(token.lower().removeprefix("v"), one.start(), one.end())
        elif _is_code(token):
            yield Code(re.sub(r"[-_/]", "", fold(token)), one.start(), one.end())


def _is_code(token: str) -> bool:
    if not (re.search(r"\d", token) and re.search(r"[A-Za-z]", token)):
        return False
    if _NO_CODE.fullmatch(token):
        return False
    number = re.fullmatch(r"\d+(?:[.,]\d+)*[-/]?(?P<unit>[A-Za-z]+)", token)
    if number and number["unit"].lower() in UNITS:
        return False
    parts = re.split(r"[-_./]", token)
    if len(parts) > 1 and all(
        part.isdigit() or (part.isalpha() and part.islower()) for part in parts
    ):
        # `12-month`, `post-1945`: a number and a word.
        return len(parts) == 2 and parts[1].isdigit() and len(parts[0]) <= 3
    # `1973-1974` and `mid-1970s` are numbers, `Post-1945` a word before one.
    return not re.fullmatch(r"[A-Za-z][a-z]{2,}-(?:1[5-9]|20)\d\ds?", token)
