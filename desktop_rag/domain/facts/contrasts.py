"""Words that exclude each other: an answer about adults is none about children.

Few and plain, for questions and answers about a person's documents; a pair belongs here only when
a passage about the one says nothing about the other.
"""

from __future__ import annotations

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


def _table(groups: str) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in groups.replace("fell\n", "fell ").strip().splitlines():
        sides = [terms(side).words for side in line.split("|")]
        for side in sides:
            others = frozenset[str]().union(*(other for other in sides if other is not side))
            for word in side:
                table[word] = table.get(word, frozenset()) | others
    return table


_OF_GROUPS = _table(_GROUPS)
_OPPOSITES = {**_table(_DEEDS), **_OF_GROUPS}


def stems(text: str) -> frozenset[str]:
    """Stems of a text, `full-time` as one word."""
    return terms(text.replace("-", "")).words


def contrary(words: Set[str], others: Set[str]) -> bool:
    """Whether one text has a word whose opposite, and not itself, the other text has.

    Args:
        words: stems of one text (`support.terms`).
        others: of the other.
    """
    return any(_OPPOSITES.get(word, frozenset()) & (others - words) for word in words - others)


def opposites(words: Set[str]) -> frozenset[str]:
    """Stems of things that exclude some of these."""
    return frozenset[str]().union(*(_OF_GROUPS.get(word, frozenset()) for word in words))
