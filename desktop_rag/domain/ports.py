"""The contracts between services and engines. The docstring of a Protocol *is* the contract.

Every port has an engine, a fake, and a proxy that reaches the engine in a worker process;
`tests/contracts` runs one set of tests against all of them. Vectors cross these ports as opaque
little-endian float16 bytes, so that the window's process needs no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from desktop_rag.domain.answers import Ranking, Turn
from desktop_rag.domain.documents import (
    ChunkId,
    PageImage,
    ParsedDocument,
    ReadDocument,
    RecognisedPage,
)
from desktop_rag.domain.spans import Span
from desktop_rag.domain.tuning import Tuning


@dataclass(frozen=True, slots=True)
class Embedding:
    """What one pass of the embedder gives for a text. Opaque to whoever stores it."""

    vector: bytes
    """`dimensions` float16 values, little-endian, unit length."""
    tokens: bytes
    """Quantised vectors of the tokens that carry meaning; empty when the embedder has none."""


@dataclass(frozen=True, slots=True)
class RerankItem:
    """A candidate as a re-ranker sees it."""

    chunk: ChunkId
    text: str
    """Header and text."""
    tokens: bytes
    """`Embedding.tokens`; empty when it has none (yet)."""


LATE_INTERACTION = "late interaction"
"""`Reranking.reranker`: the embedder's own vectors of tokens are compared."""


@dataclass(frozen=True, slots=True)
class Reranking:
    """How well candidates answer a question, in the order in which they were given."""

    scores: tuple[float | None, ...]
    """Higher is better, comparable within one re-ranking; `None`: it could not be scored."""
    similarities: tuple[tuple[float, ...], ...]
    """Cosine of each candidate with every earlier one: row `i` has `i` values; -1 when unknown."""
    reranker: str = ""
    """What scored them: `LATE_INTERACTION`; empty when nothing could."""
    reader: str = ""
    """The cross-encoder that `SearchIndex.read_again` reads with; empty when there is none."""


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as the index stores it: what keywords see and what the vector store holds."""

    chunk: ChunkId
    text: str
    """`domain.embedding_text.searchable_text`."""
    vector: bytes
    """`dimensions` float16 values, little-endian, unit length."""


@dataclass(frozen=True, slots=True)
class IndexBatch:
    """Changes of the catalog up to and including `last_seq`. Applying it twice changes nothing."""

    upserts: tuple[IndexedChunk, ...]
    deletes: tuple[ChunkId, ...]
    last_seq: int


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the index holds now."""

    applied_seq: int
    """Last change of the catalog it contains; 0 for an empty index, which then wants everything."""
    vectors: int
    keywords: int
    fingerprint: str
    checksum: int | None = None
    """`domain.checksums` of its chunk numbers; `None` when unknown or when the stores differ."""
    is_settled: bool = True
    """Nothing is being merged or built in the background."""


@dataclass(frozen=True, slots=True)
class HeldCount:
    """How many of some chunks each store of the index holds."""

    vectors: int
    keywords: int


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What a text is for an index."""

    tokens: int
    """The embedder would have to read, also those beyond `max_tokens`."""
    language: str
    """Keywords take it for, by its English name."""


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """The birth certificate of vectors: two different values never share an index."""

    id: str
    fingerprint: str
    dimensions: int
    max_tokens: int
    languages: tuple[str, ...] = ()
    """Those it knows, by their English names in small letters; empty: all."""

    def knows(self, language: str) -> bool:
        """Whether its vectors tell what texts in this language mean; nothing said: English."""
        return not language or not self.languages or language in self.languages


@dataclass(frozen=True, slots=True)
class GenerationLimits:
    """Bounds of one generation. `grammar` is GBNF, or empty for none."""

    max_tokens: int = 400
    temperature: float = 0.1
    grammar: str = ""
    stop: tuple[str, ...] = ()
    never_first: str = ""
    """A text the answer must not begin with; its first token is forbidden there."""
    is_background: bool = False
    """Nobody waits for it: half of the threads are left to whoever works at the computer."""
    seed: int = 0
    """Another one gives another text, unless the temperature is 0."""
    begun: str = ""
    """What the model's text begins with already; only what follows is written and yielded."""


@dataclass(frozen=True, slots=True)
class GeneratorInfo:
    """The language model in use."""

    id: str
    context_tokens: int
    prompt_tokens_per_s: float = 0.0
    """How quickly it reads prompts on this computer, as last measured; 0 while unknown."""
    is_tuned: bool = True
    """Nothing is left for `Generator.tune` to find out."""
    is_on_gpu: bool = False


class Parser(Protocol):
    """Reads one family of files. Engines are chosen by content and suffix in `engines.parsers`.

    `parse` raises only `PermanentError`s (encrypted, damaged, unsupported, no text …) for what is
    wrong with the file; it never returns half a document without a note, never invents a page, and
    never writes (but for temporary copies of what is packed inside a file). It runs in the `parse`
    role only and may be killed at any time.
    """

    suffixes: frozenset[str]

    @property
    def name(self) -> str:
        """Name and version, e.g. `pdf-1`; may change while the program runs."""
        ...

    def parse(self, path: Path) -> ParsedDocument:
        """Read the whole file."""
        ...


