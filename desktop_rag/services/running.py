"""What the answerer is given to do, and what those who wait for it hold meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from desktop_rag.domain.answers import Answer, ConversationId, Message
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.revisions import GREEDY, Sampling
from desktop_rag.domain.scope import Scope
from desktop_rag.services.preparing import Preparation
from desktop_rag.services.retrieval import EVERYTHING


class RunningAnswer:
    """A question that is being answered. Usable from any thread at any moment."""

    def __init__(self, request: int, conversation: ConversationId) -> None:
        self.request = request
        self.conversation = conversation
        self._cancelled = threading.Event()
        self._outcome: Future[Answer] = Future()

    def cancel(self) -> None:
        """Stop. What was written so far is kept and marked as stopped."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether Stop was pressed."""
        return self._cancelled.is_set()

    @property
    def is_done(self) -> bool:
        """Whether it was finished; whoever listened has been told before."""
        return self._outcome.done()

    def result(self, timeout_s: float | None = None) -> Answer:
        """Wait for the answer.

        Raises:
            DesktopRagError: what ended it.
            TimeoutError: it is not finished yet.
        """
        return self._outcome.result(timeout_s)

    def finish(self, outcome: Answer | DesktopRagError) -> None:
        """Called once, by the answerer."""
        if isinstance(outcome, DesktopRagError):
            self._outcome.set_exception(outcome)
        else:
            self._outcome.set_result(outcome)


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be answered, and how."""

    text: str
    earlier: Sequence[Message]
    """What was said before it, oldest first."""
    scope: Scope = EVERYTHING
    rules: RetrievalRules = DEFAULT_RULES
    prepared: Preparation | None = None
    sampling: Sampling = GREEDY
    is_fresh: bool = False
    """No answer that was given before will do."""
    unfinished: Message | None = None
    """An answer to it that goes on, and takes the place of its first part when it is done."""
