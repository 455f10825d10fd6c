"""A composer that gives an answer again instead of writing it again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from desktop_rag.domain.answers import Answer, ConversationId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.revisions import GREEDY
from desktop_rag.services.answer_cache import AnswerCache, Place
from desktop_rag.services.composing import Composer
from desktop_rag.services.drafts import IsCancelled, Question
from desktop_rag.services.retrieval import Found

logger = logging.getLogger(__name__)

Later = Callable[[Callable[[], None]], None]
"""Runs something on the answerer's thread, after what is being answered."""


class Reusing:
    """Composes like `Composer`. Called on the answerer's thread only."""

    def __init__(self, composer: Composer, cache: AnswerCache, later: Later) -> None:
        self._composer = composer
        self._cache = cache
        self._later = later

    def compose(
        self, question: Question, is_cancelled: IsCancelled, found: Found | None = None
    ) -> Answer:
        """See `Composer.compose`. Who wants another answer gets it; the old one is forgotten."""
        begin = time.perf_counter()
        place = self._cache.place(question.text, _extent(question))
        if place is None or question.conversation is None:
            return self._composer.compose(question, is_cancelled, found)
        if _wants_another(question):
            self._cache.drop(place)
            return self._composer.compose(question, is_cancelled, found)
        try:
            known = self._cache.get(place)
        except DesktopRagError as error:  # of the embedder; without it, it is written anew
            logger.info("Earlier answers were not compared: %s", error.code)
            known = None
        if known is not None:
            return _again(known, question, (time.perf_counter() - begin) * 1000)
        answer = self._composer.compose(question, is_cancelled, found)
        conversation = question.conversation
        self._later(lambda: self._keep(place, answer, conversation))
        return answer

    def _keep(self, place: Place, answer: Answer, conversation: ConversationId) -> None:
        try:
            self._cache.add(place, answer, conversation)
        except DesktopRagError as error:
            logger.info("An answer was not kept: %s", error.code)


def _wants_another(question: Question) -> bool:
    """Whether it is to be written anew, in other words, or to go on where it ended."""
    return question.is_fresh or question.begun is not None or question.sampling != GREEDY


def _extent(question: Question) -> str:
    """All of a question but its words, and whose it is."""
    others = question.queries[1:]
    beside = replace(
        question, request=0, text="", queries=others, conversation=None, is_fresh=False
    )
    return repr(beside)


def _again(answer: Answer, question: Question, elapsed_ms: float) -> Answer:
    figures = replace(answer.figures, timings_ms={"total": elapsed_ms})
    return replace(answer, question=question.text, figures=figures, is_cached=True)
