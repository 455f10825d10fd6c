"""How much text a prompt may hold, and which passages fill it.

The time to the first word is nearly all prompt reading, so the budget follows the measured speed of
the model on this computer: what can be read in the time a person is willing to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.sentences import sentence_spans

MIN_TOKENS = 750
"""Three passages of the embedder's size; fewer cost more right answers than they save time."""
MAX_TOKENS = 1400
"""Small models get lost in more."""
MAX_PASSAGES = 5
_PATIENCE_S = 12.0
"""Wait for the first word that a quick enough computer aims at."""
_SMOOTHING = 0.5
_WORTHWHILE = 60
"""A passage is not cut down to fewer tokens than this; a stump only distracts."""


@dataclass(frozen=True, slots=True)
class PromptSpeed:
    """Prompt tokens a second, as last measured; unknown at first."""

    tokens_per_s: float | None = None

    def after(self, tokens: int, seconds: float) -> PromptSpeed:
        """With another measurement; tiny prompts say nothing because their prefix was cached."""
        if tokens < MIN_TOKENS // 2 or seconds <= 0:
            return self
        measured = tokens / seconds
        known = self.tokens_per_s
        return PromptSpeed(
            measured if known is None else _SMOOTHING * measured + (1 - _SMOOTHING) * known
        )

    def passage_tokens(self, context_tokens: int, reserved: int) -> int:
        """Tokens that passages may take.

        Args:
            context_tokens: context of the model.
            reserved: tokens for instructions, history, question and answer.
        """
        wanted = (self.tokens_per_s or 0.0) * _PATIENCE_S
        room = max(0, context_tokens - reserved)
        return min(room, round(max(MIN_TOKENS, min(wanted, MAX_TOKENS))))


def fill(
    passages: Sequence[Passage], costs: Sequence[int], tokens: int, limit: int = MAX_PASSAGES
) -> list[Passage]:
    """The best passages that fit, in order; the first is always there, cut when it must be.

    A passage that does not fit is passed over for a shorter one further down.

    Args:
        passages: best first.
        costs: tokens of each, its header included.
        tokens: what they may cost together.
        limit: how many there may be.
    """
    chosen: list[Passage] = []
    left = tokens
    for passage, cost in zip(passages, costs, strict=True):
        if len(chosen) == limit:
            break
        if cost <= left:
            chosen.append(passage)
            left -= cost
        elif not chosen:
            chosen.append(cut(passage, max(left, _WORTHWHILE) / cost))
            left = 0
    return chosen


def cut(passage: Passage, share: float) -> Passage:
    """The passage's beginning, whole sentences where possible, at most `share` of its text."""
    room = max(1, int(len(passage.text) * share))
    ends = [end for _, end in sentence_spans(passage.text) if end <= room]
    end = ends[-1] if ends else room
    return replace(passage, text=passage.text[:end], end=passage.start + end)
