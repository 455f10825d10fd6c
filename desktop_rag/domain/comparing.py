"""Comparisons: which two things are meant, what to search for each, and passages of both.

A search for `difference in warranty between the X100 and the X200` finds what is nearest to all of
that, often of one side only. Each side is searched alone and both get their passages in turn. A
side that no passage names was not found, whatever else is; that is said, not left to a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.naming import file_name
from desktop_rag.domain.scoring import held_stems, stems, stems_of
from desktop_rag.domain.terms import FUNCTION_WORDS, fold

_AND = r"(?:and|und|et|y|e|en|og|och)"
_FORMS = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        rf"\b(?:differ\w*|unterschied\w*|différen\w*|diferen\w*|comparison|vergleich|comparaison"
        rf"|similarit\w*)\b(?P<aspect>.*?)\b(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem"
        rf"|of|von)\s+(?P<a>.+?),?\s+{_AND}\s+(?P<b>.+)$",
        rf"^(?:please )?(?:compare|contrast|vergleiche?n?|comparez?|compara|confronta|vergelijk)\s+"
        rf"(?P<a>.+?),?\s+(?:{_AND}|with|to|against|mit|avec|con|met)\s+(?P<b>.+)$",
        r"^(?P<a>.+?),?\s+(?:vs\.?|versus|gegenüber|compared (?:to|with))\s+(?P<b>.+)$",
        r"\bhow (?:does|do|did|is|are|was|were)\s+(?P<a>.+?)\s+(?:differ|different|compare)\w*\s+"
        r"(?:from|to|with)\s+(?P<b>.+)$",
        rf"\bhow (?:do|did|are|were)\s+(?P<a>.+?)\s+{_AND}\s+(?P<b>.+?)\s+(?:differ|compare)$",
        r"^(?P<aspect>(?:which|what|who|welche\w*|was|wer)\b.*?)[,:]\s*(?P<a>.+?),?\s+(?:or|oder|ou|o)"
        r"\s+(?P<b>.+)$",
        r"^(?:is|are|was|were|does|do|did|has|have)\s+(?P<a>.+?)\s+(?P<aspect>(?:more \w+|less \w+"
        r"|\w+er|better|worse))\s+than\s+(?P<b>.+)$",
    )
)
_TAIL = re.compile(
    r",?\s+(?:in terms of|regarding|with (?:respect|regard) to|concerning|as regards|when it comes"
    r" to|hinsichtlich|bezüglich|concernant|en cuanto a)\s+(?P<tail>.+)$",
    re.IGNORECASE,
)
_ASKING = frozenset("which what who welche welcher welches was wer is are was were".split())  # noqa: SIM905
_ARTICLES = re.compile(
    r"^(?:the|an?|our|my|both|der|die|das|dem|den|le|la|les|el|los|las|il)\s+", re.IGNORECASE
)
_EDGE = " \t.,;:!?\"'“”"
_LONGEST_LABEL = 12
_NAMED = 0.5
"""Share of a side's own words that a passage about it holds."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the things compared."""

    label: str
    """As the question names it: `the X100`, `2022`."""
    query: str
    """What to search for it."""
    aspect: str
    """What of both is compared, as far as the question says: `revenue in`."""
    own: frozenset[str]
    """Stems that the label has and the other one has not."""

    @property
    def is_exact(self) -> bool:
        """Whether it is a name or number, which stands in every passage about it."""
        return any(char.isdigit() or char.isupper() for char in _ARTICLES.sub("", self.label))


def sides_of(question: str) -> tuple[Side, ...]:
    """The two sides of a comparison; empty when they cannot be told."""
    text = question.strip(_EDGE)
    tail = _TAIL.search(text)
    aspect = tail["tail"] if tail else ""
    text = text[: tail.start()] if tail else text
    for form in _FORMS:
        found = form.search(text)
        if found is None:
            continue
        told = found.groupdict()
        aspect = f"{told.get('aspect') or ''} {aspect}"
        one, other, shared = _parted(told["a"].strip(_EDGE), told["b"].strip(_EDGE))
        return _sides(one, other, f"{_without_asking(aspect)} {shared}")
    return ()


def holds(side: Side, passage: Passage) -> bool:
    """Whether a passage is about a side: it holds its own words, or its title or file does."""
    if not side.own:
        return True
    held = held_stems(passage) | stems(file_name(passage.path))
    return len(side.own & held) >= _NAMED * len(side.own)


def balanced(sides: Sequence[Side], found: Sequence[Sequence[Passage]]) -> list[Passage]:
    """Passages of both sides in turn, the best of each first; each once.

    Args:
        sides: two.
        found: for each what its search found, best first; of a name only what holds it counts.
    """
    lists = []
    for side, passages in zip(sides, found, strict=True):
        about = [one for one in passages if holds(side, one)]
        lists.append(about if about or side.is_exact else list(passages))
    in_turn = [one for pair in zip_longest(*lists) for one in pair if one is not None]
    return list({one.chunk: one for one in reversed(in_turn)}.values())[::-1]


def by_side(sides: Sequence[Side], passages: Sequence[Passage]) -> list[Passage]:
    """The same passages, those of the first side before those of the second."""
    return sorted(passages, key=lambda one: not holds(sides[0], one))


def missing(sides: Sequence[Side], passages: Sequence[Passage]) -> list[Side]:
    """The sides that no passage is about."""
    return [
        side for side in sides if side.is_exact and not any(holds(side, one) for one in passages)
    ]


def _sides(one: str, other: str, shared: str) -> tuple[Side, ...]:
    if not one or not other or max(len(one.split()), len(other.split())) > _LONGEST_LABEL:
        return ()
    stems_one, stems_other = stems_of(one), stems_of(other)
    return (
        Side(one, _query(shared, one), shared.strip(), stems_one - stems_other),
        Side(other, _query(shared, other), shared.strip(), stems_other - stems_one),
    )


def _query(shared: str, label: str) -> str:
    return " ".join(f"{shared} {label}".split())


def _parted(one: str, other: str) -> tuple[str, str, str]:
    """Labels and what both share: `revenue in 2022`, `2023` share `revenue in`."""
    first, second = one.split(), other.split()
    count = len(second)
    if len(first) > count:
        head, label = first[:-count], first[-count:]
        leads = fold(head[-1]) in FUNCTION_WORDS and fold(head[-1]) not in _THE
        if leads or (_is_code(label[-1]) and _is_code(second[-1])):
            return " ".join(label), other, " ".join(head)
    if len(second) > len(first) == 1 and _is_code(first[0]) and _is_code(second[0]):
        return one, second[0], " ".join(second[1:])
    return one, other, ""


_THE = frozenset("the a an der die das den dem le la les el los il".split())  # noqa: SIM905


def _is_code(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _without_asking(aspect: str) -> str:
    kept = [word for word in aspect.split() if fold(word.strip(_EDGE)) not in _ASKING]
    return " ".join(kept).strip(_EDGE)
