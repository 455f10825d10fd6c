"""One gate, and the two ways in which most are judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.retrieval_plan import RetrievalPlan


class Severity(StrEnum):
    """What failing a gate means."""

    ERROR = "error"
    """Documents are not found, or answers cannot be trusted."""
    WARNING = "warning"
    """Retrieval is worse than it could be, or nobody would notice if it were."""
    INFO = "info"


Judgement = tuple[bool, str] | None
"""Whether the gate is passed, and what was seen; `None`: it cannot be judged."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One demand on retrieval."""

    id: str
    asks: str
    """What is demanded, as a sentence."""
    why: str
    severity: Severity
    reads: tuple[str, ...]
    """The values it is judged by, as paths in the plan."""
    judge: Callable[[RetrievalPlan], Judgement]
    in_plan: str
    """What to change in a plan."""
    here: str
    """What a person can do about the library they have."""


def number(
    value: Callable[[RetrievalPlan], float | None],
    says: str,
    least: float = 0,
    most: float = float("inf"),
    *,
    none: str = "",
) -> Callable[[RetrievalPlan], Judgement]:
    """Passed by a value between two bounds; `says` words it, and `none` a nought."""

    def judge(plan: RetrievalPlan) -> Judgement:
        seen = value(plan)
        if seen is None:
            return None
        return least <= seen <= most, none if none and not seen else says.format(seen)

    return judge


def fact(
    value: Callable[[RetrievalPlan], bool | None], yes: str, no: str, *, wanted: bool = True
) -> Callable[[RetrievalPlan], Judgement]:
    """Passed by a fact; worded by `yes` or `no`."""

    def judge(plan: RetrievalPlan) -> Judgement:
        seen = value(plan)
        return None if seen is None else (seen is wanted, yes if seen else no)

    return judge
