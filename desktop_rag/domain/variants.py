"""What was seen of one build of llama.cpp: `engines.llamacpp_trial` tells, `workers` decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TrialState(StrEnum):
    """How far a build came. A process that ends during `SCORING` or `RUNNING` tells which."""

    SCORING = "scoring"
    """It is asked whether it suits this processor."""
    RUNNING = "running"
    """It is loaded and calculates."""
    GOOD = "good"
    """It calculated right: this one is used."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Trial:
    """One remark about one build."""

    variant: str
    """Its name, e.g. `haswell`."""
    state: TrialState
    detail: str = ""
    """Why it failed, for the log."""
