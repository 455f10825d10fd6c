"""Begins to answer what is still being typed, and forgets it when the text changes.

There is one preparation at a time. Nothing of it is published as an answer or stored; what it finds
out, and what the model has read meanwhile, is used when the very same question is then asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.retrieval_rules import RetrievalRules
from desktop_rag.domain.scope import Scope
from desktop_rag.services.following_up import InContext
from desktop_rag.services.retrieval import Found


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that decides its answer."""

    text: str
    conversation: ConversationId | None
    """`None` for one that begins with it."""
    scope: Scope
    rules: RetrievalRules


class Preparation:
    """Work for a question that may be asked soon. Usable from any thread."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.library = ""
        """State of the library when the work began; empty before."""
        self.meant: InContext | None = None
        """The question in its conversation."""
        self.found: Found | None = None
        self.request = 0
        """The answer it has become part of; 0 while nobody has asked."""
        self._cancelled = threading.Event()
        self._is_stopped: Callable[[], bool] = self._cancelled.is_set

    def cancel(self) -> None:
        """The text has changed."""
        self._cancelled.set()

    def adopt(self, request: int, is_stopped: Callable[[], bool]) -> None:
        """It was asked: what was begun is finished first, unless the person stops the answer.

        What was found is quoted at once, while the model still reads (`Composer.prepare`).
        """
        self.request = request
        self._is_stopped = lambda: self._cancelled.is_set() or is_stopped()

    def is_cancelled(self) -> bool:
        """Asked by the work all the time."""
        return self._is_stopped()


class Preparing:
    """The preparation there is. Usable from any thread; never waits."""

    def __init__(self) -> None:
        # Guards the field below; held for moments.
        self._lock = threading.Lock()
        self._current: Preparation | None = None

    def begin(self, asked: Asked) -> Preparation | None:
        """Drop what is prepared and begin with this; `None` when it is prepared already."""
        with self._lock:
            if self._current is not None:
                if self._current.asked == asked:
                    return None
                self._current.cancel()
            self._current = Preparation(asked)
            return self._current

    def take(self, asked: Asked) -> Preparation | None:
        """What was prepared for this question; anything else is dropped."""
        with self._lock:
            current, self._current = self._current, None
        if current is None or current.asked == asked:
            return current
        current.cancel()
        return None

    def drop(self) -> None:
        """Nobody will ask that."""
        with self._lock:
            current, self._current = self._current, None
        if current is not None:
            current.cancel()

    @property
    def is_active(self) -> bool:
        """Whether somebody types a question."""
        return self._current is not None
