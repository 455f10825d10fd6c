"""Understands a question in its conversation: what it leans on, and what of it still holds.

Rules rewrite a follow-up so that it stands alone (`domain.standalone`). Only where they do not know
what it leans on, and a language model is loaded already, is that one asked; what it writes counts
only if every word of it was said.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Message, Role, Turn
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.followup import is_follow_up, small_talk
from desktop_rag.domain.marks import without_marks
from desktop_rag.domain.ports import GenerationLimits, Generator
from desktop_rag.domain.prompting import shortened
from desktop_rag.domain.query_expansion import prompt
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.standalone import Exchange, is_faithful, is_talk, standalone
from desktop_rag.services.retrieval import EVERYTHING, Retrieval
from desktop_rag.storage.prompt_texts import prompt_text

logger = logging.getLogger(__name__)

_HISTORY_TURNS = 2
_QUESTION_CHARS = 200
_ANSWER_CHARS = 300
_LIMITS = GenerationLimits(max_tokens=40, temperature=0.0, grammar='root ::= [^\\n?]+ "?"')

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class InContext:
    """A question as its conversation makes it understood."""

    typed: str
    text: str
    """Standing alone; the same as typed for a question that does."""
    scope: Scope = EVERYTHING
    inherited: str = ""
    """What of an earlier question narrows this one, for a person."""
    history: tuple[Turn, ...] = ()
    """What was said before, short and without citations; nothing on another topic."""

    @property
    def rewritten(self) -> str:
        """The text, when it is not what was typed."""
        return "" if self.text == self.typed else self.text


class FollowingUp:
    """Reads questions. Called on the answerer thread."""

    def __init__(self, retrieval: Retrieval, generator: Generator) -> None:
        self._retrieval = retrieval
        self._generator = generator
        self._instruction = prompt_text("follow_up")

    def read(
        self,
        question: str,
        earlier: Sequence[Message],
        scope: Scope,
        is_cancelled: IsCancelled,
        *,
        has_model: bool,
    ) -> InContext:
        """What a question means after what was said before.

        Args:
            question: as typed.
            earlier: messages before it, oldest first.
            scope: chosen beside the question; it replaces what earlier questions asked for.
            is_cancelled: looked at while a model writes.
            has_model: whether a language model is loaded, so that it can be asked at once.
        """
        said = exchanges(earlier)
        if not said or not is_follow_up(question) or is_talk(question):
            return InContext(question, question, scope)
        rewriting = standalone(question, said)
        text = rewriting.text
        if has_model and not rewriting.is_sure:
            text = self._by_model(question, said, is_cancelled) or text
        inherited = self._inherited(question, earlier) if scope.is_everything else EVERYTHING
        return InContext(
            question,
            text,
            scope if inherited.is_everything else inherited,
            inherited.described(),
            tuple(_history(earlier)),
        )

    def _by_model(self, question: str, said: Sequence[Exchange], is_cancelled: IsCancelled) -> str:
        last = said[-1]
        answer = f" Answer: {_beginning(last.answer)}" if last.answer else ""
        turns = prompt(self._instruction, f"Question: {last.question}{answer} Question: {question}")
        try:
            written = "".join(self._generator.stream(turns, _LIMITS, is_cancelled)).strip()
        except DesktopRagError as error:
            logger.info("A follow-up was not rewritten by the model: %s", error.code)
            return ""
        return written if is_faithful(written, question, said) else ""

    def _inherited(self, question: str, earlier: Sequence[Message]) -> Scope:
        """The filters of the question that started the topic, unless this one brings its own."""
        if not self._retrieval.filters_of(question).is_everything:
            return EVERYTHING
        for message in reversed(earlier):
            if message.role is Role.USER:
                scope = self._retrieval.filters_of(message.text)
                if not scope.is_everything or not is_follow_up(message.text):
                    return scope
        return EVERYTHING


def exchanges(earlier: Sequence[Message]) -> list[Exchange]:
    """Questions, as they were understood, with their answers; oldest first."""
    found: list[Exchange] = []
    for place, message in enumerate(earlier):
        if message.role is not Role.USER or small_talk(message.text) is not None:
            continue
        following = earlier[place + 1] if place + 1 < len(earlier) else None
        answer = following.answer if following is not None else None
        understood = answer.understood.text if answer is not None else ""
        is_found = following is not None and answer is not None and answer.found
        said = without_marks(following.text) if following is not None and is_found else ""
        found.append(Exchange(shortened(understood or message.text, _QUESTION_CHARS), said))
    return found


def _history(earlier: Sequence[Message]) -> list[Turn]:
    """The last questions with their answers, shortened; without citation numbers of old answers."""
    pairs: list[Turn] = []
    for one in exchanges(earlier):
        if one.answer:
            pairs += [
                Turn(Role.USER, one.question),
                Turn(Role.ASSISTANT, _beginning(one.answer)),
            ]
    return pairs[-2 * _HISTORY_TURNS :]


def _beginning(answer: str) -> str:
    """Whole sentences of an answer, as far as they fit; a part of the first one if it is long."""
    ends = [end for _, end in sentence_spans(answer) if end <= _ANSWER_CHARS]
    return answer[: ends[-1]] if ends else shortened(answer, _ANSWER_CHARS)
