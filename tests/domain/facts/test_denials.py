"""Sentences that say the opposite of each other."""

from __future__ import annotations

import pytest

from desktop_rag.domain.facts.contrasts import contrary, exclusive, missing_extremes, stems
from desktop_rag.domain.facts.denials import drops_exception, is_opposite


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("Pets are allowed.", "Pets are not allowed."),
        ("Pets are not allowed.", "Pets are allowed on the balcony."),
        ("Pets are allowed in the pool.", "Pets are not allowed in the pool but in the garden."),
        ("The bridge is used.", "The bridge is no longer used."),
        ("The deposit was never paid.", "The deposit was paid in May."),
        ("Interns receive the bonus.", "All staff receive the bonus except interns."),
        ("Haustiere sind erlaubt.", "Haustiere sind nicht erlaubt."),
        ("If there is venous access give glucagon.", "If there is no venous access give glucagon."),
        ("Do not give it if there is no vein access.", "If there is no vein access give it now."),
    ],
)
def test_a_denial_on_one_side_only_is_the_opposite(statement: str, source: str) -> None:
    assert is_opposite(statement, source)


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("Pets are not allowed.", "Pets aren't allowed anywhere."),
        (
            "Pets are allowed in the garden.",
            "Pets are not allowed inside but are allowed in the garden.",
        ),
        ("It was used in trains.", "It was not used, except in trains."),
        ("Give glucagon 1 mg.", "If there is no venous access give glucagon 1 mg."),
        (
            "How much if the patient has no IV Glucagon 1 mg",
            "If there is no venous access give glucagon 1 mg.",
        ),
        ("Payment is due on 3 May.", "Payment is due no later than 3 May."),
        ("Sales in Japan were 14.", "Sales without Japan, where they were 14, were 121."),
        ("He wrote books.", "He wrote not only books but songs."),
        ("55 votes (not members) count.", "55 votes (not members) count of 90 members."),
        ("The bridge opened in 1932.", "The bridge opened in 1932, without a ceremony."),
    ],
)
def test_what_is_denied_alike_or_elsewhere_is_not(statement: str, source: str) -> None:
    assert not is_opposite(statement, source)


def test_an_exception_must_not_be_dropped() -> None:
    source = "The museum is open daily except on Mondays."
    assert drops_exception("The museum is open daily.", source)
    assert not drops_exception("The museum is open daily but not on Mondays.", source)
    assert not drops_exception("The museum has a shop.", source)
    assert drops_exception("The warranty is void.", "The warranty is void unless it is registered.")


def test_contrary_words_exclude_each_other_unless_both_stand_there() -> None:
    assert contrary(stems("The price rose"), stems("The price fell"))
    assert not contrary(stems("The price rose"), stems("It rose, then fell"))
    assert contrary(stems("full-time staff"), stems("part-time staff"))


def test_the_last_is_not_merely_another() -> None:
    assert missing_extremes("The last war was in 1937.", "The second war was in 1937.")
    assert not missing_extremes("The largest city is Rome.", "Rome is larger than Milan.")


def test_a_side_of_a_contrast_excludes_the_other_side() -> None:
    same, against = exclusive(stems("How many may children take?"))
    assert stems("kids") <= same
    assert stems("adults") <= against
    assert exclusive(stems("How many may dogs take?")) == (frozenset(), frozenset())
