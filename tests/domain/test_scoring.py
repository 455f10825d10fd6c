"""The score that people see."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from desktop_rag.domain.scoring import relevance, relevance_to
from tests.helpers.passages import make_passage

STEPS = [n / 10 for n in range(11)]


@pytest.mark.parametrize("late", [None, 0.5])
def test_it_is_a_probability_that_grows_with_each_signal(late: float | None) -> None:
    by_cosine = [relevance(cosine, 0.5, late) for cosine in STEPS]
    by_coverage = [relevance(0.5, share, late) for share in STEPS]
    by_late = [relevance(0.5, 0.5, score) for score in STEPS]
    for row in (by_cosine, by_coverage, by_late):
        assert all(0 < low < high < 1 for low, high in pairwise(row))


@pytest.mark.parametrize("late", [-1.0, 1.0])
def test_extremes_stay_within_bounds(late: float) -> None:
    assert 0 <= relevance(-1.0, 0.0, late) < 0.01
    assert 0.9 < relevance(1.0, 1.0, 1.0) <= 1


def test_without_a_cosine_words_decide() -> None:
    assert relevance(None, 0.0, None) < 0.1
    assert relevance(None, 1.0, None) > relevance(None, 0.5, None) > relevance(None, 0.0, None)


def test_a_passage_with_the_question_s_words_is_judged_higher() -> None:
    judge = relevance_to("When did the harbour bridge open?")
    about = make_passage("The harbour bridge was opened in 1932.")
    other = make_passage("Green tea is picked in spring.")
    assert judge(about) > 0.5 > judge(other)
    assert judge(replace(about, late_score=0.9)) > judge(replace(about, late_score=0.2))


def test_title_and_section_count_as_the_passage_s_words() -> None:
    judge = relevance_to("harbour bridge")
    bare = make_passage("It opened in 1932.")
    assert judge(replace(bare, section="Harbour bridge")) > judge(bare)


def test_a_question_of_function_words_has_no_words_to_hold() -> None:
    assert 0 < relevance_to("What is it about?")(make_passage("Anything.")) < 1
