from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.assurance import (
    MEASURED,
    STRANGER,
    Levels,
    doubting,
    levels_of,
    log_odds,
    trusted,
)
from desktop_rag.domain.spotting import STATED_FROM, UNSTATED_BELOW, Spot
from tests.helpers.passages import make_passage

LEVELS = Levels(refuse_below=-1.0, enough=0.0, medium_from=0.5, high_from=2.0, doubted_below=0.5)


def test_odds_are_how_much_likelier_yes_is() -> None:
    assert log_odds((-0.5, -2.5)) == 2.0
    assert log_odds((-2.5, -0.5)) == -2.0


def test_clear_words_refuse_or_change_nothing() -> None:
    assert trusted(Confidence.HIGH, -20.0, LEVELS) is Confidence.NONE
    assert trusted(Confidence.HIGH, 20.0, LEVELS) is Confidence.HIGH
    assert trusted(Confidence.LOW, 20.0, LEVELS) is Confidence.LOW


def test_smaller_odds_promise_less() -> None:
    given = [trusted(Confidence.HIGH, odds, LEVELS) for odds in (-1.0, 0.5, 2.0)]
    assert given == [Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]


@pytest.mark.parametrize("model", [*MEASURED, "a stranger"])
def test_every_model_has_levels_in_order(model: str) -> None:
    levels = levels_of(model)
    assert levels.refuse_below < levels.enough < levels.medium_from < levels.high_from
    assert (levels is STRANGER) == (model not in MEASURED)


def spot(margin: float) -> Spot:
    return Spot(make_passage("Built in 1987."), 9, 13, margin)


def test_words_that_are_doubted_ask_for_more_odds() -> None:
    doubted = doubting(LEVELS, [spot(STATED_FROM - 1), spot(UNSTATED_BELOW - 9)])
    assert (doubted.refuse_below, doubted.enough) == (LEVELS.doubted_below, LEVELS.doubted_below)
    assert trusted(Confidence.HIGH, LEVELS.doubted_below - 0.1, doubted) is Confidence.NONE
    assert trusted(Confidence.HIGH, LEVELS.medium_from, doubted) is Confidence.MEDIUM


def test_words_that_answer_nothing_ask_for_most() -> None:
    levels = Levels(-1.0, enough=2.0, medium_from=1.5, high_from=3.0, doubted_below=0.5)
    unstated = doubting(levels, [spot(UNSTATED_BELOW - 0.1)])
    assert (unstated.refuse_below, unstated.enough) == (1.5, 2.0)


def test_where_nobody_looked_for_words_the_levels_stay() -> None:
    assert doubting(LEVELS, []) is LEVELS
