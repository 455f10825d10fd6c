"""What an evaluation found, as a table for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from desktop_rag.cli import comparison
from desktop_rag.cli.output import print_table, say, show
from desktop_rag.domain.evaluation import Difference
from desktop_rag.services.evaluating import Evaluation, Loss, compare, losses

SCHEMA = 1
"""Raised when a key of the JSON goes or changes its meaning."""
_SHOWN_LOSSES = 5


@dataclass(frozen=True, slots=True)
class Report:
    """One run over a set, or two to be compared."""

    set: str
    runs: tuple[Evaluation, ...]
    depth: int
    """The rank to which nDCG judges which questions lost."""

    @property
    def changes(self) -> dict[str, Difference]:
        """By measure; empty without a second run."""
        return compare(*self.runs) if len(self.runs) > 1 else {}

    @property
    def losses(self) -> list[Loss]:
        """Questions that the second run does worse."""
        if len(self.runs) < 2:
            return []
        first, second = self.runs
        return losses(first, second, f"nDCG@{self.depth}")


def as_json(report: Report) -> dict[str, object]:
    """The report with all its values; `comparison` is `null` without a second run."""
    questions = [one.question for one in report.runs[0].outcomes]
    changes = report.changes
    return {
        "schema": SCHEMA,
        "set": report.set,
        "questions": len(questions),
        "answerable": sum(one.is_answerable for one in questions),
        "runs": [_run_as_json(one) for one in report.runs],
        "comparison": comparison.as_json(changes),
        "losses": [asdict(one) for one in report.losses],
    }


def print_report(report: Report) -> None:
    """A row a measure; then what was not found, how long it took, and what got worse."""
    changes, questions = report.changes, [one.question for one in report.runs[0].outcomes]
    answerable = sum(one.is_answerable for one in questions)
    say(f"{report.set}: {len(questions)} questions, {answerable} with an answer in the set.")
    rows = [_row(key, report.runs, changes) for key in report.runs[0].values]
    print_table(rows, _headings(report.runs))
    for number, run in enumerate(report.runs, 1):
        _show_rates(f"Rules {number}: " if changes else "", run)
    latencies = report.runs[-1].latency_ms().items()
    print_table([(stage, f"{p50:.1f}", f"{p95:.1f}") for stage, (p50, p95) in latencies], _LATENCY)
    if changes:
        _show_verdict(changes, report.losses)


_LATENCY = ("ms", "p50", "p95")


def _headings(runs: Sequence[Evaluation]) -> list[str]:
    return ["measure", "mean", "95 %", *(comparison.HEADINGS if len(runs) > 1 else ())]


def _row(key: str, runs: Sequence[Evaluation], changes: dict[str, Difference]) -> list[str]:
    own = runs[0].interval(key)
    row = [key, f"{own.mean:.3f}", f"{own.low:.3f} to {own.high:.3f}"]
    if key in changes:
        row += comparison.cells(changes[key], runs[1].interval(key).mean)
    return row


def _show_rates(whose: str, run: Evaluation) -> None:
    show(f"{whose}Nothing matched well for {run.zero_result_rate:.1%} of the answerable questions.")
    if run.refused_unanswerable is not None:
        show(f"{whose}It said so for {run.refused_unanswerable:.1%} of the unanswerable ones.")


def _show_verdict(changes: dict[str, Difference], lost: Sequence[Loss]) -> None:
    comparison.show_beyond_chance(changes)
    for one in lost[:_SHOWN_LOSSES]:
        show(f"Lost most, {one.before:.2f} to {one.after:.2f}: {one.text} ({one.question})")


def _run_as_json(run: Evaluation) -> dict[str, object]:
    return {
        "rules": asdict(run.rules),
        "measures": {key: asdict(run.interval(key)) for key in run.values},
        "zero_result_rate": run.zero_result_rate,
        "refused_unanswerable": run.refused_unanswerable,
        "latency_ms": {k: {"p50": a, "p95": b} for k, (a, b) in run.latency_ms().items()},
        "per_question": run.values,
    }
