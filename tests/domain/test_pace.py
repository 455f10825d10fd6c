"""Speeds in the words of somebody who waits."""

from __future__ import annotations

import pytest

from desktop_rag.domain.budget import Effort
from desktop_rag.domain.pace import pace_of
from desktop_rag.domain.tuning import Tuning


def test_nothing_measured_says_nothing() -> None:
    pace = pace_of(Tuning(2, 2), Effort.BALANCED)
    assert (pace.words_per_s, pace.first_word_s) == (0.0, 0.0)


def test_a_slow_model_reads_the_least_and_a_quick_one_as_long_as_is_allowed() -> None:
    slow = pace_of(Tuning(2, 2, reads_per_s=50, writes_per_s=10), Effort.BALANCED)
    assert slow.words_per_s == pytest.approx(7.5)
    assert slow.first_word_s == pytest.approx(9.0)
    quick = pace_of(Tuning(8, 8, reads_per_s=400, writes_per_s=50), Effort.BALANCED)
    assert quick.first_word_s == pytest.approx(3.0)


def test_more_effort_takes_longer() -> None:
    tuning = Tuning(2, 2, reads_per_s=50)
    waits = [pace_of(tuning, effort).first_word_s for effort in Effort]
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]
