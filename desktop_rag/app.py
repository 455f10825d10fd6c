"""The composition root and the façade every skin calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from desktop_rag.domain.answers import (
    Answer, Conversation, ConversationId, Message, SearchResult,
)
from desktop_rag.domain.documents import Block, DocumentId, Page, PageImage
from desktop_rag.domain.library import AddReport, LibraryFile, LibraryStatus
from desktop_rag.domain.ports import DocumentReader, Generator, SearchIndex
from desktop_rag.services.bus import Bus


@dataclass(frozen=True, slots=True)
class Engines:
    """The three ports an `App` runs on; `close` ends whatever stands behind them."""

    reader: DocumentReader
    index: SearchIndex
    generator: Generator
    close: Callable[[], None]


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What the viewer needs to show a document from the catalog alone."""

    file: LibraryFile
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    """Without lines."""
    is_changed: bool
    """The file on disk is gone or no longer the one that was read (size or time differ)."""


class AnswerHandle:
    """A running answer. `cancel` may be called from any thread at any moment."""

    request: int
    conversation: ConversationId

    def cancel(self) -> None:
        """Stop. What was written so far is kept and marked as stopped."""
        raise NotImplementedError

    def result(self, timeout_s: float | None = None) -> Answer:
        """Wait for the answer; raises the error that ended it."""
        raise NotImplementedError


class App:
    """Opens a data folder, runs the indexer and the answerer, and closes everything again.

    Every method may be called from any thread; those marked *may block* must not run on the GUI
    thread. Progress is told on `bus` (see `domain.events`).
    """

    bus: Bus

    @classmethod
    def open(cls, data_dir: Path, engines: Engines | None = None) -> Self:
        """Lock and open the library. Engines start on first use, in worker processes.

        Raises:
            LibraryLocked, LibraryTooNew, LibraryDamaged, DiskFull: nothing was changed.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Stop all work (what is half done starts again next time) and let go of the library."""
        raise NotImplementedError

    # library
    def start_indexing(self) -> None:
        """Sweep all sources and work through the queue in the background. Idempotent."""
        raise NotImplementedError

    def warm_up(self) -> None:
        """Start loading the index and the language model in the background."""
        raise NotImplementedError

    def add(self, paths: Sequence[Path]) -> AddReport:
        """Add files and folders as sources and queue their files. *May block* on large folders."""
        raise NotImplementedError

    def remove(self, paths: Sequence[Path]) -> int:
        """Forget sources or files and everything indexed from them; returns how many files."""
        raise NotImplementedError

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Queue failed files again."""
        raise NotImplementedError

    def files(self) -> list[LibraryFile]:
        """All files, by path."""
        raise NotImplementedError

    def status(self) -> LibraryStatus:
        """Counts and health. *May block* shortly."""
        raise NotImplementedError

    def wait_until_indexed(self, timeout_s: float | None = None) -> bool:
        """Wait until the queue is empty and searchable; false on time-out."""
        raise NotImplementedError

    # search and answers
    def search(self, question: str, limit: int = 8) -> SearchResult:
        """Passages, best first, without a language model. *May block.*"""
        raise NotImplementedError

    def ask(self, question: str, conversation: ConversationId | None = None) -> AnswerHandle:
        """Answer in the background: SourcesFound, AnswerDelta…, AnswerCompleted or AnswerFailed."""
        raise NotImplementedError

    # conversations
    def conversations(self) -> list[Conversation]:
        """Newest first."""
        raise NotImplementedError

    def messages(self, conversation: ConversationId) -> list[Message]:
        """Oldest first."""
        raise NotImplementedError

    def rename_conversation(self, conversation: ConversationId, title: str) -> None:
        """Give a chat another title."""
        raise NotImplementedError

    def delete_conversation(self, conversation: ConversationId) -> None:
        """Forget a chat."""
        raise NotImplementedError

    # viewer
    def document(self, document: DocumentId) -> DocumentView:
        """Text and structure from the catalog. Raises NotFound when it was removed."""
        raise NotImplementedError

    def render_page(self, document: DocumentId, page: int, scale: float) -> PageImage:
        """Picture of a physical page. *May block.*"""
        raise NotImplementedError
