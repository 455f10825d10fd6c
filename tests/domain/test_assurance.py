from __future__ import annotations

import pytest

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.assurance import CALIBRATED, UNKNOWN_MODEL, assured, margin


def test_a_margin_is_how_much_likelier_yes_is() -> None:
    assert margin((-0.5, -2.5)) == 2.0
    assert margin((-2.5, -0.5)) == -2.0


@pytest.mark.parametrize("model", [*CALIBRATED, "a stranger"])
def test_a_clear_no_refuses_and_a_clear_yes_changes_nothing(model: str) -> None:
    assert assured(Confidence.HIGH, -20.0, model) is Confidence.NONE
    assert assured(Confidence.HIGH, 20.0, model) is Confidence.HIGH
    assert assured(Confidence.LOW, 20.0, model) is Confidence.LOW


def test_less_of_a_yes_promises_less() -> None:
    steps = (UNKNOWN_MODEL.refuse_below, UNKNOWN_MODEL.medium_from, UNKNOWN_MODEL.high_from)
    assert list(steps) == sorted(steps)
    given = [assured(Confidence.HIGH, step, "a stranger") for step in steps]
    assert given == [Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]
