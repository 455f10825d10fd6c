"""Asking, judging and comparing, without engines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desktop_rag.domain.answers import Answer, Confidence, RetrievalFigures, Turn
from desktop_rag.domain.errors import WorkerCrashed
from desktop_rag.domain.evaluation import Question
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.services.answer_judging import Judge
from desktop_rag.services.evaluating_answers import (
    RELEVANCE,
    SAME,
    AnswerEvaluation,
    Ask,
    Given,
    compare_answers,
    evaluate_answers,
    kappa,
)

LONG = "because oil that is cold is far too thick for it to flow through the narrow pipe"
QUESTIONS = (
    Question("red", "Which is red?", grades={"a": 1}, answers=("rose",)),
    Question("blue", "Which is blue?", grades={"a": 1}, answers=("sky",)),
    Question("why", "Why does it stop?", grades={"a": 1}, answers=(LONG,)),
    Question("none", "Which is grey?"),
)
REPLIES = {"Which is red?": "The rose.", "Which is blue?": "The sky.", "Why does it stop?": "Ice."}


def given(text: str) -> Given:
    figures = RetrievalFigures(0, 0, 0, 0, 0)
    answer = Answer(
        "?", text, (), Confidence.HIGH if text else Confidence.NONE, bool(text), figures
    )
    return Given(answer, 1.0, 0.5)


def ask(question: str, _: RetrievalRules) -> Given:
    return given(REPLIES.get(question, ""))


class Model:
    """Judges by what a case holds; keeps the cases."""

    def __init__(self, *wrong: str) -> None:
        self.cases: list[str] = []
        self._wrong = wrong

    def __call__(self, turns: Sequence[Turn], limits: GenerationLimits) -> str:
        assert '"yes" | "no"' in limits.grammar
        case = turns[-1].content
        self.cases.append(case)
        pairs = (("red", "rose"), ("blue", "sky"), ("stop", "Ice"))
        is_right = any(asked in case and reply in case for asked, reply in pairs)
        return "yes" if is_right is not any(one in case for one in self._wrong) else "no"


def evaluated(asking: Ask = ask, judge: Judge | None = None) -> AnswerEvaluation:
    def quiet(stage: str, done: int, total: int) -> None:
        assert done <= total

    return evaluate_answers(QUESTIONS, asking, str, DEFAULT_RULES, judge, quiet)


def test_every_question_is_asked_and_measured() -> None:
    run = evaluated()
    assert run.is_complete
    assert run.values["contains gold"] == {"red": 1, "blue": 1}
    assert run.values["answered"] == {"red": 1, "blue": 1, "why": 1}
    assert run.values["refusal recall"] == {"none": 1}
    assert RELEVANCE not in run.values


def test_the_judge_is_measured_by_answers_on_record() -> None:
    model = Model()
    run = evaluated(judge=Judge(model))
    assert run.values[RELEVANCE] == {"red": 1, "blue": 1, "why": 1}
    # Only where the answer on record is too long to be found word for word.
    assert run.values[SAME] == {"why": 1}
    # Two right answers are relevant, one given to the other's question is not.
    assert (run.agreements[RELEVANCE].agreed, run.agreements[RELEVANCE].of) == (3, 3)
    assert run.agreements[RELEVANCE].kappa == 1
    assert run.agreements[SAME].of == 2
    assert any("Right answer: because oil" in one for one in model.cases)
    assert not any("grey" in one for one in model.cases)


def test_a_poor_judge_is_found_out() -> None:
    run = evaluated(judge=Judge(Model("red")))
    assert run.values[RELEVANCE]["red"] == 0
    assert (run.agreements[RELEVANCE].agreed, run.agreements[RELEVANCE].of) == (1, 3)


def test_what_was_measured_before_a_stop_is_kept() -> None:
    asked: list[str] = []

    def stopping(question: str, rules: RetrievalRules) -> Given:
        asked.append(question)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return ask(question, rules)

    run = evaluated(stopping, Judge(Model()))
    assert not run.is_complete
    assert run.values["contains gold"] == {"red": 1, "blue": 1}
    assert not run.agreements


def test_a_question_that_fails_does_not_end_the_run() -> None:
    def failing(question: str, rules: RetrievalRules) -> Given:
        if "red" in question:
            raise WorkerCrashed("The language model crashed.")
        return ask(question, rules)

    run = evaluated(failing)
    assert [(one.question.id, one.error) for one in run.failed] == [
        ("red", "The language model crashed.")
    ]
    assert run.values["contains gold"] == {"blue": 1}


def test_a_judge_that_fails_leaves_the_other_figures() -> None:
    def crash(turns: Sequence[Turn], limits: GenerationLimits) -> str:
        raise WorkerCrashed("The language model crashed.")

    run = evaluated(judge=Judge(crash))
    assert run.is_complete
    assert run.note == "Nothing was judged: The language model crashed."
    assert run.values["contains gold"] == {"red": 1, "blue": 1}


def test_two_runs_are_compared_on_questions_both_speak_of() -> None:
    def worse(question: str, rules: RetrievalRules) -> Given:
        return given("") if "red" in question else ask(question, rules)

    found = compare_answers(evaluated(), evaluated(worse))
    assert found["contains gold"].change.mean == -0.5
    assert found["answered"].change.mean == pytest.approx(-1 / 3)
    # Nothing is cited for a refusal, so only the other two are compared.
    assert found["citation precision"].change.mean == 0


def test_agreement_by_chance_is_none() -> None:
    # 3 of 4 agree; by chance (0.5 * 0.25 + 0.5 * 0.75) half would.
    assert kappa([True, True, False, False], [True, False, False, False]) == pytest.approx(0.5)
    assert kappa([True, True], [True, True]) == 1
    assert kappa([True, False], [False, True]) == -1
