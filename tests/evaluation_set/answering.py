"""Asks the whole program the small set's `answers.jsonl` and keeps what the answers are worth.

Without a language model the answers are quotations, the same on every run and every computer; so
finding, deciding whether there is an answer, and quoting cannot become worse unnoticed.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

from desktop_rag import paths
from desktop_rag.cli.answer_evaluating import Asking
from desktop_rag.cli.measured_library import library_of
from desktop_rag.domain.answer_grading import ANSWERED, CONTAINS, PRECISION, REFUSAL_RECALL
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES
from desktop_rag.services.evaluating_answers import AnswerEvaluation, evaluate_answers
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.storage.evaluation_sets import QUESTIONS, read_set
from tests.evaluation_set.measuring import HERE, written

ANSWERS = HERE / "answers.jsonl"
BASELINE = HERE / "answers_baseline.json"
JUDGED_BY = (CONTAINS, ANSWERED, PRECISION, REFUSAL_RECALL)

Figures = Mapping[str, Mapping[str, float]]
"""By measure, then by question."""


def answered(scratch: Path) -> AnswerEvaluation:
    """Answers to the set with real engines; by the language model in use, or quotations.

    Args:
        scratch: an empty folder for the documents.
    """
    folder = written(scratch)
    shutil.copyfile(ANSWERS, folder / QUESTIONS)
    with library_of(read_set(folder)) as library:
        return evaluate_answers(
            library.questions,
            Asking(library.app),
            library.name_of,
            DEFAULT_RULES,
            judge=None,
            tell=lambda *_: None,
        )


def quoted(scratch: Path) -> AnswerEvaluation:
    """Answers without a language model, even where some are installed."""
    nowhere = scratch / "no-models"
    scratch = scratch / "documents"
    scratch.mkdir()
    with mock.patch.dict(os.environ, {paths.MODELS_DIR_VARIABLE: str(nowhere), LLM_VARIABLE: ""}):
        return answered(scratch)


def figures(run: AnswerEvaluation) -> Figures:
    """Those that may not become worse."""
    values = run.values
    return {key: values[key] for key in JUDGED_BY}


def recorded() -> Figures:
    """The figures on record, of quotations."""
    values: Figures = json.loads(BASELINE.read_text(encoding="utf-8"))
    return values


def record(some: Figures) -> None:
    """Keep figures as those that must be reached from now on."""
    BASELINE.write_text(json.dumps(some, indent=1) + "\n", encoding="utf-8")
