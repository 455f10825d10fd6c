"""Judges a retrieval plan by quality gates: findings, a score and a grade.

A gate whose values are unknown is neither passed nor failed and does not count. The score is the
share of the judged gates that are passed, by their weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.gates.chunk_gates import CHUNK_GATES
from desktop_rag.domain.gates.finding_gates import FINDING_GATES
from desktop_rag.domain.gates.gate import Gate, Severity
from desktop_rag.domain.gates.trust_gates import TRUST_GATES
from desktop_rag.domain.gates.upkeep_gates import UPKEEP_GATES
from desktop_rag.domain.retrieval_plan import RetrievalPlan

GATES = (*CHUNK_GATES, *FINDING_GATES, *UPKEEP_GATES, *TRUST_GATES)
"""All of them, in the order in which a question meets them."""

_GRADES = ((90, "A"), (80, "B"), (70, "C"), (60, "D"))
_WORST = "F"
_WITH_AN_ERROR = "D"
"""The best grade with a failed gate of the worst kind, whatever else is good."""
_ENOUGH = 0.5
"""Share of the gates' weight that must be judged before a grade says anything."""


class Verdict(StrEnum):
    """What a gate says."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


_WEIGHTS = {Severity.ERROR: 5, Severity.WARNING: 3, Severity.INFO: 1}


@dataclass(frozen=True, slots=True)
class Finding:
    """What one gate says about one plan."""

    gate: str
    verdict: Verdict
    severity: Severity
    asks: str
    seen: str
    """What was found, or why it cannot be judged."""
    why: str
    next_step: str
    """Empty when the gate is passed."""

    @property
    def is_error(self) -> bool:
        """Whether it is failed, and of the worst kind."""
        return self.verdict is Verdict.FAILED and self.severity is Severity.ERROR


@dataclass(frozen=True, slots=True)
class Audit:
    """All findings, in the order of the gates."""

    findings: tuple[Finding, ...]

    def count(self, verdict: Verdict) -> int:
        """How many gates say this."""
        return sum(one.verdict is verdict for one in self.findings)

    @property
    def has_error(self) -> bool:
        """Whether a gate of the worst kind is failed."""
        return any(one.is_error for one in self.findings)

    @property
    def score(self) -> int | None:
        """0 to 100, of the gates that could be judged; `None` when none could."""
        judged = self._weight(Verdict.PASSED, Verdict.FAILED)
        return round(100 * self._weight(Verdict.PASSED) / judged) if judged else None

    @property
    def grade(self) -> str:
        """A to F; empty when too little could be judged to give one."""
        score, total = self.score, self._weight(*Verdict)
        if score is None or self._weight(Verdict.UNKNOWN) > (1 - _ENOUGH) * total:
            return ""
        grade = next((letter for least, letter in _GRADES if score >= least), _WORST)
        return max(grade, _WITH_AN_ERROR) if self.has_error else grade

    def _weight(self, *verdicts: Verdict) -> int:
        return sum(_WEIGHTS[one.severity] for one in self.findings if one.verdict in verdicts)


def audit(plan: RetrievalPlan, unknown: Mapping[str, str] | None = None) -> Audit:
    """Judge a plan.

    Args:
        plan: what is known.
        unknown: for a library that is running, why the value of a path is not known, in a sentence;
            `None` for a plan on paper, whose next steps are then words about the plan.
    """
    return Audit(tuple(_finding(gate, plan, unknown) for gate in GATES))


def _finding(gate: Gate, plan: RetrievalPlan, unknown: Mapping[str, str] | None) -> Finding:
    judgement = gate.judge(plan)
    if judgement is None:
        verdict, seen = Verdict.UNKNOWN, _why_unknown(gate, plan, unknown)
    else:
        is_passed, seen = judgement
        verdict = Verdict.PASSED if is_passed else Verdict.FAILED
    next_step = gate.in_plan if unknown is None else gate.here
    return Finding(
        gate=gate.id,
        verdict=verdict,
        severity=gate.severity,
        asks=gate.asks,
        seen=seen,
        why=gate.why,
        next_step=next_step if verdict is Verdict.FAILED else "",
    )


def _why_unknown(gate: Gate, plan: RetrievalPlan, unknown: Mapping[str, str] | None) -> str:
    missing = [path for path in gate.reads if value_at(plan, path) is None]
    known = [unknown[path] for path in missing if path in unknown] if unknown else []
    if known:
        return known[0]
    return f"Not known: {', '.join(missing or gate.reads)}."


def value_at(plan: object, path: str) -> object:
    """The value of a path like `chunking.size`; `None` when it is unknown."""
    for name in path.split("."):
        plan = getattr(plan, name)
    return plan
