"""Asks the language model whether the passages state the answer, before it writes one.

Retrieval finds passages on the right topic; whether they state what was asked, of that year, that
model, that person, only reading them tells. The model reads them in any case, and the probability
behind its "Yes" or "No" tells far more than the word it would write, or than the sentence with
which it might refuse (Kadavath et al. 2022, "Language Models (Mostly) Know What They Know").

What it knows shows better still in its hidden state than in its words: a linear head on the state
behind the check (Slobodkin et al. 2023, "The Curious Case of Hallucinatory (Un)answerability"),
trained once for a model (`models/build/build_head.py`), is used where there is one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.ports import Weighed

OPENINGS = ("Yes", "No")
"""What the model's reply to the check may begin with; see `Generator.weigh`."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Log-odds that the passages state the answer, and what they promise."""

    refuse_below: float
    """The passages do not state the answer."""
    medium_from: float
    high_from: float


@dataclass(frozen=True, slots=True)
class Head:
    """A trained way to read one model; without weights its words are taken as they are."""

    levels: Levels
    weights: array[float]
    """Of its hidden state, float32, as many as that has values."""
    yes_weight: float = 1.0
    bias: float = 0.0

    def log_odds(self, weighed: Weighed) -> float:
        """That the passages state the answer; a state of another size counts for nothing."""
        return self.bias + self.yes_weight * margin(weighed.log_probs) + self._of(weighed.state)

    def _of(self, state: bytes) -> float:
        if not self.weights or len(state) != self.weights.itemsize * len(self.weights):
            return 0.0
        return sum(
            weight * one for weight, one in zip(self.weights, array("f", state), strict=True)
        )


STRANGER = Head(Levels(refuse_below=-2.0, medium_from=0.0, high_from=2.0), array("f"))
"""For a model nobody measured: it must be sure of its no."""


def margin(log_probs: Sequence[float]) -> float:
    """How much likelier a yes is than a no, from the log-probabilities of `OPENINGS`."""
    yes, no = log_probs
    return yes - no


def assured(judged: Confidence, log_odds: float, levels: Levels) -> Confidence:
    """The weaker of what retrieval promises and what the model thinks of the passages.

    Args:
        judged: by `domain.answerability`.
        log_odds: that the passages state the answer.
        levels: what such odds promise, of the model.

    Returns:
        `NONE` when the passages do not state the answer.
    """
    order = (Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)
    steps = (levels.refuse_below, levels.medium_from, levels.high_from)
    return min(judged, order[sum(log_odds >= step for step in steps)], key=order.index)
