"""What happened, for whoever listens. Events carry values, never live objects.

Events are published on worker threads; the window's bridge moves them to the GUI thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.answers import Answer, Citation, ConversationId, Passage
from desktop_rag.domain.documents import DocumentId


@dataclass(frozen=True, slots=True)
class Event:
    """Root of all events."""


@dataclass(frozen=True, slots=True)
class LibraryChanged(Event):
    """Files were added, removed or changed state. `documents` is empty when many did."""

    documents: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexingProgress(Event):
    """How far the queue is. `path` is what is being read now, empty when the queue is empty."""

    done: int
    total: int
    failed: int
    path: str
    remaining_s: float | None = None
    page: int = 0
    """While text is recognised: which of the pages that want it; 0 while files are read."""
    pages: int = 0
    """How many pages of the file want text recognition."""
    pages_waiting: int = 0
    """Of all files."""
    step: int = 0
    """While a model works on the passages of a file: how much of it is done, of `steps`."""
    steps: int = 0
    files_per_minute: float | None = None
    """Lately; `None` until it is known."""
    pages_per_second: float | None = None
    """Lately read, or recognised while that goes on; `None` where there are no pages."""
    is_yielding: bool = False
    """Somebody waits for an answer: reading goes on by itself when it is given."""


@dataclass(frozen=True, slots=True)
class IndexingPaused(Event):
    """Indexing waits; `reason` is one sentence with the next step (disk full, worker missing …)."""

    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class WatchingChanged(Event):
    """How changes are noticed has changed. `limit` says in one sentence where it is not at once."""

    limit: str


@dataclass(frozen=True, slots=True)
class ExtractFound(Event):
    """The sentence that answers best, word for word, before a language model is asked anything.

    Nothing is published where nothing was found.
    """

    request: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class SourcesFound(Event):
    """The passages an answer will be written from, before its first word, as it will number them.

    Told again when the order is another one after all.
    """

    request: int
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class SourcesForeseen(Event):
    """What was found for a question that is still being typed: `text`. Nobody has asked it yet."""

    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class AnswerDelta(Event):
    """More text of an answer, to be appended."""

    request: int
    text: str


@dataclass(frozen=True, slots=True)
class AnswerProgress(Event):
    """How far an answer is that takes long: so much `done` of `total`, and a sentence that says it.

    Only the last one matters.
    """

    request: int
    done: int
    total: int
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerCompleted(Event):
    """An answer is finished and stored. Its text replaces all deltas."""

    request: int
    conversation: ConversationId
    answer: Answer


@dataclass(frozen=True, slots=True)
class AnswerFailed(Event):
    """An answer could not be given; `code` and `message` are those of the error."""

    request: int
    conversation: ConversationId
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ModelProgress(Event):
    """Bytes of a model that have arrived and been checked. `total` is 0 when unknown."""

    model: str
    done: int
    total: int
    stage: str


@dataclass(frozen=True, slots=True)
class EngineState(Event):
    """A worker role started, is ready, stopped or became unavailable; `detail` is for a person."""

    role: str
    state: str
    detail: str = ""
