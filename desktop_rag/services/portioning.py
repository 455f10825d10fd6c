"""Shares a model's context out: what passages, question, history and answer may take of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.budget import ALLOWANCES, WORTHWHILE, Effort, room_in
from desktop_rag.domain.errors import UserError
from desktop_rag.domain.ports import Generator, GeneratorInfo
from desktop_rag.domain.prompting import shortened
from desktop_rag.services.filling import Budget

_CHARS_PER_TOKEN = 3.5


@dataclass(frozen=True, slots=True)
class Portion:
    """What an answer is made from."""

    question: str
    """As asked, or shortened for a small context."""
    history: tuple[Turn, ...]
    budget: Budget
    answer_tokens: int


class Portioning:
    """Portions for one model after the other.

    Args:
        generator: counts tokens.
        effort: the setting `answers`, as it is now.
    """

    def __init__(self, generator: Generator, effort: Callable[[], Effort]) -> None:
        self._generator = generator
        self._effort = effort

    def portion(
        self,
        model: GeneratorInfo,
        system: str,
        question: str,
        history: Sequence[Turn],
        least: int = 0,
    ) -> Portion:
        """The budget for passages follows the model's speed, and what else has to fit.

        However slow the model is, it is at least `least` tokens, if there is room.

        Raises:
            UserError: the model's context is too small for an answer from a passage.
        """
        room = room_in(model.context_tokens)
        if not room.is_enough:
            raise _too_small(model)
        question = shortened(question, room.question_chars)
        history = tuple(history) if room.has_history else ()
        fixed = [system, question, *(turn.content for turn in history)]
        left = room.left(model.context_tokens, sum(self._generator.count_tokens(fixed)))
        if left < WORTHWHILE:
            raise _too_small(model)
        allowance = ALLOWANCES[self._effort()]
        tokens = max(allowance.tokens(model.prompt_tokens_per_s, left), min(least, left))
        budget = Budget(tokens, self._generator.count_tokens, allowance.passages)
        return Portion(question, history, budget, room.answer)

    def without_model(self) -> Budget:
        """For passages that are only shown."""
        allowance = ALLOWANCES[self._effort()]
        return Budget(allowance.least, _estimated, allowance.passages)


def _too_small(model: GeneratorInfo) -> UserError:
    return UserError(
        f"The language model {model.id} reads only {model.context_tokens} tokens at once, too few "
        "for a passage and this question; ask a shorter one, or choose another model with "
        "`desktop-rag models default`."
    )


def _estimated(texts: Sequence[str]) -> list[int]:
    return [round(len(text) / _CHARS_PER_TOKEN) for text in texts]
