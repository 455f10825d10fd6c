"""What a sentence denies or excepts, and whether two sentences say the opposite of each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from desktop_rag.domain.support import terms

_NOT = re.compile(
    r"\b(?:not|never|cannot|no|none|nobody|nothing|neither|nor|without|hardly|rarely"
    r"|[a-z]+n['’]t|nicht|niemals|nie|kein\w{0,2}|ohne|weder|ne|n['’]|jamais|sans|aucune?|nunca|sin"
    r"|tampoco|non|senza|mai|except|excluding|excludes?|apart from|other than|außer|ausgenommen"
    r"|sauf|excepté|salvo|excepto|fails? to|failed to|lacks?|unable|refus(?:e[sd]?|ing) to)\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\b(?:not only|no later than|not later than|no more than|not more than|no less than"
    r"|not less than|no fewer than|no sooner|no doubt|nicht nur|non seulement|no\. ?\d|not just"
    r"|no solo|no sólo|if not|whether or not|or not|non-?[a-z]+|not until|nicht zuletzt)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:except|unless|excluding|other than|apart from|außer|ausgenommen|es sei denn|sauf|"
    r"excepté|à moins|salvo|excepto|a menos que)\b",
    re.IGNORECASE,
)
_BORDER = re.compile(
    r"[;:.!?()]|,(?=\s)|\b(?:but|however|although|though|while|whereas|yet|instead|rather|sondern|aber"
    r"|während|mais|tandis|pero|sino|because|since|until|than|which|who|if|that (?:was|were|is|are"
    r"|has|have|had|can))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\W*(?:where|which|who|whose|wo|deren|dessen)\b", re.IGNORECASE)
_LEAVING_OUT = re.compile(r"without|except|excluding|ohne|außer|sans|sauf|sin|salvo", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CONDITION = re.compile(r"\W*if\b", re.IGNORECASE)
_REACH = 8
"""Words behind a denial that it is about."""
_REACH_IN_CONDITION = 2
"""The same, of words that mean something: "if there is no venous access give glucagon"."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """Stems of a sentence by whether they are denied."""

    affirmed: frozenset[str]
    denied: frozenset[str]
    """Denied wherever they stand in the sentence."""
    heads: frozenset[str]
    """The first word behind each denial, in either way of reading the sentence."""
    excepted: frozenset[str]
    """Affirmed as the exception to a denial."""
    exceptions: bool

    @property
    def has_denial(self) -> bool:
        """Whether anything is denied."""
        return bool(self.denied)


def polarity(sentence: str) -> Polarity:
    """What a sentence affirms and what it denies: a denial reaches some words into its clause."""
    affirmed: set[str] = set()
    denied: set[str] = set()
    heads: set[str] = set()
    excepted: set[str] = set()
    is_denying = False
    for start, end in _clauses(sentence):
        clause = sentence[start:end]
        cut = _denial(clause)
        # "Without Japan, where sales were 14": what follows is about Japan all the same.
        goes_on = bool(_RELATIVE.match(sentence, end)) if cut else False
        if cut is None or (goes_on and _LEAVING_OUT.fullmatch(clause[cut[0] : cut[1]])):
            affirmed |= terms(clause).words
            continue
        reach = _reach(clause, cut[1])
        before = terms(f"{clause[: cut[0]]} {clause[reach:]}").words
        after = terms(clause[cut[1] : reach]).words
        # "Not used, except in trains": what is excepted from a denial is affirmed.
        is_back = is_denying and bool(_EXCEPTION.fullmatch(clause[cut[0] : cut[1]]))
        affirmed |= (before | after) if is_back else before
        excepted |= after if is_back else frozenset()
        denied |= frozenset() if is_back else after
        heads |= frozenset() if is_back else _first(clause[cut[1] : reach])
        is_denying = not is_back
    return Polarity(
        frozenset(affirmed),
        frozenset(denied - affirmed),
        frozenset(heads),
        frozenset(excepted),
        bool(_EXCEPTION.search(sentence)),
    )


def is_opposite(said: str, source: str) -> bool:
    """Whether a sentence denies what its source affirms, or the other way round."""
    one, other = polarity(said), polarity(source)
    for this, that in ((one, other), (other, one)):
        if this.excepted & that.affirmed:
            return False
        if ((this.heads & this.denied) - that.heads - that.denied) & that.affirmed:
            return True
    turned = (one.denied & other.affirmed) | (other.denied & one.affirmed)
    shared = (one.denied | one.affirmed) & (other.denied | other.affirmed)
    if one.has_denial and other.has_denial:
        return len(turned) >= max(2, len(shared) / 2)
    return len(turned) >= 2 or (bool(turned) and 2 * len(turned) >= len(shared))


def drops_exception(said: str, source: str) -> bool:
    """Whether a sentence says without reserve what its source says with one.

    Only when it says most of what stands before the exception, and no word of the exception.
    """
    found = _EXCEPTION.search(source)
    if not found or polarity(said).exceptions or polarity(said).has_denial:
        return False
    main = terms(source[: found.start()]).words
    rest = terms(source[found.end() :]).words - main
    stated = terms(said).words
    return bool(main) and len(main & stated) >= 0.6 * len(main) and not rest & stated


def _clauses(sentence: str) -> list[tuple[int, int]]:
    borders = [0, *(one.start() for one in _BORDER.finditer(sentence)), len(sentence)]
    return [(a, b) for a, b in pairwise(borders) if a < b]


def _reach(clause: str, start: int) -> int:
    """Where a denial ends: at the exception to it, else after some words.

    Behind a condition the consequence begins soon, often without a comma, and is not denied.
    """
    is_condition = bool(_CONDITION.match(clause))
    reach = _REACH_IN_CONDITION if is_condition else _REACH
    words = [
        one.end()
        for one in _WORD.finditer(clause, start)
        if not is_condition or terms(one.group()).words
    ]
    end = words[reach - 1] if len(words) > reach else len(clause)
    exception = _EXCEPTION.search(clause, start, end)
    return exception.start() if exception else end


def _first(text: str) -> frozenset[str]:
    """The first word that means anything."""
    stems = (terms(one.group()).words for one in _WORD.finditer(text))
    return next((one for one in stems if one), frozenset())


def _denial(clause: str) -> tuple[int, int] | None:
    """Span of the first word that denies, without those that only look so."""
    harmless = [one.span() for one in _NO_DENIAL.finditer(clause)]
    for one in _NOT.finditer(clause):
        if not any(a <= one.start() < b for a, b in harmless):
            return one.span()
    return None
