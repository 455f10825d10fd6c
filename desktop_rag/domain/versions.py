"""Copies and revisions of one document: which files are that, and which is the newest.

`handbook-v2.docx` and `handbook-v3.docx`, `lease.pdf` and `lease (1).pdf`. Never by name alone: the
texts must agree, numbers aside. Years and quarters in a name tell editions that all stay true, and
two contracts from one template, one with Miller and one with Smith, are two documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.domain.dates import dates_in
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import Tier
from desktop_rag.domain.naming import Holding
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.terms import FUNCTION_WORDS, fold

TextOf = Callable[[DocumentId], str]

_START, _END = r"(?<![^\W_])", r"(?![^\W_])"
_NUMBERED = re.compile(
    rf"{_START}(?:v|ver|version|rev|revision|edition|ed|fassung|ausgabe|auflage)[ ._-]*"
    rf"(?:(?P<number>\d+(?:[._]\d+)*)|(?P<letter>[a-z])){_END}"
)
_COPY = re.compile(
    rf"\s*\(\d{{1,2}}\)|{_START}(?:copy of|kopie von|copy|kopie|copie|copia){_END}[ _-]*\d*"
)
_STATE = re.compile(
    rf"{_START}(?:draft|entwurf|final|endfassung|latest|new|neu|newest|old|alt|current|aktuell|signed|"
    rf"updated|revised|superseded|archived?|backup|bak|obsolete){_END}"
)
_PAST = re.compile(
    rf"{_START}(?:draft|entwurf|old|alt|superseded|archived?|backup|bak|obsolete){_END}"
)
_OLDER = re.compile(
    rf"{_START}(?:older|previous|earlier|former|draft|superseded|archived|entwurf|vorige\w*|"
    rf"altere\w*|(?:the|an|my|our|in) old){_END}"
)
_DATE = re.compile(r"(?<!\d)(?:\d{4}[-_.]?[01]\d[-_.]?[0-3]\d|[0-3]\d[-_.][01]\d[-_.]\d{4})(?!\d)")
_PERIOD = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<![^\W_])q[1-4](?![^\W_])|(?<![^\W_])h[12](?!\w)"
)
_CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_TIERS = (Tier.BACKGROUND, Tier.NORMAL, Tier.PRIMARY)
_READ_CHARS = 200_000
"""Of each text: enough to tell a revision, in milliseconds."""
_SHORTEST = 4
"""Words of a sentence that is compared."""
_REVISED, _RENEWED = 0.5, 0.7
"""Share of the shorter text's sentences that the other holds: of a revision; of a dated one."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name taken apart."""

    key: str
    """What is left without marks of version, copy, state and date."""
    number: tuple[int, ...]
    date: str
    is_marked: bool


def versions_of(one: Holding, others: Sequence[Holding], text_of: TextOf) -> list[Holding]:
    """`one` and those of the others that are copies or revisions of it, in the order given."""
    return [
        other for other in others if other.document == one.document or _are(one, other, text_of)
    ]


def newest(versions: Sequence[Holding]) -> Holding:
    """By tier, then by the number or date all names have, else by the files' last change."""
    names = [_name(one.stem) for one in versions]
    has_numbers, has_dates = all(n.number for n in names), all(n.date for n in names)

    def age(one: Holding) -> tuple[int, tuple[int, ...], str, bool, int]:
        name = _name(one.stem)
        return (
            _TIERS.index(one.tier),
            name.number if has_numbers else (),
            name.date if has_dates else "",
            _PAST.search(_flat(one.stem)) is None,
            one.mtime_ns,
        )

    return max(versions, key=age)


def name_keys(holding: Holding) -> tuple[list[str], list[str]]:
    """Words of the file's name and of the title that all versions of it have.

    What is written without accents here may have some there: those words are left out.
    """
    keys = (_name(holding.stem).key, _name(holding.title).key)
    written = f"{holding.file} {holding.title}".lower()
    name, title = ([word for word in key.split() if word in written] for key in keys)
    return name, title


def has_version(text: str) -> bool:
    """Whether a question names a version or an old state: then that one is wanted."""
    flat = _flat(text)
    return bool(_NUMBERED.search(flat) or _OLDER.search(flat))


def asked_for(question: str, versions: Sequence[Holding]) -> Holding | None:
    """The version whose number a question names: `version 2 of the handbook`."""
    number = _number(_NUMBERED.search(_flat(question)))
    named = [one for one in versions if number and _name(one.stem).number == number]
    return named[0] if len(named) == 1 else None


