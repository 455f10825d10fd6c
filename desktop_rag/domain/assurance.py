"""Asks the language model whether the passages state the answer, before it writes one.

Retrieval finds passages on the right topic; whether they state what was asked, of that year, that
model, that person, only reading them tells. The model reads them in any case, and the probability
behind its "Yes" or "No" tells far more than the word it would write, or than the sentence with
which it might refuse (Kadavath et al. 2022, "Language Models (Mostly) Know What They Know").

Measured on questions of SQuAD 2.0 with two passages each, half of them answerable, the others
written to look it: the odds of a yes are higher for the answerable one in 78 % of pairs (1.5B) and
65 % (0.5B). At the levels below, 4 % of the answerable are refused and 33 % of the others (1.5B,
358 questions), 8 % and 39 % with the 0.5B (203). Of those with odds from 1.5 on, 80 % were
answerable, from 2 on 90 %. Other wordings of the check, examples before it, the model's own
refusals, how likely it found the question, and a linear head on its hidden state (Slobodkin et al.
2023) told no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.spotting import UNSTATED_BELOW, Spot

OPENINGS = ("Yes", "No")
"""What the model's reply to the check may begin with; see `Generator.weigh`."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Log-odds that the passages state the answer, and what they promise."""

    refuse_below: float
    """The passages do not state the answer."""
    enough: float
    """No other passages need be read."""
    medium_from: float
    high_from: float
    doubted_below: float
    """Stands for `refuse_below` where a model that looks for the very words has doubts."""


STRANGER = Levels(-2.0, enough=0.0, medium_from=0.5, high_from=2.0, doubted_below=-1.0)
"""For a model nobody measured: it must be sure of its no."""

MEASURED: Mapping[str, Levels] = {
    "qwen2.5-coder-1.5b-instruct-q4_k_m": Levels(0.25, 0.5, 1.5, 2.0, 0.95),
    "qwen2.5-coder-0.5b-instruct-q4_k_m": Levels(-1.9, -1.4, -1.0, 0.0, -1.6),
}
"""By the model's id; `bench_answers --refuse-below` shows what another level would do."""


def levels_of(model: str) -> Levels:
    """What a language model's odds promise."""
    return MEASURED.get(model, STRANGER)


def doubting(levels: Levels, spots: Sequence[Spot]) -> Levels:
    """How sure the model must be, given the words found that answer.

    Two that doubt are right more often than one. Of 177 misleading questions 51 % are refused at
    these levels and of 182 answerable ones 6 % (1.5B); with 0.7 instead of 0.95 43 and 5 %, and by
    the model alone, of 90 questions in all, 22 and 4 %.

    Args:
        levels: of the model that reads the passages.
        spots: words that answer, best first, where a model looked for them.
    """
    if not spots:
        return levels
    is_unstated = spots[0].margin < UNSTATED_BELOW
    least = levels.medium_from if is_unstated else levels.doubted_below
    return replace(levels, refuse_below=least, enough=max(levels.enough, least))


def log_odds(log_probs: Sequence[float]) -> float:
    """How much likelier a yes is than a no, from the log-probabilities of `OPENINGS`."""
    yes, no = log_probs
    return yes - no


def trusted(judged: Confidence, log_odds: float, levels: Levels) -> Confidence:
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
