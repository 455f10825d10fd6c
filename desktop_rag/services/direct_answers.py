"""Answers what needs no passages and no language model: talk, things out of scope, counts."""

from __future__ import annotations

from collections.abc import Callable

from desktop_rag.domain.answers import Answer
from desktop_rag.domain.naming import file_name
from desktop_rag.domain.off_topic import OffTopic, off_topic
from desktop_rag.domain.off_topic_replies import reply_to
from desktop_rag.domain.off_topic_words import Topic
from desktop_rag.domain.question_kinds import QuestionKind, kind_of
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.tally import enumerated
from desktop_rag.services.counting import COUNTED, Counting
from desktop_rag.services.finishing import from_no_document
from desktop_rag.storage.holdings import Holdings

_NAMED = 12
"""Files that are named when somebody asks what there is."""


class DirectAnswers:
    """Gives exact or fixed answers. Called on the answerer thread only."""

    def __init__(self, counting: Counting, holdings: Holdings) -> None:
        self._counting = counting
        self._holdings = holdings

    def answer(
        self,
        text: str,
        scope: Scope,
        request: int,
        is_cancelled: Callable[[], bool],
        is_held: Callable[[], bool],
    ) -> Answer | None:
        """The answer; `None`: passages are needed. Publishes AnswerProgress while it counts.

        Args:
            text: the question, as it was asked.
            scope: documents that are looked at.
            request: whose progress it is.
            is_cancelled: whether Stop was pressed.
            is_held: whether documents plainly answer the question; asked for the weather and other
                things that documents may hold after all.

        Raises:
            InvalidInput: a filter cannot be read.
            NotFound: the scope names a collection or tag that does not exist.
        """
        kind = kind_of(text)
        if kind in COUNTED:
            return self._counting.answer(text, scope, request, is_cancelled)
        if kind not in (QuestionKind.CHAT, QuestionKind.OUT_OF_SCOPE):
            return None
        off = off_topic(text)
        if off is None or (off.topic is Topic.LIVE and is_held()):
            return None
        return from_no_document(text, self._reply(off, scope), kind)

    def _reply(self, off: OffTopic, scope: Scope) -> str:
        reply = reply_to(off.topic, off.language)
        if off.topic is not Topic.LIBRARY:
            return reply
        scopes = [] if scope.is_everything else [scope]
        paths = [one.file.path for one in self._holdings.files(*scopes) if one.is_read]
        names = list(map(file_name, paths))
        return reply.format(count=f"{len(names):,}", names=enumerated(names, _NAMED) or "–")
