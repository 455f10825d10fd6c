"""Results for other programs: what `--json` prints and the MCP server returns, field by field.

Field names are a promise. `resources/schemas` holds the JSON schemas of these classes, made from
their fields and the sentences below them; names are only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from desktop_rag.domain.answers import (
    Answer,
    Citation,
    Confidence,
    ConversationId,
    Passage,
    RetrievalFigures,
    SearchResult,
    Understood,
)
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.explanation import Explanation
from desktop_rag.domain.library import FileState


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open pair of character offsets."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """Personal data that was hidden from the language model, or in this result."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """An answer with the places it was taken from."""

    question: str
    conversation: int | None
    """Number of the chat it is stored in, for `ask --continue`; null when it is in none."""
    answer: str
    """The text; [1], [2] … point at `citations`."""
    found: bool
    """False when the documents do not hold the answer: then there are no citations."""
    kind: str
    """What kind of question it was taken for."""
    confidence: Confidence
    """How much a person may lean on the answer."""
    citations: tuple[Citation, ...]
    extract: Citation | None
    """The sentence that was shown at once, word for word, before anything was written."""
    unsupported: tuple[str, ...]
    """Sentences of the answer that no source supports."""
    unsupported_spans: tuple[Span, ...]
    """Where those sentences stand in `answer`, in the same order."""
    nearest: tuple[str, ...]
    """Titles nearest to the question, when nothing was found."""
    conflicts: tuple[str, ...]
    """Sentences on files that disagree, or on newer copies."""
    note: str
    """Why the text is a quotation instead of a written answer, and what would change that."""
    scope_note: str
    """One sentence on what was looked at, when that was more than the best passages."""
    pending: str
    """What the answer does not know yet, because it is still to be read."""
    masked: tuple[Masked, ...]
    model: str
    """Model that wrote the text; empty when none was asked."""
    is_cached: bool
    """It was written for an earlier question; nothing it rests on has changed since."""
    stopped: bool
    """It was stopped; the text is what was written until then."""
    unread: int
    """Files that were still to be read when it was asked for."""
    retrieval: RetrievalFigures
    understood: Understood


@dataclass(frozen=True, slots=True)
class StructuredSearch:
    """Passages for a question, best first."""

    question: str
    passages: tuple[Passage, ...]
    matches_well: bool
    """False when nothing matches well; the passages are merely the nearest."""
    pending: str
    """What the search does not know yet, because it is still to be read."""
    retrieval: RetrievalFigures
    understood: Understood
    explanation: Explanation | None
    """Why each candidate is shown or not; only when that was asked for."""


@dataclass(frozen=True, slots=True)
class OpenedText:
    """A stretch of a document, to read on from a citation or a passage."""

    document: DocumentId
    path: str
    title: str
    section: str
    """Of the passage that was asked for."""
    page: int | None
    """Physical page where that passage begins, the first is 1; null without pages."""
    page_label: str
    """As printed on that page."""
    place: str
    """Where that passage stands in a document without pages: slide, sheet and rows, lines …"""
    text: str
    start: int
    """Of `text` in the document."""
    end: int
    passage: Span
    """The passage that was asked for, in the document's text as `start` and `end` are."""
    length: int
    """Characters of the whole document."""
    is_changed: bool
    """The file on disk is gone or no longer the one that was read."""


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A file of the library."""

    document: DocumentId
    path: str
    title: str
    format: str
    state: FileState
    pages: int
    """0 for formats without pages."""
    passages: int
    """How many can be found; 0 until it was read."""
    tags: tuple[str, ...]
    failure: str
    """Why it is not searchable and what would help."""


@dataclass(frozen=True, slots=True)
class DocumentList:
    """Files of the library by path."""

    total: int
    """How many there are in all, of those that were asked for."""
    documents: tuple[ListedDocument, ...]


Structured = StructuredAnswer | StructuredSearch | OpenedText | DocumentList


def structured_answer(
    answer: Answer, pending: str = "", conversation: ConversationId | None = None
) -> StructuredAnswer:
    """An answer as other programs read it."""
    return StructuredAnswer(
        question=answer.question,
        conversation=conversation,
        answer=answer.text,
        found=answer.found,
        kind=answer.kind,
        confidence=answer.confidence,
        citations=answer.citations,
        extract=answer.extract,
        unsupported=tuple(answer.text[start:end] for start, end in answer.unsupported),
        unsupported_spans=tuple(Span(start, end) for start, end in answer.unsupported),
        nearest=answer.nearest,
        conflicts=answer.conflicts,
        note=answer.note,
        scope_note=answer.scope_note,
        pending=pending,
        masked=tuple(Masked(kind, count) for kind, count in answer.masked),
        model=answer.model,
        is_cached=answer.is_cached,
        stopped=answer.stopped,
        unread=answer.unread,
        retrieval=_rounded(answer.figures),
        understood=answer.understood,
    )


def structured_search(
    found: SearchResult, pending: str = "", *, is_explained: bool = False
) -> StructuredSearch:
    """Found passages as other programs read them."""
    return StructuredSearch(
        question=found.question,
        passages=found.passages,
        matches_well=not found.is_weak,
        pending=pending,
        retrieval=_rounded(found.figures),
        understood=found.understood,
        explanation=found.explanation if is_explained else None,
    )


def as_json(result: Structured) -> dict[str, object]:
    """As JSON values; an explanation that nobody asked for is left out."""
    values: Mapping[str, object] = asdict(result)
    return {name: value for name, value in values.items() if (name, value) != ("explanation", None)}


def _rounded(figures: RetrievalFigures) -> RetrievalFigures:
    timings = {stage: round(ms, 2) for stage, ms in figures.timings_ms.items()}
    return replace(figures, timings_ms=timings)
