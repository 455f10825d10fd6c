"""What the measured speed of a language model means to somebody who waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.budget import ALLOWANCES, Effort
from desktop_rag.domain.tuning import Tuning

_WORDS_PER_TOKEN = 0.75
"""Of English prose; other languages have fewer."""
_ROOM = 1 << 20
"""The context is never what limits the passages of an answer."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How an answer feels. 0 where nothing was measured yet."""

    words_per_s: float
    first_word_s: float
    """Until the first word, when the instructions are read already and the passages are not."""


def pace_of(tuning: Tuning, effort: Effort) -> Pace:
    """The pace of a model that reads as much for an answer as `effort` says."""
    tokens = ALLOWANCES[effort].tokens(tuning.reads_per_s, _ROOM)
    return Pace(
        words_per_s=tuning.writes_per_s * _WORDS_PER_TOKEN,
        first_word_s=tokens / tuning.reads_per_s if tuning.reads_per_s else 0.0,
    )
