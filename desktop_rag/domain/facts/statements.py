"""A statement's facts against those of a source."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from desktop_rag.domain.facts.codes import Code, codes, labelled
from desktop_rag.domain.facts.days import Day, days, known_days
from desktop_rag.domain.facts.names import Vocabulary, names
from desktop_rag.domain.facts.quantities import (
    DECADE,
    Quantity,
    decades,
    is_held,
    loose_numbers,
    quantities,
    says_fall,
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a statement says that must be in its source to the letter."""

    quantities: tuple[Quantity, ...]
    days: tuple[Day, ...]
    codes: tuple[Code, ...]
    labelled: dict[str, frozenset[str]]
    names: tuple[tuple[str, ...], ...]
    is_fall: bool

    @property
    def has_figures(self) -> bool:
        """Whether it holds a number, a date or an identifier."""
        return bool(self.quantities or self.days or self.codes)


@dataclass(frozen=True, slots=True)
class Held:
    """What a source holds, ready to be asked."""

    quantities: tuple[Quantity, ...]
    loose: frozenset[str]
    decades: frozenset[str]
    days: frozenset[str]
    codes: frozenset[str]
    labelled: dict[str, frozenset[str]]
    is_fall: bool

    def has_quantity(self, said: Quantity, *, is_fall: bool) -> bool:
        """Whether a number stands here, with its unit and sign."""
        if said.unit == DECADE:
            return any(reading[:3] in self.decades for reading in said.readings)
        falls = is_fall or self.is_fall
        if any(is_held(said, one, is_fall=falls) for one in self.quantities):
            return True
        if not said.unit and not said.scale and not said.is_negative:
            return bool(said.readings & self.loose)
        return False

    def has_day(self, day: Day) -> bool:
        """Whether a date stands here in any notation."""
        return bool(day.readings & self.days)


def said(text: str, known: Set[str] = frozenset()) -> Said:
    """The facts of a statement; `known` as in `names.names`."""
    dated = days(text)
    text = _without(text, dated)
    coded = codes(text)
    bare = _without(text, coded)
    numbers = quantities(bare)
    return Said(
        quantities=tuple(numbers),
        days=tuple(dated),
        codes=tuple(coded),
        labelled=labelled(text),
        names=tuple(names(_without(bare, numbers), known)),
        is_fall=says_fall(text),
    )


def held(text: str) -> Held:
    """The facts of a source."""
    return Held(
        quantities=tuple(quantities(text)),
        loose=loose_numbers(text),
        decades=decades(text) | {number[:3] for number in loose_numbers(text) if len(number) == 4},
        days=known_days(text),
        codes=frozenset(one.key for one in codes(text)),
        labelled=labelled(text),
        is_fall=says_fall(text),
    )


def missing_figures(statement: Said, sources: Sequence[Held]) -> list[str]:
    """Numbers, dates and identifiers that none of the sources holds, as keys to compare."""
    missing = [
        f"number {min(one.readings)} {one.unit}"
        for one in statement.quantities
        if not any(source.has_quantity(one, is_fall=statement.is_fall) for source in sources)
    ]
    missing += [
        f"date {min(one.readings)}"
        for one in statement.days
        if not any(source.has_day(one) for source in sources)
    ]
    missing += [
        f"code {one.key}"
        for one in statement.codes
        if not any(one.key in source.codes for source in sources)
    ]
    for label, numbers in statement.labelled.items():
        known = frozenset[str]().union(
            *(source.labelled.get(label, frozenset()) for source in sources)
        )
        if known and not numbers <= known:
            missing.append(f"label {label} {min(numbers - known)}")
    return missing


def missing_names(statement: Said, words: Vocabulary) -> list[tuple[str, ...]]:
    """Names that a source and its header do not hold."""
    return [name for name in statement.names if not words.has_name(name)]


def _without(text: str, parts: Sequence[Day | Code | Quantity]) -> str:
    """The text with blanks for what was recognised, so that nothing is two things."""
    for one in parts:
        text = f"{text[: one.start]}{'_' * (one.end - one.start)}{text[one.end :]}"
    return text
