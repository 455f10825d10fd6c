"""A question, and the answer to it while it is written."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from desktop_rag.domain.answer_forms import PLAIN, AnswerForm
from desktop_rag.domain.answers import (
    Citation,
    Confidence,
    ConversationId,
    Passage,
    RetrievalFigures,
    Turn,
)
from desktop_rag.domain.citing import Locate
from desktop_rag.domain.query_expansion import Wording
from desktop_rag.domain.question_kinds import QuestionKind, kind_of
from desktop_rag.domain.retrieval_rules import DEFAULT_RULES, RetrievalRules
from desktop_rag.domain.revisions import GREEDY, Begun, Sampling
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.spotting import Spot
from desktop_rag.services.retrieval import EVERYTHING, Found

IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be answered."""

    request: int
    text: str
    queries: tuple[str, ...]
    """What is searched: the question, standing alone."""
    beside: tuple[Wording, ...] = ()
    """What is searched as well and counts less: a follow-up as it was typed."""
    history: tuple[Turn, ...] = ()
    scope: Scope = EVERYTHING
    rules: RetrievalRules = DEFAULT_RULES
    sampling: Sampling = GREEDY
    begun: Begun | None = None
    """What was written of the answer before; it goes on from there."""
    conversation: ConversationId | None = None
    is_fresh: bool = False
    """No answer that was given before will do."""

    @property
    def kind(self) -> QuestionKind:
        """What kind of answer it wants."""
        return kind_of(self.text)


@dataclass(slots=True)
class Draft:
    """An answer while it is written."""

    question: Question
    found: Found
    judged: Confidence
    figures: RetrievalFigures
    locate: Locate
    form: AnswerForm = PLAIN
    spots: tuple[Spot, ...] = ()
    """Words that answer, best first, where a model looked for them."""
    extract: Citation | None = None
    passages: tuple[Passage, ...] = ()
    """What it is written from, as the prompt numbers it."""
    read: tuple[Passage, ...] = ()
    """All that the model has read, when it was more than that."""
    portions: list[tuple[Passage, ...]] = field(default_factory=list)
    text: str = ""
    model: str = ""
    answer_tokens: int = 0
    is_stopped: bool = False
    note: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        """Note how long the block takes."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.timings_ms[stage] = (time.perf_counter() - begin) * 1000
