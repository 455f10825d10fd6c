"""Figures over time, by hand."""

from __future__ import annotations

from datetime import UTC, date

import pytest

from desktop_rag.domain.evaluation import Outcome, Place, Question
from desktop_rag.domain.quality import (
    SearchRecord,
    by_day,
    retrieval_figures,
    share_without_result,
    spread,
)


def _outcome(rank: int, *, is_refused: bool = False, is_answerable: bool = True) -> Outcome:
    places = (Place("a.txt"),) if is_answerable else ()
    ranked = tuple(f"other:{n}" for n in range(1, rank)) + (("truth:0",) if rank else ())
    question = Question(f"q{rank}", "?", places=places)
    return Outcome(question, ranked, (), 0.0, {}, is_refused, {"total": 10.0 * rank})


def test_figures_of_a_run() -> None:
    outcomes = [_outcome(1), _outcome(2), _outcome(8), _outcome(0, is_refused=True)]
    figures = retrieval_figures([*outcomes, _outcome(1, is_answerable=False)])
    assert figures["questions"] == 4
    assert figures["first"] == 0.25
    assert figures["five"] == 0.5
    assert figures["five_low"] <= 0.5 <= figures["five_high"]
    assert figures["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 8) / 4)
    assert figures["without_result"] == 0.25


def test_a_place_beyond_the_tenth_counts_for_nothing() -> None:
    assert retrieval_figures([_outcome(11)])["mrr"] == 0


def test_a_run_needs_a_question_with_an_answer() -> None:
    with pytest.raises(ValueError, match="no question"):
        retrieval_figures([_outcome(1, is_answerable=False)])


def test_days_are_those_of_the_person() -> None:
    searches = [
        SearchRecord("2026-03-01T23:30:00+00:00", 10, is_found=True),
        SearchRecord("2026-03-02T00:30:00+00:00", 30, is_found=False),
        SearchRecord("2026-03-02T10:00:00+00:00", 20, is_found=True),
        SearchRecord("nonsense", 20, is_found=True),
    ]
    first, second = by_day(searches, UTC)
    assert (first.day, first.searches.count) == (date(2026, 3, 1), 1)
    assert (second.searches.p50_ms, second.searches.p95_ms) == (30, 30)
    assert second.without_result == 0.5
    assert share_without_result(searches) == 0.25


def test_nothing_gives_noughts() -> None:
    assert spread([]).p95_ms == 0
    assert share_without_result([]) == 0
    assert by_day([]) == []
