"""Asks the language model whether the passages state the answer, before it writes one.

Retrieval finds passages on the right topic; whether they state what was asked, of that year, that
model, that person, only reading them tells. The model reads them in any case, and the probability
behind its "Yes" or "No" tells far more than the word it would write, or than the sentence with
which it might refuse (Kadavath et al. 2022, "Language Models (Mostly) Know What They Know").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Confidence

OPENINGS = ("Yes", "No")
"""What the model's reply to the check may begin with; see `Generator.weigh`."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Margins (logarithm of how many times a yes is likelier than a no) and what they promise."""

    refuse_below: float
    """The passages do not state the answer."""
    medium_from: float
    high_from: float


CALIBRATED = {
    "qwen2.5-coder-1.5b-instruct-q4_k_m": Levels(0.0, 1.0, 2.0),
    "qwen2.5-coder-0.5b-instruct-q4_k_m": Levels(-2.0, 0.0, 2.0),
}
"""By model; measured with `tests/benchmarks/bench_answers.py`."""
UNKNOWN_MODEL = Levels(-2.0, 0.0, 2.0)
"""A model nobody measured must be sure of its no."""


def margin(log_probs: Sequence[float]) -> float:
    """How much likelier a yes is than a no, from the log-probabilities of `OPENINGS`."""
    yes, no = log_probs
    return yes - no


def assured(judged: Confidence, margin: float, model: str) -> Confidence:
    """The weaker of what retrieval promises and what the model thinks of the passages.

    Args:
        judged: by `domain.answerability`.
        margin: by the function of this name.
        model: identifier of the language model.

    Returns:
        `NONE` when the passages do not state the answer.
    """
    levels = CALIBRATED.get(model, UNKNOWN_MODEL)
    order = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)
    steps = (levels.refuse_below, levels.medium_from, levels.high_from)
    return min(judged, order[sum(margin >= step for step in steps)], key=order.index)
