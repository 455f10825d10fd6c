"""Words that exclude each other: an answer about adults is none about children.

Few and plain, for questions and answers about a person's documents; a pair belongs here only when
a passage about the one says nothing about the other.
"""

from __future__ import annotations

import re
from collections.abc import Set

from desktop_rag.domain.support import terms

_GROUPS = """
child children kid kids infant infants | adult adults grownup grownups
boys boy | girls girl
employee employees worker workers | employer employers
tenant tenants lessee renter | landlord lessor
buyer buyers purchaser | seller sellers vendor
borrower | lender
teacher teachers | student students pupil pupils
fulltime | parttime
permanent | temporary
indoor indoors | outdoor outdoors
monthly | yearly annual annually | weekly | daily | quarterly | hourly
minimum min | maximum max
debit | credit
gross | net
input inputs | output outputs
internal | external
weekday weekdays | weekend weekends
kinder kind kindern | erwachsene erwachsenen erwachsener
mieter | vermieter
arbeitnehmer | arbeitgeber
käufer | verkäufer
"""
"""What a passage is about: a question about the one is not answered by words on the other."""
_DEEDS = """
men man male males | women woman female females
husband | wife
mother | father
lowest least | highest most
increase increased increases rise rose risen rising grew grown | decrease decreased decreases fell
fall fallen decline declined dropped
gain gained profit profits | loss losses lost
income revenue revenues | expense expenses expenditure
import imports imported | export exports exported
arrival arrivals arrive arrives arrived | departure departures depart departs departed
open opens opened | close closes closed
allowed permitted allow allows permit permits | forbidden prohibited banned disallowed forbids
enable enabled enables | disable disabled disables
include included includes | exclude excluded excludes
accept accepted accepts | reject rejected rejects refused
success succeeded successful | failure failed
hot warm | cold cool
left | right
front | rear
upper top | lower bottom
northern north | southern south
eastern east | western west
summer | winter
morning | evening
before | after
public | private
mandatory required compulsory obligatory | optional voluntary
first | last
einnahmen | ausgaben
gewinn | verlust
erlaubt gestattet | verboten untersagt
"""
"""What a sentence says: it must not say the other."""
_ROOT = 4
"""First letters by which `largest` and `larger` are one."""
_EXTREMES = frozenset(
    """
    last only oldest newest latest earliest youngest largest biggest smallest longest shortest
    highest lowest tallest deepest fastest slowest cheapest
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


Side = tuple[int, int]
"""Number of the line, and of its side."""


def _sides(groups: str, first: int) -> dict[str, Side]:
    return {
        word: (number, side)
        for number, line in enumerate(groups.replace("fell\n", "fell ").strip().splitlines(), first)
        for side, text in enumerate(line.split("|"))
        for word in terms(text).words
    }


_OF_GROUPS = _sides(_GROUPS, 0)
_SIDES = {**_sides(_DEEDS, len(_OF_GROUPS)), **_OF_GROUPS}


def stems(text: str) -> frozenset[str]:
    """Stems of a text, `full-time` as one word."""
    return terms(text.replace("-", "")).words


def contrary(words: Set[str], others: Set[str]) -> bool:
    """Whether one text takes one side of a contrast and the other text only the other.

    Args:
        words: stems of one text (`support.terms`).
        others: of the other.
    """
    one, other = _taken(words), _taken(others)
    return any(number in other and not sides & other[number] for number, sides in one.items())


def exclusive(words: Set[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the same sides as these words, and stems of things that exclude them."""
    taken = {_OF_GROUPS[word] for word in words if word in _OF_GROUPS}
    numbers = {number for number, _ in taken}
    same = {word for word, side in _OF_GROUPS.items() if side in taken}
    against = {word for word, (number, _) in _OF_GROUPS.items() if number in numbers} - same
    return frozenset(same), frozenset(against)


def _taken(words: Set[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for word in words:
        if word in _SIDES:
            number, side = _SIDES[word]
            found.setdefault(number, set()).add(side)
    return found


def missing_extremes(said: str, source: str) -> list[str]:
    """Words like "last", "oldest", "only" that a source does not have, in a nearly equal form."""
    held = {word[:_ROOT] for word in _words(source)}
    return [word for word in _words(said) if word in _EXTREMES and word[:_ROOT] not in held]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())
