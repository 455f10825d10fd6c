"""What an evaluation of answers found, as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from desktop_rag.cli import comparison
from desktop_rag.cli.output import print_table, say, show
from desktop_rag.domain import structured
from desktop_rag.domain.answer_grading import (
    ANSWERED,
    CONTAINS,
    EXACT,
    F1,
    FAITHFUL,
    PRECISION,
    RECALL,
    REFUSAL_PRECISION,
    REFUSAL_RECALL,
)
from desktop_rag.domain.evaluation import Difference, percentile
from desktop_rag.services.evaluating_answers import (
    RELEVANCE,
    SAME,
    AnswerEvaluation,
    AnswerOutcome,
    compare_answers,
)

SCHEMA = 1
"""Raised when a key of the JSON goes or changes its meaning."""
_ORDER = (
    ANSWERED, CONTAINS, EXACT, F1, SAME, PRECISION, RECALL, FAITHFUL, REFUSAL_PRECISION,
    REFUSAL_RECALL, RELEVANCE,
)  # fmt: skip
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """One run over a set, or two to be compared."""

    set: str
    runs: tuple[AnswerEvaluation, ...]
    model: str
    """That wrote and judged; empty when answers are quotations."""
    note: str = ""
    """Why they are."""

    @property
    def changes(self) -> dict[str, Difference]:
        """By measure; empty without a second run."""
        return compare_answers(*self.runs) if len(self.runs) > 1 else {}


def as_json(report: AnswerReport) -> dict[str, object]:
    """The report with every answer; `comparison` is `null` without a second run."""
    changes = report.changes
    return {
        "schema": SCHEMA,
        "set": report.set,
        "model": report.model,
        "note": report.note,
        "runs": [_run_as_json(one) for one in report.runs],
        "comparison": comparison.as_json(changes),
    }


def print_report(report: AnswerReport) -> None:
    """A row a measure, then times, what the judge is worth, what failed and what got worse."""
    changes, first = report.changes, report.runs[0]
    questions = [one.question for one in first.outcomes]
    answerable = sum(one.is_answerable for one in questions)
    say(f"{report.set}: {len(questions)} questions, {answerable} with an answer in the set.")
    values = first.values
    rows = [_row(key, report.runs, changes) for key in _ORDER if key in values]
    print_table(rows, _headings(report.runs))
    print_table([_times_row(*one) for one in times(report.runs[-1]).items()], _TIMES)
    for number, run in enumerate(report.runs, 1):
        _show_remarks(f"Rules {number}: " if len(report.runs) > 1 else "", run)
    if changes:
        _show_verdict(changes, report.runs)


def times(run: AnswerEvaluation) -> dict[str, Sequence[float]]:
    """Seconds of the questions that were answered or refused, and to the first word."""
    given = [one.given for one in run.outcomes if one.given is not None]
    first = [one.first_word_s for one in given if one.first_word_s is not None]
    return {"whole answer": [one.seconds for one in given], "first word": first}


_TIMES = ("seconds", "p50", "p95")


def _headings(runs: Sequence[AnswerEvaluation]) -> list[str]:
    more = comparison.HEADINGS if len(runs) > 1 else ()
    return ["measure", "mean", "95 %", "of", *more]


def _row(
    key: str, runs: Sequence[AnswerEvaluation], changes: Mapping[str, Difference]
) -> list[str]:
    own = runs[0].interval(key)
    count = len(runs[0].values[key])
    row = [key, f"{own.mean:.3f}", f"{own.low:.3f} to {own.high:.3f}", str(count)]
    if key in changes:
        row += comparison.cells(changes[key], runs[1].interval(key).mean)
    return row


def _times_row(name: str, seconds: Sequence[float]) -> list[str]:
    return [name, f"{percentile(seconds, 0.5):.1f}", f"{percentile(seconds, 0.95):.1f}"]


def _show_remarks(whose: str, run: AnswerEvaluation) -> None:
    for measure, judged in run.agreements.items():
        show(
            f"{whose}{measure}: of {judged.of} replies whose worth the answers on record tell, the "
            f"judge says the same of {judged.agreed} (kappa {judged.kappa:.2f})."
        )
    if run.note:
        show(f"{whose}{run.note}")
    for one in run.failed[:_SHOWN]:
        show(f"{whose}Failed, {one.question.id}: {one.error}")


def _show_verdict(changes: Mapping[str, Difference], runs: Sequence[AnswerEvaluation]) -> None:
    comparison.show_beyond_chance(changes)
    before, after = (run.values.get(F1, {}) for run in runs)
    texts = {one.question.id: one.question.text for one in runs[0].outcomes}
    lost = sorted((after[id_] - before[id_], id_) for id_ in before if id_ in after)
    for change, id_ in lost[:_SHOWN]:
        if change < 0:
            show(f"Lost most, {before[id_]:.2f} to {after[id_]:.2f}: {texts[id_]} ({id_})")


def _run_as_json(run: AnswerEvaluation) -> dict[str, object]:
    values = run.values
    return {
        "rules": asdict(run.rules),
        "is_complete": run.is_complete,
        "measures": {
            key: {**asdict(run.interval(key)), "n": len(values[key])}
            for key in _ORDER
            if key in values
        },
        "judge": {measure: asdict(one) for measure, one in run.agreements.items()},
        "note": run.note,
        "seconds": {
            key: {"p50": percentile(some, 0.5), "p95": percentile(some, 0.95)}
            for key, some in times(run).items()
        },
        "questions": [_outcome_as_json(one) for one in run.outcomes],
    }


def _outcome_as_json(one: AnswerOutcome) -> dict[str, object]:
    given = one.given
    return {
        "id": one.question.id,
        "question": one.question.text,
        "gold": list(one.question.answers),
        "is_answerable": one.question.is_answerable,
        "values": dict(one.values),
        "error": one.error,
        "seconds": given and given.seconds,
        "first_word_s": given and given.first_word_s,
        "answer": structured.as_json(structured.structured_answer(given.answer)) if given else None,
    }
