"""Gives the answer to a question that was answered before, while nothing it rests on has changed.

An answer is kept with a digest of its basis: library, index, model, prompts, settings and scope.
Any change makes it another basis, and the old answer is never given again.
"""

from __future__ import annotations

import hashlib
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from desktop_rag.domain.answers import Answer, ConversationId
from desktop_rag.domain.same_question import MIN_COSINE, depends_on_today, key_of
from desktop_rag.storage.kept_answers import KeptAnswer, KeptAnswers

Embed = Callable[[str], bytes]
Basis = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer is looked for, and will be kept; made before the answer is begun."""

    question: str
    key: tuple[str, ...]
    basis: str
    extent: str
    """What of the library is asked, and how it is searched."""


class AnswerCache:
    """Usable from any thread.

    Args:
        kept: where answers are kept.
        basis: describes library, index, model, prompts and settings as they are now.
        embed: the vector of a question.
        is_on: off also deletes what was kept.
    """

    def __init__(self, kept: KeptAnswers, basis: Basis, embed: Embed, *, is_on: bool) -> None:
        self._kept = kept
        self._basis = basis
        self._embed = embed
        # Guards what is kept and whether anything may be; held while a small file is written.
        self._lock = threading.Lock()
        self._forgotten: set[ConversationId] = set()
        self._is_on = False
        self.switch(is_on=is_on)

    def switch(self, *, is_on: bool) -> None:
        """Keep answers from now on, or no more: then also what was kept is deleted."""
        with self._lock:
            self._is_on = is_on
            if not is_on:
                self._kept.clear()

    def clear(self) -> None:
        """Delete what was kept, and go on keeping."""
        with self._lock:
            self._kept.clear()

    def prune(self) -> None:
        """Delete what can never be given again, because what it rests on has changed."""
        if self._is_on:
            self._pruned()

    def forget(self, conversation: ConversationId) -> None:
        """The person deleted this chat: nothing of it shall come back."""
        with self._lock:
            self._forgotten.add(conversation)  # an answer to it may be on its way
            self._kept.forget(conversation)

    def place(self, question: str, extent: str) -> Place | None:
        """Where the answer to a question belongs; `None` when answers are not kept."""
        if not self._is_on or not (key := key_of(question)):
            return None
        return Place(question, key, self._pruned(), _with_day(extent, question))

    def get(self, place: Place) -> Answer | None:
        """The answer that was given to the same question on the same basis."""
        wanted = (place.key, place.basis, place.extent)
        with self._lock:
            kept = [one for one in self._kept.all() if (one.key, one.basis, one.extent) == wanted]
        for one in kept:
            if one.answer.question == place.question:
                return one.answer
            if _cosine(self._embed(place.question), one.vector) >= MIN_COSINE:
                return one.answer
        return None

    def drop(self, place: Place) -> None:
        """Whatever was answered to this question is not wanted any more."""
        with self._lock:
            self._kept.drop(place.key)

    def add(self, place: Place, answer: Answer, conversation: ConversationId) -> None:
        """Keep a whole answer, unless its basis has changed while it was written."""
        is_whole = answer.found and answer.model and not answer.stopped and not answer.note
        if not is_whole or self._digest() != place.basis:
            return
        vector = self._embed(place.question)
        with self._lock:
            if self._is_on and conversation not in self._forgotten:
                entry = KeptAnswer(
                    place.key, place.basis, place.extent, vector, conversation, answer
                )
                self._kept.add(entry)

    def _pruned(self) -> str:
        """The basis as it is now, after everything that rests on another was deleted."""
        basis = self._digest()
        with self._lock:
            self._kept.keep_only(basis)
        return basis

    def _digest(self) -> str:
        return hashlib.sha256(self._basis().encode()).hexdigest()


def _with_day(extent: str, question: str) -> str:
    return f"{extent} {date.today()}" if depends_on_today(question) else extent


def _cosine(one: bytes, other: bytes) -> float:
    if len(one) != len(other):
        return 0.0
    return sum(a * b for a, b in zip(_unpacked(one), _unpacked(other), strict=True))


def _unpacked(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 2}e", vector)
