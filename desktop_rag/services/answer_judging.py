"""Asks the language model on this computer what no exact measure tells about an answer.

A small model is a poor judge, so its word is never given without how often it agrees with answers
on record: `services.evaluating_answers` measures that on the same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_rag.domain.answers import Role, Turn
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.ports import GenerationLimits
from desktop_rag.domain.prompting import shortened
from desktop_rag.storage.prompt_texts import prompt_text

Complete = Callable[[Sequence[Turn], GenerationLimits], str]
_YES = "yes"
# One token: more is never read.
_LIMITS = GenerationLimits(max_tokens=2, temperature=0.0, grammar='root ::= "yes" | "no"\n')
_MAX_CHARS = 1500


class Judge:
    """Says yes or no, the same every time."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete
        self._relevance, self._agreement = (
            prompt_text("judge_relevance"),
            prompt_text("judge_agreement"),
        )

    def is_relevant(self, question: str, reply: str) -> bool:
        """Whether a reply gives what was asked for, true or not."""
        return self._says_yes(self._relevance, f"Question: {question}\nReply: {_plain(reply)}")

    def is_same(self, question: str, reply: str, wanted: Sequence[str]) -> bool:
        """Whether a reply says what an answer on record says."""
        right = " / ".join(wanted)
        known = f"Question: {question}\nRight answer: {_plain(right)}"
        return self._says_yes(self._agreement, f"{known}\nReply: {_plain(reply)}")

    def _says_yes(self, instructions: str, case: str) -> bool:
        turns = [Turn(Role.SYSTEM, instructions), Turn(Role.USER, case)]
        return self._complete(turns, _LIMITS).strip().casefold().startswith(_YES)


def _plain(text: str) -> str:
    return shortened(without_marks(text), _MAX_CHARS)