class PageParser(Parser, Protocol):
    """Reads files whose pages may be pictures of text: PDF, images."""

    def parse(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ParsedDocument:
        """Read the whole file, with the pages that were recognised before put in their places.

        Pages whose text has still to be recognised are named in `coverage.waiting`; a document may
        then have no text yet.
        """
        ...

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of physical page `page` (first is 1) at `scale` pixels per point.

        Raises:
            NotFound: there is no such page.
            PermanentError: it cannot be drawn.
        """
        ...


class DocumentReader(Protocol):
    """The `parse` role: files in, chunks and page pictures out."""

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        """Parse and chunk a file. Every chunk fits the embedder with its header.

        Recognising is slow, so it is not done here: pages that want it are named in
        `document.coverage.waiting`, the caller has `recognise` look at each and reads again with
        the result. A document with waiting pages may have no chunks yet.

        Raises:
            NotFound: there is no such file (any more).
            PermanentError: the file cannot be read as it is.
            TransientError: time-out or crash of the reader; the caller decides about a retry.
        """
        ...

    def digest(self, path: Path) -> str:
        """SHA-256 of the file's bytes, in hexadecimal.

        Part of this port because a read that never returns (a dead network drive) must be as
        stoppable as a parser that hangs.

        Raises:
            NotFound, Unreadable, FileBusy: as they say.
            TransientError: as `read`.
        """
        ...

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        """Recognise the text of physical page `page` (first is 1), upright or turned.

        Raises:
            NotFound: there is no such file or page (any more).
            PermanentError: the page cannot be drawn.
            TransientError: as `read`.
        """
        ...

    def recogniser(self) -> str:
        """What `recognise` would record as `engine` today; empty when it cannot recognise."""
        ...

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Picture of physical page `page` (first is 1) at `scale` pixels per point."""
        ...

    def versions(self) -> dict[str, str]:
        """Suffix (with dot, lower case) to the `reader` value that `read` would record today."""
        ...


class SearchIndex(Protocol):
    """The `index` role: embeds text, keeps the two rebuildable stores, ranks candidates.

    Only this role touches the index folder. Losing the folder loses nothing: `state().applied_seq`
    is then 0 and the caller sends everything again from the catalog.
    """

    def embedder(self) -> EmbedderInfo:
        """Which embedder is loaded."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """One embedding a text, in order; longer texts than `max_tokens` are truncated."""
        ...

    def look_at(self, texts: Sequence[str]) -> list[TextFacts]:
        """What each text is for this index; for audits, never writes."""
        ...

    def state(self) -> IndexState:
        """What is stored; cheap, never writes."""
        ...

    def count_among(self, chunks: Sequence[ChunkId]) -> HeldCount:
        """How many of these chunks are stored; for check-ups, never writes."""
        ...

    def apply(self, batch: IndexBatch) -> IndexState:
        """Store a batch in both stores, then record `last_seq`. Idempotent."""
        ...

    def settle(self) -> None:
        """Called when no more batches are expected for now: merge keywords, build the graph."""
        ...

    def clear(self) -> None:
        """Begin a new, empty generation; the old one is removed."""
        ...

    def search(self, question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        """Dense and keyword candidates (`limit` each), fused, best first. Takes any text.

        `among` restricts the search to these chunks: as good as an index of only them. `None`
        searches everything.
        """
        ...

    def select(
        self,
        holding: Sequence[str],
        without: Sequence[str],
        among: Sequence[ChunkId] | None = None,
    ) -> list[ChunkId]:
        """Chunks (of `among`) that hold some words and do not hold others, in ascending order.

        Words are compared in every form, as keyword search does; function words ask nothing.

        Args:
            holding: of each of these texts a chunk holds every word, anywhere.
            without: none of these texts has all its words in a chunk.
            among: as for `search`.
        """
        ...

    def rerank(self, question: str, items: Sequence[RerankItem]) -> Reranking:
        """Score candidates by looking closer than `search` can, in one pass; takes any text."""
        ...

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """The words of each text that most likely answer a question: one span a text, in order.

        None at all when the index has no model for it or the question is blank: whoever asks must
        do without. Takes any text; of long ones the end is not read, and an empty one has a very
        low margin. With no texts it returns at once and begins to load what it needs.
        """
        ...

    def read_again(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Score texts, in order, by the cross-encoder, which reads each with the question.

        Higher is better, any range. Takes some tens of milliseconds a text. Empty without one.
        """
        ...


class Generator(Protocol):
    """The `llm` role: turns into text, token by token."""

    def info(self) -> GeneratorInfo:
        """Load the model if needed and describe it.

        Raises:
            ModelMissing, ModelDamaged, NotEnoughMemory: with the next step in the message.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text in this model's vocabulary, without template tokens."""
        ...

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        """Yield text as it is generated, in the model's own chat template.

        Ends early and quietly when `is_cancelled` turns true. Closing the iterator also stops it.
        """
        ...

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        """How likely the model's answer begins with each of some words, without writing it.

        Yields once, natural logarithms of probabilities in the order of `openings`; nothing when
        cancelled. What was read is kept: a `stream` of turns that begin alike need not read it.
        """
        ...

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        """Find out which threads and batch are best here; yields the result, if there is one.

        Takes up to a minute in which the model is busy, so call it when nobody waits. There is no
        result when it was cancelled or when other programs used the processor meanwhile.
        """
        ...
