"""Answers may not become worse: each question of the small set is asked of the whole program.

Quotations are compared with those on record; when a change is meant to trade something, look at
what was lost and record anew with `python -m tests.evaluation_set --record`. With a model named in
DESKTOP_RAG_LLM, its answers have to reach floors as well; that takes minutes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.domain.answer_grading import ANSWERED, CONTAINS, FAITHFUL, PRECISION
from desktop_rag.domain.answers import Confidence
from desktop_rag.services.evaluating_answers import AnswerEvaluation
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from tests.evaluation_set.answering import JUDGED_BY, answered, figures, quoted, recorded

_MODEL = os.environ.get(LLM_VARIABLE, "")
FLOORS = {ANSWERED: 0.8, CONTAINS: 0.75, PRECISION: 0.9, FAITHFUL: 0.9}


@pytest.fixture(scope="module")
def quotations(tmp_path_factory: pytest.TempPathFactory) -> AnswerEvaluation:
    return quoted(tmp_path_factory.mktemp("quotations"))


@pytest.mark.parametrize("measure", JUDGED_BY)
def test_quotations_are_as_good_as_on_record(quotations: AnswerEvaluation, measure: str) -> None:
    before, now = recorded()[measure], figures(quotations)[measure]
    lost = [one for one in before if now.get(one, 0.0) < before[one]]
    # One question more or less may change with a library's version; two are a loss.
    assert sum(now.values()) >= sum(before.values()) - 1, f"{measure} fell on {', '.join(lost)}"


def test_every_answer_is_a_quotation_with_its_source(quotations: AnswerEvaluation) -> None:
    answers = [one.given.answer for one in quotations.outcomes if one.given is not None]
    assert len(answers) == len(quotations.outcomes)
    assert not any(one.model for one in answers)
    for one in answers:
        assert len(one.citations) == (1 if one.found else 0)
        assert (one.confidence is Confidence.NONE) is not one.found


@pytest.mark.skipif(not _MODEL, reason=f"{LLM_VARIABLE} names no language model")
def test_answers_of_a_language_model_reach_the_floors(tmp_path: Path) -> None:
    run = answered(tmp_path)
    means = {measure: run.interval(measure).mean for measure in FLOORS}
    assert all(means[measure] >= floor for measure, floor in FLOORS.items()), means
