from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.assurance import (
    MEASURED,
    STRANGER,
    Levels,
    levels_of,
    log_odds,
    trusted,
)

LEVELS = Levels(refuse_below=-1.0, enough=0.0, medium_from=0.5, high_from=2.0)


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