def periods(*names: str) -> frozenset[str]:
    """Years, quarters and halves that names tell."""
    return frozenset(
        found for name in names for found in _PERIOD.findall(_DATE.sub(" ", _flat(name)))
    )


def are_of_other_periods(one: Holding, other: Holding) -> bool:
    """Whether they are called the same but for the year, quarter or half."""
    pairs = ((one.stem, other.stem), (one.title, other.title))
    return any(
        periods(a) and periods(b) and periods(a) != periods(b) and _timeless(a) == _timeless(b)
        for a, b in pairs
    )


def _timeless(name: str) -> str:
    return _PERIOD.sub("", _name(name).key).strip()


def _are(one: Holding, other: Holding, text_of: TextOf) -> bool:
    pairs = [(_name(one.stem), _name(other.stem)), (_name(one.title), _name(other.title))]
    same = [pair for pair in pairs if pair[0].key and pair[0].key == pair[1].key]
    if not same or _tell_apart(one, other):
        return False
    first, second = (text_of(each.document)[:_READ_CHARS] for each in (one, other))
    dated = [pair for pair in pairs if pair[0].date and pair[1].date]
    if any(a.date != b.date for a, b in dated) and not any(a.number and b.number for a, b in same):
        return _agreement(first, second, is_exact=True) >= _RENEWED
    if any(a.is_marked or b.is_marked for a, b in same):
        return _agreement(first, second) >= _REVISED
    return _agreement(first, second) >= _REVISED and not _name_others(first, second)


def _tell_apart(one: Holding, other: Holding) -> bool:
    """Whether periods or numbers in names or folders say that they are different things."""
    if periods(one.title, one.path) != periods(other.title, other.path):
        return True
    numbers = [frozenset(_DIGITS.findall(_name(each.stem).key)) for each in (one, other)]
    return numbers[0] != numbers[1]


def _agreement(first: str, second: str, *, is_exact: bool = False) -> float:
    """Share of the shorter text's sentences that the other has too, numbers aside unless exact."""
    one, other = _sentences(first, is_exact=is_exact), _sentences(second, is_exact=is_exact)
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else float(first.strip() == second.strip())


@lru_cache(maxsize=8)
def _sentences(text: str, *, is_exact: bool) -> frozenset[str]:
    found = (
        " ".join(_WORD.findall(text[start:end].casefold())) for start, end in sentence_spans(text)
    )
    kept = (one for one in found if one.count(" ") >= _SHORTEST - 1)
    return frozenset(kept if is_exact else (_DIGITS.sub("0", one) for one in kept))


def _name_others(first: str, second: str) -> bool:
    """Whether each text has names that the other lacks: two cases, not two states of one."""
    one, other = _names_in(first), _names_in(second)
    return bool(one - other) and bool(other - one)


@lru_cache(maxsize=8)
def _names_in(text: str) -> frozenset[str]:
    """Words that are always written with a capital."""
    found = set(_WORD.findall(text))
    capital = {word for word in found if word[0].isupper() and word.casefold() not in found}
    return frozenset(fold(word) for word in capital) - FUNCTION_WORDS


@lru_cache(maxsize=4096)
def _name(text: str) -> _Name:
    flat = _flat(text)
    date = next(
        iter(sorted((d for d in dates_in(_spaced_date(flat)) if len(d) > 7), reverse=True)), ""
    )
    numbered = _NUMBERED.search(flat)
    bare = flat
    for mark in (_DATE, _NUMBERED, _COPY, _STATE):
        bare = mark.sub(" ", bare)
    return _Name(
        key=" ".join(_WORD.findall(bare)),
        number=_number(numbered),
        date=date,
        is_marked=_NUMBERED.search(flat) is not None
        or _COPY.search(flat) is not None
        or _STATE.search(flat) is not None,
    )


def _number(found: re.Match[str] | None) -> tuple[int, ...]:
    if found is None:
        return ()
    if found["letter"]:
        return (ord(found["letter"]) - ord("a") + 1,)
    return tuple(int(part) for part in re.split(r"[._]", found["number"]))


def _spaced_date(flat: str) -> str:
    """Dates in names as `dates_in` reads them: `20240131` and `2024_01_31` are 2024-01-31."""
    found = re.sub(r"(?<!\d)(\d{4})[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)", r"\1-\2-\3", flat)
    return re.sub(r"(?<!\d)([0-3]\d)[-_.]([01]\d)[-_.](\d{4})(?!\d)", r"\3-\2-\1", found)


def _flat(text: str) -> str:
    return fold(_CAMEL.sub(" ", text))
