from __future__ import annotations

from array import array

import pytest

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.assurance import STRANGER, Head, Levels, assured, margin
from desktop_rag.domain.ports import Weighed

LEVELS = Levels(refuse_below=-1.0, medium_from=0.5, high_from=2.0)


def test_a_margin_is_how_much_likelier_yes_is() -> None:
    assert margin((-0.5, -2.5)) == 2.0
    assert margin((-2.5, -0.5)) == -2.0


def test_clear_words_refuse_or_change_nothing() -> None:
    assert assured(Confidence.HIGH, -20.0, LEVELS) is Confidence.NONE
    assert assured(Confidence.HIGH, 20.0, LEVELS) is Confidence.HIGH
    assert assured(Confidence.LOW, 20.0, LEVELS) is Confidence.LOW


def test_smaller_odds_promise_less() -> None:
    given = [assured(Confidence.HIGH, odds, LEVELS) for odds in (-1.0, 0.5, 2.0)]
    assert given == [Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]


def test_a_head_joins_words_and_state() -> None:
    head = Head(LEVELS, array("f", [1.0, -0.5]), yes_weight=0.5, bias=0.25)
    state = array("f", [2.0, 4.0]).tobytes()
    assert head.log_odds(Weighed((-1.0, -3.0), state)) == pytest.approx(0.25 + 1.0 + 2.0 - 2.0)


@pytest.mark.parametrize("state", [b"", b"\0" * 4, b"\0" * 7, b"\1" * 400])
def test_a_state_of_another_size_counts_for_nothing(state: bytes) -> None:
    head = Head(LEVELS, array("f", [1.0, -0.5]))
    assert head.log_odds(Weighed((-1.0, -3.0), state)) == 2.0


def test_a_stranger_is_taken_at_its_word() -> None:
    assert STRANGER.log_odds(Weighed((-1.0, -4.0), b"\1" * 64)) == 3.0
