"""Questions, passages, citations and answers, as every skin shows and stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from desktop_rag.domain.documents import Box, ChunkId, DocumentId
from desktop_rag.domain.explanation import Explanation

ConversationId = NewType("ConversationId", int)
MessageId = NewType("MessageId", int)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk as the index ranked it. Ranks start at 1; `None`: that list did not find it."""

    chunk: ChunkId
    score: float
    """Fused score, higher is better; comparable within one ranking only."""
    similarity: float | None
    """Cosine similarity of question and chunk in [-1, 1]; `None` when only keywords found it."""
    dense_rank: int | None
    keyword_rank: int | None
    keyword_score: float | None = None
    late_rank: int | None = None
    late_score: float | None = None
    """By the closer look (`ports.Reranking`); `None`: it did not look at this one."""
    read_rank: int | None = None
    read_score: float | None = None
    """By a cross-encoder (`SearchIndex.read_again`), any range; `None`: it did not read this."""
    word_evidence: float | None = None
    """Stands in for cosines, for a question in a language that the embedder does not know: what
    the words that the chunk holds are worth; 1 is just enough (`domain.languages`)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one round trip to the index returns: fused candidates, best first, with timings."""

    candidates: tuple[Candidate, ...]
    searched: int
    """How many chunks were searchable."""
    matched_terms: tuple[str, ...] = ()
    """Query terms (stemmed) that occur in the keyword index at all."""
    unmatched_terms: tuple[str, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
    """Words that no chunk holds as they were typed, and near ones that were searched, too."""
    timings_ms: dict[str, float] = field(default_factory=dict)
    dense_share: float = 0.5
    """Of vectors against keywords in this fusion: by the kind of question and its language."""
    language: str = ""
    """The question's, by its English name in small letters, when the embedder does not know it."""
    fingerprint: str = ""
    """Of the embedder (`ports.EmbedderInfo`)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk chosen for an answer, resolved against the catalog."""

    chunk: ChunkId
    document: DocumentId
    path: str
    title: str
    section: str
    text: str
    start: int
    end: int
    sha256: str
    pages: tuple[int, int] | None
    page_label: str
    score: float
    """Orders the passages of one search and means nothing else; see `relevance`."""
    similarity: float | None
    dense_rank: int | None
    keyword_rank: int | None
    word_evidence: float | None = None
    """As in `Candidate`."""
    relevance: float = 0.0
    """How likely it is about the question, in [0, 1] (`domain.scoring`)."""
    excerpt: tuple[tuple[int, int], ...] = ()
    """Spans of `text` that a prompt shows, in order; empty: all of it."""
    columns: str = ""
    """Column names of the table that the text goes on with; empty when the text has them itself."""
    place: str = ""
    """Where it stands in a document without pages (`Chunk.place`)."""
    is_linked: bool = False
    """It stands here because names lead to it (`services.graph_search`)."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a statement stands, with a copy of the quote: an old chat never loses its source."""

    number: int
    """As printed in the answer: [1], [2], …"""
    document: DocumentId
    chunk: ChunkId
    path: str
    title: str
    section: str
    page: int | None
    """Physical page of the quote, the first is 1; `None` for formats without pages."""
    page_label: str
    quote: str
    start: int
    end: int
    """Span of the quote in the document's text."""
    sha256: str
    """Of the file as it was when it was read."""
    score: float
    """The passage's relevance, as people see it."""
    boxes: tuple[Box, ...] = ()
    place: str = ""
    """Where the quote stands in a document without pages (`domain.parts`)."""


class Confidence(StrEnum):
    """How much a person may lean on the answer."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"
    """Nothing was found; the language model was not asked."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was searched beside the question, and why (`domain.query_expansion`)."""

    queries: tuple[str, ...] = ()
    """The question in other words."""
    parts: tuple[str, ...] = ()
    """Questions that it is made of."""
    hypothetical: str = ""
    """A passage as one that answers it may read; it was searched with, never shown as a fact."""
    names: tuple[str, ...] = ()
    """Names in the question that led from document to document."""
    linked: int = 0
    """Passages these led to that are among the best."""
    note: str = ""
    """Why the search was less deep than asked for, and what would change that."""


@dataclass(frozen=True, slots=True)
class RetrievalFigures:
    """What was looked at to answer, and how long each stage took."""

    searched_chunks: int
    searched_documents: int
    candidates: int
    passages: int
    passage_documents: int
    timings_ms: dict[str, float] = field(default_factory=dict)
    expansion: Expansion = Expansion()
    reranked: int = 0
    """How many of the candidates a re-ranker looked at."""

    def with_passages(self, passages: Sequence[Passage]) -> RetrievalFigures:
        """The same for these passages."""
        documents = {passage.document for passage in passages}
        return replace(self, passages=len(passages), passage_documents=len(documents))


@dataclass(frozen=True, slots=True)
class Understood:
    """What the program made of a question beside its words; a person must be able to see it."""

    text: str = ""
    """What was searched: the question without filters and courtesies, well spelled."""
    filters: tuple[str, ...] = ()
    """What narrowed the search: `file handbook.html`, `exactly “net sales”`."""
    corrections: tuple[tuple[str, str], ...] = ()
    """(as typed, as the documents write it) of words that were searched in both spellings."""
    notes: tuple[str, ...] = ()
    """Sentences about what could not be done as asked."""
    rewritten: str = ""
    """A follow-up as a question that stands alone; empty for others."""
    inherited: str = ""
    """What of an earlier question still narrows the search: `file handbook.html`."""

    def sentences(self) -> list[str]:
        """All of it, a line each; none for most questions."""
        lines = [f"Understood as: {self.rewritten}"] if self.rewritten else []
        if self.filters:
            lines.append(f"Filters: {', '.join(self.filters)}")
        if self.inherited:
            lines.append(f"As before only: {self.inherited}")
        if self.corrections:
            found = ", ".join(f"“{held}”" for _, held in self.corrections)
            lines.append(f"Also searched for {found}")
        return [*lines, *self.notes]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages for a question, best first, without a language model."""

    question: str
    passages: tuple[Passage, ...]
    figures: RetrievalFigures
    understood: Understood = field(default_factory=Understood)
    is_weak: bool = False
    """Nothing matches well; the passages are merely the nearest."""
    explanation: Explanation = field(default_factory=Explanation)


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `found` is false when the documents do not hold it: then no citations."""

    question: str
    text: str
    citations: tuple[Citation, ...]
    confidence: Confidence
    found: bool
    figures: RetrievalFigures
    model: str = ""
    """Model that wrote the text; empty when none was asked."""
    stopped: bool = False
    nearest: tuple[str, ...] = ()
    """Titles nearest to the question, offered when nothing was found."""
    unsupported: tuple[tuple[int, int], ...] = ()
    """Spans of `text` that no source supports."""
    understood: Understood = field(default_factory=Understood)
    note: str = ""
    """Why the text is a quotation instead of a written answer, and what would change that."""
    kind: str = ""
    """What kind of question it was taken for (`domain.question_kinds`)."""
    scope_note: str = ""
    """One sentence on what was looked at, when that was more than the best passages."""
    conflicts: tuple[str, ...] = ()
    """Sentences on what qualifies it: footnotes, files that disagree, newer copies."""
    masked: tuple[tuple[str, int], ...] = ()
    """Kinds of personal data that the language model was not shown, and how many of each."""
    is_cached: bool = False
    """It was written for an earlier question; nothing it rests on has changed since."""
    extract: Citation | None = None
    """The sentence that was shown at once, word for word, before anything was written."""
    unread: int = 0
    """Files that were still to be read when it was asked for."""

    @property
    def is_from_documents(self) -> bool:
        """Whether documents were asked at all: of talk with the program nothing is sure or not."""
        return self.kind not in ("chat", "out_of_scope")


class Role(StrEnum):
    """Who said a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt, as chat templates take it."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message of a conversation; `answer` is set for the assistant's."""

    id: MessageId
    conversation: ConversationId
    role: Role
    text: str
    created_at: str
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chat as the list shows it."""

    id: ConversationId
    title: str
    updated_at: str
    is_pinned: bool = False
