"""How much text a prompt may hold, and which passages fill it.

The time to the first word is nearly all prompt reading, so the budget follows the measured speed of
the model on this computer: what can be read in the time a person is willing to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.sentences import sentence_spans

MAX_PASSAGES = 5
WORTHWHILE = 60
"""A passage is not cut down to fewer tokens than this; a stump only distracts."""
_ANSWER_TOKENS = 300
_TEMPLATE_TOKENS = 50
_QUESTION_CHARS = 2000
_HISTORY_FROM = 2048
_LEAST_CONTEXT = 400
"""Instructions, a question, a stump of a passage and one sentence."""


class Effort(StrEnum):
    """How much is read for an answer: the setting `answers`."""

    FAST = "fast"
    BALANCED = "balanced"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What passages may cost in a prompt.

    Shares of prompts that hold the answer by tokens: 250: 0.84, 450: 0.95, 750: 0.965
    (`domain.compression`, 200 questions of SQuAD 1.1).
    """

    patience_s: float
    """Reading that a quick enough computer spends before the first word."""
    least: int
    """Tokens, however slow it is: fewer cost more right answers than they save time."""
    most: int
    """Tokens, however quick it is: small models get lost in more."""
    passages: int

    def tokens(self, reads_per_s: float, room: int) -> int:
        """Tokens that passages may take.

        Args:
            reads_per_s: prompt tokens that the model reads in a second; 0 while unknown.
            room: what the model's context leaves for them.
        """
        wanted = max(self.least, min(reads_per_s * self.patience_s, self.most))
        return max(0, min(room, round(wanted)))


ALLOWANCES = {
    Effort.FAST: Allowance(1.5, least=250, most=700, passages=3),
    Effort.BALANCED: Allowance(3.0, least=450, most=1400, passages=MAX_PASSAGES),
    Effort.THOROUGH: Allowance(10.0, least=750, most=2000, passages=MAX_PASSAGES),
}
MIN_TOKENS = ALLOWANCES[Effort.BALANCED].least
"""What a prompt has room for on any computer, unless somebody chose otherwise."""


@dataclass(frozen=True, slots=True)
class Room:
    """How a model's context is shared out; a small one leaves less to everything."""

    answer: int
    """Tokens of the answer."""
    question_chars: int
    has_history: bool
    is_enough: bool
    """For an answer from at least one passage."""

    def left(self, context_tokens: int, fixed: int) -> int:
        """Tokens for passages, beside `fixed` tokens of instructions, history and question."""
        return max(0, context_tokens - fixed - self.answer - _TEMPLATE_TOKENS)


def room_in(context_tokens: int) -> Room:
    """What fits a context of so many tokens."""
    return Room(
        answer=min(_ANSWER_TOKENS, context_tokens // 4),
        question_chars=min(_QUESTION_CHARS, context_tokens * 3 // 4),
        has_history=context_tokens >= _HISTORY_FROM,
        is_enough=context_tokens >= _LEAST_CONTEXT,
    )


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
            chosen.append(cut(passage, max(left, WORTHWHILE) / cost))
            left = 0
    return chosen


def cut(passage: Passage, share: float) -> Passage:
    """The passage's beginning, whole sentences where possible, at most `share` of its text."""
    room = max(1, int(len(passage.text) * share))
    ends = [end for _, end in sentence_spans(passage.text) if end <= room]
    end = ends[-1] if ends else room
    return replace(passage, text=passage.text[:end], end=passage.start + end)
