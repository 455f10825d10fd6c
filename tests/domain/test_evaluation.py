"""Intervals, paired differences, and what a passage stands for."""

from __future__ import annotations

import random

import pytest

from desktop_rag.domain.evaluation import interval, paired, token_scores


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = interval([0.0, 1.0] * 10), interval([0.0, 1.0] * 400)
    for one in (few, many):
        assert one.low < one.mean == 0.5 < one.high
    assert few.high - few.low > 3 * (many.high - many.low)
    # A share of one half over 800 questions has a standard error of 0.0177.
    assert many.high - many.low == pytest.approx(2 * 1.96 * 0.0177, rel=0.15)


def test_a_steady_drop_is_told_from_noise() -> None:
    dice = random.Random(1)
    first = [dice.random() for _ in range(200)]
    noise = [value + dice.uniform(-0.2, 0.2) for value in first]
    worse = [value - 0.05 + dice.uniform(-0.2, 0.2) for value in first]
    assert paired(first, worse).is_drop
    assert paired(first, worse).p < 0.05
    assert paired(worse, first).is_gain
    assert not paired(first, noise).is_drop
    assert not paired(first, noise).is_gain
    assert paired(first, noise).p > 0.05


def test_no_change_at_all_is_neither() -> None:
    same = paired([0.5, 1.0], [0.5, 1.0])
    assert (same.change.low, same.change.high, same.p) == (0, 0, 1)


def test_values_of_different_questions_are_not_paired() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired([1.0], [1.0, 0.0])


def test_tokens_of_the_answer_against_tokens_of_the_passages() -> None:
    wanted = [("a", 100, 140), ("a", 200, 260)]
    assert token_scores(wanted, wanted) == (1.0, 1.0, 1.0)
    assert token_scores(wanted, []) == (0.0, 0.0, 0.0)
    assert token_scores(wanted, [("b", 100, 140)]) == (0.0, 0.0, 0.0)
    # 40 + 10 of 100 wanted characters in passages of 210: the union is 210 + 50.
    scores = token_scores(wanted, [("a", 0, 150), ("a", 150, 210)])
    assert scores == pytest.approx((50 / 210, 50 / 100, 50 / 260))


def test_overlapping_passages_are_paid_for_twice_but_found_once() -> None:
    scores = token_scores([("a", 10, 20)], [("a", 0, 20), ("a", 10, 30)])
    assert scores == pytest.approx((10 / 40, 1.0, 10 / 40))
    # What is wanted twice is wanted once.
    twice = [("a", 10, 20), ("a", 10, 20)]
    assert token_scores(twice, [("a", 0, 20), ("a", 10, 30)]) == scores


def test_scores_need_something_wanted() -> None:
    with pytest.raises(ValueError, match="wanted"):
        token_scores([], [("a", 0, 1)])
