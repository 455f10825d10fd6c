"""A library that answers from memory: the façade of `desktop_rag.app.App` for tests of the window.

It keeps the façade's contract (events on threads of its own, errors of the program's tree) and
none of its machinery. `answer_gate` and `step_s` let a test hold an answer at any point.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QFont, QImage, QImageWriter, QPainter

from desktop_rag import paths
from desktop_rag.domain.answers import (
    Answer,
    Citation,
    Confidence,
    Conversation,
    ConversationId,
    Message,
    MessageId,
    Passage,
    RetrievalFigures,
    Role,
    SearchResult,
)
from desktop_rag.domain.choices import Choice, Options, Resolved
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.documents import (
    Block,
    BlockKind,
    Box,
    ChunkId,
    DocumentId,
    Line,
    Page,
    PageImage,
)
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    AnswerFailed,
    ExtractFound,
    IndexingPaused,
    IndexingProgress,
    LibraryChanged,
    SourcesFound,
)
from desktop_rag.domain.explanation import Decision, Explanation, Fate, Verdict
from desktop_rag.domain.feedback import Rating, Reason
from desktop_rag.domain.library import (
    AddReport,
    FileDetails,
    FileState,
    LibraryFile,
    LibraryStatus,
    Source,
)
from desktop_rag.domain.refinding import refind
from desktop_rag.domain.revisions import Possible, can_go_on
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.services.bus import Bus
from desktop_rag.services.engine_states import EngineStates
from desktop_rag.services.models import ModelLibrary
from desktop_rag.services.retrieval import EVERYTHING
from desktop_rag.services.suggestions import Suggestions
from desktop_rag.services.viewing import DocumentView
from desktop_rag.settings import Settings
from tests.helpers.fake_about import FakeAbout
from tests.helpers.fake_chats import chats_of
from tests.helpers.fake_library import FakeOrganising, FakeReceiving, details_of
from tests.helpers.fake_privacy import FakeConnections, FakeHealth, FakeQuality, FakeStored

_EVERYTHING = Scope()
PAGE_WIDTH, PAGE_HEIGHT = 612.0, 792.0
FILLER = (
    "Place the machine on a dry and level surface, away from the edge of the table.",
    "The water tank holds 1.8 litres; fill it with fresh, cold water every morning.",
    "Only accessories made for this model may be used with the machine.",
    "",
    "Let the machine cool down before you open the service door on its left side.",
    "The display shows the temperature and the amount of water that is left.",
    "Persons who have not read this guide should not operate the machine alone.",
)

NOTES = """Release notes

Version 4.2

The importer now accepts scanned invoices and reads them page by page.

Known limits

A single archive may hold at most 2,000 files; larger archives are split on import.

Upgrading

Close the program before replacing the folder. Settings and chats are kept.
"""
NOTES_QUOTE = "A single archive may hold at most 2,000 files; larger archives are split on import."

GUIDE = "resources/Coffee machine guide.pdf"
QUOTES = (
    ("The warranty lasts 24 months from the date of purchase.", 2, "2", "Warranty", 200.0),
    ("Keep the receipt: repairs without proof of purchase are charged.", 2, "2", "Warranty", 260.0),
    ("Descale the machine every three months, or when the lamp blinks.", 3, "3", "Care", 180.0),
)
ANSWER = (
    "The coffee machine is covered for **24 months** from the date of purchase [1]. "
    "Two things keep the cover valid:\n\n"
    "- keep the receipt, because repairs without proof of purchase are charged [2];\n"
    "- descale it every three months, or earlier when the lamp blinks [3].\n\n"
    "Most people find the lamp easy to notice. "
    "An archive of manuals may hold at most 2,000 files [4]."
)
UNSUPPORTED = "Most people find the lamp easy to notice."


class FakeHandle:
    """A running answer of the fake."""

    def __init__(self, request: int, conversation: ConversationId) -> None:
        self.request = request
        self.conversation = conversation
        self.cancelled = threading.Event()
        self.done = threading.Event()
        self.answer: Answer | None = None
        self.takes_place = False

    def cancel(self) -> None:
        self.cancelled.set()

    def result(self, timeout_s: float | None = None) -> Answer:
        self.done.wait(timeout_s)
        assert self.answer is not None
        return self.answer


class FakeScopes:
    """Every chat asks everything."""

    def of(self, conversation: ConversationId) -> Resolved:
        return Resolved()

    def resolved(self, choice: Choice) -> Resolved:
        return Resolved(choice, Scope(choice.collections, folders=choice.paths))

    def choose(self, conversation: ConversationId, choice: Choice) -> None:
        pass

    def options(self) -> Options:
        return Options()


class FakeSuggesting:
    """Titles of the files that are ready."""

    def __init__(self, app: FakeApp) -> None:
        self._app = app

    def titles(self, limit: int) -> list[str]:
        ready = (file for file in self._app.library if file.state is FileState.READY)
        return [file.title or Path(file.path).name for file in ready][:limit]


class FakeTranscripts:
    """Chats in parts, as the page reads them."""

    def __init__(self, app: FakeApp) -> None:
        self._app = app
        self.first = 24

    def open(self, conversation: ConversationId) -> Transcript:
        messages = self._app.messages(conversation)
        whole = Transcript.of(messages)
        return Transcript(whole.outlines, whole.read[-self.first :])

    def read(self, conversation: ConversationId, messages: Sequence[MessageId]) -> list[Message]:
        return [one for one in self._app.messages(conversation) if one.id in messages]

    def find(self, conversation: ConversationId, text: str) -> list[MessageId]:
        sought = text.casefold()
        return [one.id for one in self._app.messages(conversation) if sought in one.text.casefold()]


class FakeCitedFiles:
    """Says of every cited file the same."""

    def __init__(self) -> None:
        self.answer = CitationState.AS_READ

    def state(self, citation: Citation) -> CitationState:
        return self.answer


class FakeFeedback:
    """Verdicts in memory."""

    def __init__(self) -> None:
        self.kept: dict[MessageId, Rating] = {}
        self.fail_with: DesktopRagError | None = None

    def rate(
        self, message: MessageId, *, is_good: bool, reason: Reason = Reason.NONE, comment: str = ""
    ) -> Rating:
        if self.fail_with is not None:
            raise self.fail_with
        self.kept[message] = Rating(is_good, reason, comment)
        return self.kept[message]

    def take_back(self, message: MessageId) -> None:
        self.kept.pop(message, None)

    def of(self, messages: Sequence[MessageId]) -> dict[MessageId, Rating]:
        return {one: self.kept[one] for one in messages if one in self.kept}


class FakeViewing:
    """Pages without lines."""

    def prepare_pages(self) -> None:
        pass

    def edition(self, document: DocumentId) -> str:
        return ""

    def lines(self, document: DocumentId, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]:
        return dict.fromkeys(numbers, ())

    def boxes(self, document: DocumentId, start: int, end: int) -> tuple[Box, ...]:
        return ()


@dataclass
class FakeApp:
    """See the module. Public fields are what tests turn and read."""

    step_s: float = 0.002
    answer_text: str = ANSWER
    llm: str = "qwen2.5-coder-1.5b-instruct-q4_k_m"
    fail_with: DesktopRagError | None = None
    is_found: bool = True
    is_changed: bool = False
    is_quote_gone: bool = False
    """Of documents with pages."""
    pages: dict[int, bytes] = field(default_factory=dict)
    """PNG of each page, from `paint_pages`."""
    library: list[LibraryFile] = field(default_factory=list)
    skipped: list[LibraryFile] = field(default_factory=list)
    is_paused: bool = False
    sources: list[Source] = field(default_factory=list)
    chats: dict[ConversationId, tuple[str, list[Message]]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    texts: dict[DocumentId, str] = field(default_factory=dict)
    search_fails_with: DesktopRagError | None = None

    def __post_init__(self) -> None:
        self.bus = Bus()
        self.updates = SimpleNamespace(check_when_due=lambda: None)
        self.feedback = FakeFeedback()
        self.cited_files = FakeCitedFiles()
        self.organising = FakeOrganising()
        self.receiving = FakeReceiving()
        self.models = ModelLibrary(
            paths.models_dir(), paths.shipped("models"), self.bus.publish, lambda: 6 << 30
        )
        self.engine_states = EngineStates(self.bus)
        self.suggestions = Suggestions(lambda: {".txt"}, lambda: Path("/nowhere"), dict)
        self.transcripts = FakeTranscripts(self)
        self.scopes = FakeScopes()
        self.suggesting = FakeSuggesting(self)
        self.history, self._stored = chats_of(self)
        self.viewing = FakeViewing()
        self.about = FakeAbout()
        self.connections = FakeConnections()
        self.stored = FakeStored()
        self.health = FakeHealth()
        self.quality = FakeQuality()
        self.answer_gate = threading.Event()
        self.answer_gate.set()
        self.after_first_word = threading.Event()
        self.after_first_word.set()
        self._next = 100
        self._threads: list[threading.Thread] = []
        self._handles: list[FakeHandle] = []
        self._written = ""
        self._cuts: list[tuple[str, list[Message]]] = []

    def settings(self) -> Settings:
        return Settings()

    def waiting_for_restart(self) -> frozenset[str]:
        return frozenset()

    # life
    def close(self) -> None:
        self.calls.append("close")
        self.answer_gate.set()
        self.after_first_word.set()
        for handle in self._handles:
            handle.cancel()
        for thread in self._threads:
            thread.join(5)

    def start_watching(self) -> None:
        self.calls.append("start_watching")

    def start_indexing(self) -> None:
        self.calls.append("start_indexing")

    def warm_up(self) -> None:
        self.calls.append("warm_up")

    def prepare(
        self, text: str, conversation: ConversationId | None = None, scope: Scope = EVERYTHING
    ) -> None:
        self.calls.append(f"prepare {text}")

    def drop_preparation(self) -> None:
        self.calls.append("drop_preparation")

    # library
    def add(self, paths: Sequence[Path]) -> AddReport:
        self.calls.append(f"add {' '.join(path.name for path in paths)}")
        good = [path for path in paths if path.exists()]
        skipped = tuple(
            (str(path), f"“{path.name}” does not exist any more; choose it again.")
            for path in paths
            if not path.exists()
        )
        queued = [
            inner
            for path in good
            for inner in (sorted(path.rglob("*")) if path.is_dir() else [path])
            if inner.is_file()
        ]
        for path in good:
            self.sources.append(Source(str(path), path.is_dir(), is_online=True, files=len(queued)))
        self.library += [self._file(str(path), FileState.QUEUED) for path in queued]
        self.bus.publish(LibraryChanged())
        self._spawn(self._index)
        return AddReport(tuple(str(path) for path in good), (), len(queued), skipped)

    def _index(self) -> None:
        waiting = [file for file in self.library if file.state is FileState.QUEUED]
        for done, file in enumerate(waiting):
            self.bus.publish(IndexingProgress(done, len(waiting), 0, file.path, 12.0))
            time.sleep(self.step_s)
            self._replace(replace(file, state=FileState.READY, chunks=4, pages=3))
        self.bus.publish(IndexingProgress(len(waiting), len(waiting), 0, ""))

    def remove(self, paths: Sequence[Path]) -> int:
        self.calls.append(f"remove {' '.join(path.name for path in paths)}")
        gone = {str(path) for path in paths}
        before = len(self.library)
        self.library = [
            file
            for file in self.library
            if not any(file.path == path or file.path.startswith(path + "/") for path in gone)
        ]
        self.sources = [source for source in self.sources if source.path not in gone]
        self.bus.publish(LibraryChanged())
        return before - len(self.library)

    def retry(self, documents: Sequence[DocumentId]) -> None:
        self.calls.append(f"retry {' '.join(str(document) for document in documents)}")
        for file in list(self.library):
            if file.id in documents:
                self._replace(replace(file, state=FileState.QUEUED, failure="", failure_code=""))
        self._spawn(self._index)

    def files(self) -> list[LibraryFile]:
        return sorted(self.library, key=lambda file: file.path)

    def files_of(self, documents: Sequence[DocumentId]) -> list[LibraryFile]:
        return [file for file in self.files() if file.id in documents]

    def file_details(self, document: DocumentId) -> FileDetails:
        return details_of(self, document)

    def skipped_files(self) -> list[LibraryFile]:
        return list(self.skipped)

    def pause_indexing(self) -> None:
        self.calls.append("pause")
        self.is_paused = True
        self.bus.publish(IndexingPaused("Indexing is paused.", "paused"))

    def resume_indexing(self) -> None:
        self.calls.append("resume")
        self.is_paused = False
        self.bus.publish(LibraryChanged())

    def status(self) -> LibraryStatus:
        def states(state: FileState) -> int:
            return sum(file.state is state for file in self.library)

        chunks = sum(file.chunks for file in self.library)
        queued = states(FileState.QUEUED) + states(FileState.READING)
        return LibraryStatus(
            tuple(self.sources),
            ready=states(FileState.READY),
            queued=queued,
            failed=states(FileState.FAILED),
            chunks=chunks,
            indexed_chunks=chunks,
            embedder="all-minilm-l6-v2",
            llm=self.llm,
            data_dir="/tmp/fake",
            pages_waiting=sum(len(file.coverage.waiting) for file in self.library),
            is_paused=self.is_paused,
            skipped=len(self.skipped),
        )

    # answers
    def search(
        self,
        question: str,
        limit: int = 8,
        scope: Scope = _EVERYTHING,
        *,
        is_explained: bool = False,
    ) -> SearchResult:
        self.calls.append(f"search {question} in {scope}")
        if self.search_fails_with is not None:
            raise self.search_fails_with
        found = self.passages()[:limit] if self.is_found else ()
        explanation = self._explanation(found) if is_explained else Explanation()
        return SearchResult(question, found, _FIGURES, explanation=explanation)

    def _explanation(self, passages: Sequence[Passage]) -> Explanation:
        """All are taken; a copy of the first and a weak one are not."""
        if not passages:
            return Explanation()
        shown = Verdict(Fate.SHOWN)
        taken = [
            Decision(
                one.chunk, rank, 0.03 / rank, 0.7 - rank / 20, rank, 9.5 - rank, rank, None, None,
                shown, one.path, f"page {one.pages[0]}" if one.pages else one.section,
                relevance=0.95 - rank / 10, shown_as=rank, matched=("coffee", "machine"),
            )
            for rank, one in enumerate(passages, 1)
        ]  # fmt: skip
        copy = Verdict(Fate.DUPLICATE, passages[0].chunk, 0.99)
        first = taken[0]
        left = [
            replace(first, chunk=ChunkId(70), rank=5, verdict=copy, shown_as=None),
            replace(
                first, chunk=ChunkId(71), rank=6, dense_rank=None, similarity=None, relevance=0.02,
                verdict=Verdict(Fate.WEAK), shown_as=None, matched=(), where="page 4",
            ),
        ]  # fmt: skip
        return Explanation(("“cover”: a question; weights: vectors 0.5",), (*taken, *left))

    def ask(
        self, question: str, conversation: ConversationId | None = None, scope: Scope = EVERYTHING
    ) -> FakeHandle:
        self.calls.append(f"ask {question}")
        if conversation is None:
            conversation = ConversationId(self._number())
            self.chats = {conversation: (question, []), **self.chats}
        self._say(conversation, Role.USER, question)
        handle = FakeHandle(self._number(), conversation)
        self._handles.append(handle)
        self._spawn(lambda: self._answer(handle, question))
        return handle

    def regenerate(self, conversation: ConversationId, scope: Scope = EVERYTHING) -> FakeHandle:
        self.calls.append("regenerate")
        self._cut(conversation, self._last_question(conversation) + 1)
        return self._answered(conversation)

    def edit(
        self,
        conversation: ConversationId,
        message: MessageId,
        text: str,
        scope: Scope = EVERYTHING,
    ) -> FakeHandle:
        self.calls.append(f"edit {text}")
        place = self._last_question(conversation)
        assert self.chats[conversation][1][place].id == message
        self._cut(conversation, place)
        self._say(conversation, Role.USER, text)
        return self._answered(conversation)

    def go_on(self, conversation: ConversationId, scope: Scope = EVERYTHING) -> FakeHandle:
        self.calls.append("go on")
        handle = self._answered(conversation)
        handle.takes_place = True
        return handle

    def undo(self, conversation: ConversationId) -> None:
        self.calls.append("undo")
        self.chats[conversation] = self._cuts.pop()

    def possible_changes(self, conversation: ConversationId) -> Possible:
        said = self.messages(conversation)
        answer = said[-1].answer if said else None
        question = said[self._last_question(conversation)] if said else None
        return Possible(question, bool(answer and can_go_on(answer)), bool(self._cuts))

    def _last_question(self, conversation: ConversationId) -> int:
        said = self.chats[conversation][1]
        return max(n for n, one in enumerate(said) if one.role is Role.USER)

    def _cut(self, conversation: ConversationId, place: int) -> None:
        title, said = self.chats[conversation]
        self._cuts.append((title, list(said)))
        del said[place:]

    def _answered(self, conversation: ConversationId) -> FakeHandle:
        question = self.chats[conversation][1][self._last_question(conversation)].text
        handle = FakeHandle(self._number(), conversation)
        self._handles.append(handle)
        self._spawn(lambda: self._answer(handle, question))
        return handle

    def _answer(self, handle: FakeHandle, question: str) -> None:
        self.answer_gate.wait()
        if self.fail_with is not None:
            error = self.fail_with
            failed = AnswerFailed(handle.request, handle.conversation, error.code, error.message)
            self.bus.publish(failed)
            handle.done.set()
            return
        if self.is_found:
            self.bus.publish(ExtractFound(handle.request, self.citations()[0]))
        self.bus.publish(SourcesFound(handle.request, self.passages() if self.is_found else ()))
        written = self._stream(handle) if self.is_found else ""
        answer = self.answer(question, written, is_stopped=handle.cancelled.is_set())
        if handle.takes_place:
            self.chats[handle.conversation][1].pop()
        self._say(handle.conversation, Role.ASSISTANT, answer.text, answer)
        handle.answer = answer
        handle.done.set()
        self.bus.publish(AnswerCompleted(handle.request, handle.conversation, answer))

    def _stream(self, handle: FakeHandle) -> str:
        written = ""
        for word in self.answer_text.split(" "):
            if handle.cancelled.wait(self.step_s):
                break
            piece = word if not written else f" {word}"
            written += piece
            self._written = written
            self.bus.publish(AnswerDelta(handle.request, piece))
            self.after_first_word.wait()
        return written

    def answer(self, question: str, text: str, *, is_stopped: bool = False) -> Answer:
        """The stored answer for `text`: its citations, the unsupported sentence, the figures."""
        if not self.is_found:
            sorry = "Your documents do not seem to say anything about this."
            near = ("Coffee machine guide", "Release notes")
            return Answer(question, sorry, (), Confidence.NONE, False, _FIGURES, nearest=near)
        used = tuple(one for one in self.citations() if f"[{one.number}]" in text)
        start = text.find(UNSUPPORTED)
        spans = ((start, start + len(UNSUPPORTED)),) if start >= 0 else ()
        level = Confidence.LOW if is_stopped else Confidence.HIGH
        return Answer(question, text, used, level, True, _FIGURES, self.llm, is_stopped, (), spans)

    def citations(self) -> tuple[Citation, ...]:
        """Three places in a paged guide and one in a text file without pages."""
        guide, notes = self.library[0], self.library[1]
        made = [
            Citation(
                number, guide.id, ChunkId(number), guide.path, guide.title, section, page, label,
                quote, 0, len(quote), guide.sha256, 0.9,
                (Box(page, 72, y, 540, y + 16), Box(page, 72, y + 18, 300, y + 34)),
            )
            for number, (quote, page, label, section, y) in enumerate(QUOTES, 1)
        ]  # fmt: skip
        start = NOTES.index(NOTES_QUOTE)
        made.append(
            Citation(
                4, notes.id, ChunkId(9), notes.path, notes.title, "Known limits", None, "",
                NOTES_QUOTE, start, start + len(NOTES_QUOTE), notes.sha256, 0.6,
            )
        )  # fmt: skip
        return tuple(made)

    def passages(self) -> tuple[Passage, ...]:
        """What the citations were taken from."""
        return tuple(
            Passage(
                one.chunk, one.document, one.path, one.title, one.section, one.quote, one.start,
                one.end, one.sha256, (one.page, one.page) if one.page else None, one.page_label,
                one.score, 0.7, 1, 1,
            )
            for one in self.citations()
        )  # fmt: skip

    def running_text(self) -> str:
        """What the running answer has written so far."""
        return self._written

    # conversations
    def conversations(self) -> list[Conversation]:
        return [
            Conversation(number, title, "2026-11-30T09:00:00+00:00", number in self._stored.pinned)
            for number, (title, _) in self.chats.items()
        ]

    def messages(self, conversation: ConversationId) -> list[Message]:
        if conversation not in self.chats:
            raise NotFound("That chat was deleted; start a new one.")
        return list(self.chats[conversation][1])

    def rename_conversation(self, conversation: ConversationId, title: str) -> None:
        self.calls.append(f"rename {title}")
        self.chats[conversation] = (title, self.chats[conversation][1])

    def delete_conversation(self, conversation: ConversationId) -> None:
        self.calls.append(f"delete {conversation}")
        del self.chats[conversation]

    # viewer
    def document(self, document: DocumentId) -> DocumentView:
        for file in self.library:
            if file.id == document:
                return self._view(file)
        raise NotFound("That document was removed from the library; add it again to see it.")

    def cited_document(self, citation: Citation) -> tuple[DocumentView, Citation | None]:
        view = self.document(citation.document)
        if view.pages:
            return view, None if self.is_quote_gone else citation
        span = refind(view.text, citation.quote, citation.start)
        return view, span and replace(citation, start=span[0], end=span[1])

    def _view(self, file: LibraryFile) -> DocumentView:
        if not file.pages:
            text = self.texts.get(file.id, NOTES)
            return DocumentView(file, text, _blocks(text), (), self.is_changed)
        labels = ("i", "2", "3", "4")
        pages = tuple(
            Page(n, labels[n - 1], 0, 0, PAGE_WIDTH, PAGE_HEIGHT) for n in range(1, file.pages + 1)
        )
        return DocumentView(file, "", (), pages, self.is_changed)

    def render_page(self, document: DocumentId, page: int, scale: float) -> PageImage:
        self.calls.append(f"render {page}")
        return PageImage(self.pages[page], PAGE_WIDTH, PAGE_HEIGHT)

    # making
    def _spawn(self, work: object) -> None:
        thread = threading.Thread(target=work, name="fake-app")  # type: ignore[arg-type]
        thread.start()
        self._threads.append(thread)

    def _number(self) -> int:
        self._next += 1
        return self._next

    def _file(self, path: str, state: FileState) -> LibraryFile:
        suffix = Path(path).suffix.lstrip(".").lower() or "txt"
        number = DocumentId(self._number())
        return LibraryFile(number, path, state, suffix, "", 20_000, 0, 0, "", "")

    def _replace(self, file: LibraryFile) -> None:
        self.library = [file if one.id == file.id else one for one in self.library]
        self.bus.publish(LibraryChanged((file.id,)))

    def _say(
        self, conversation: ConversationId, role: Role, text: str, answer: Answer | None = None
    ) -> None:
        number = MessageId(self._number())
        said = Message(number, conversation, role, text, "2026-11-30T09:00:00+00:00", answer)
        if conversation in self.chats:
            self.chats[conversation][1].append(said)


_FIGURES = RetrievalFigures(340, 35, 50, 5, 3, {"total": 84.0})


def with_sample_library(app: FakeApp | None = None, home: str = "/home/ada") -> FakeApp:
    """A library of a few good files, one being read, one waiting and three that failed."""
    app = app or FakeApp()
    rows = [
        (f"{home}/Manuals/Coffee machine guide.pdf", "ready", "Coffee machine guide", 4, 38, ""),
        (f"{home}/Notes/release-notes.md", "ready", "Release notes", 0, 6, ""),
        (f"{home}/Manuals/Dishwasher D40.pdf", "ready", "Dishwasher D40", 24, 96, ""),
        (f"{home}/Contracts/Lease 2024.docx", "ready", "Lease agreement", 0, 41, ""),
        (f"{home}/Contracts/Insurance policy.pdf", "reading", "", 0, 0, ""),
        (f"{home}/Contracts/Insurance schedule.pdf", "queued", "", 0, 0, ""),
        (
            f"{home}/Bank/statement-march.pdf", "failed", "", 0, 0,
            "“statement-march.pdf” needs a password; remove the password and try again.",
        ),
        (
            f"{home}/Bank/scan-0007.pdf", "failed", "", 0, 0,
            "“scan-0007.pdf” opened well but holds no text; it is probably a scan.",
        ),
        (
            f"{home}/Downloads/archive.bin", "failed", "", 0, 0,
            "No reader for “.bin” files; save it as PDF, DOCX, Markdown, HTML or text.",
        ),
    ]  # fmt: skip
    failures = {
        "statement-march.pdf": "encrypted",
        "scan-0007.pdf": "no-text",
        "archive.bin": "unsupported",
    }
    for number, (path, state, title, pages, chunks, failure) in enumerate(rows, 1):
        suffix = Path(path).suffix.lstrip(".")
        app.library.append(
            LibraryFile(
                DocumentId(number), path, FileState(state), suffix, title, 1_240_000 // number,
                pages, chunks, "ab" * 32, "2026-11-29T18:00:00+00:00",
                failures.get(path.rsplit("/", 1)[-1], ""), failure,
            )
        )  # fmt: skip
    app.sources = [
        Source(f"{home}/Manuals", is_folder=True, is_online=True, files=2),
        Source(f"{home}/Contracts", is_folder=True, is_online=True, files=3),
        Source("/media/usb/Bank", is_folder=True, is_online=False, files=2),
    ]
    return app


def with_sample_chats(app: FakeApp) -> FakeApp:
    """Three chats; the first holds a finished answer."""
    question = "How long is the coffee machine covered, and what keeps the cover valid?"
    for title in ("Notice period of the lease", "Dishwasher error E15"):
        app.chats[ConversationId(app._number())] = (title, [])
    number = ConversationId(app._number())
    app.chats = {number: ("Coffee machine warranty", []), **app.chats}
    app._say(number, Role.USER, question)
    answer = app.answer(question, app.answer_text)
    app._say(number, Role.ASSISTANT, answer.text, answer)
    return app


def drag_enter(data: QMimeData) -> QDragEnterEvent:
    """What a window gets when files are dragged over it."""
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    keys, point = Qt.KeyboardModifier.NoModifier, QPoint(400, 300)
    return QDragEnterEvent(point, action, data, button, keys)


def _blocks(text: str) -> tuple[Block, ...]:
    """Short paragraphs without a full stop are headings; enough for the fake's texts."""
    made, start = [], 0
    for line in text.splitlines(keepends=True):
        if content := line.rstrip("\n"):
            is_heading = len(content) < 30 and not content.endswith(".")
            kind = BlockKind.HEADING if is_heading else BlockKind.PARAGRAPH
            level = (1 if start == 0 else 2) if is_heading else 0
            made.append(Block(kind, start, start + len(content), level))
        start += len(line)
    return tuple(made)


@lru_cache
def paint_pages(mark: str = "#ffffff", scale: float = 2.0) -> dict[int, bytes]:
    """The pages of the guide. On the GUI thread only: Qt cannot draw letters on two at once.

    `mark` is the ground of every quoted line: a test compares its place with the highlight.
    """
    return {page: _paint_page(page, scale, mark) for page in range(1, 5)}


def _paint_page(page: int, scale: float, mark: str) -> bytes:
    """A page with a heading, lines of body text, and the quotes that stand on it."""
    image = QImage(
        round(PAGE_WIDTH * scale), round(PAGE_HEIGHT * scale), QImage.Format.Format_RGB32
    )
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    _paint_text(painter, page, mark)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def _paint_text(painter: QPainter, page: int, mark: str) -> None:
    font = QFont()
    font.setPixelSize(22)
    painter.setFont(font)
    painter.setPen(QColor("#222222"))
    heading = {1: "Coffee machine", 2: "Warranty", 3: "Care and cleaning"}.get(page, "Appendix")
    painter.drawText(QRectF(72, 72, 468, 30), heading)
    quoted = {y: quote for quote, on, _, _, y in QUOTES if on == page}
    font.setPixelSize(11)
    painter.setFont(font)
    for step in range(34):
        y = 120.0 + step * 18
        if not any(top - 14 <= y <= top + 40 for top in quoted):
            painter.drawText(QRectF(72, y, 468, 16), FILLER[(step * 3 + page) % len(FILLER)])
    for y, quote in quoted.items():
        for line, text in enumerate((quote, "This holds in every country where it is sold.")):
            room = QRectF(72, y + 18 * line, 228 if line else 468, 16)
            painter.fillRect(room, QColor(mark))
            painter.drawText(room, text)
    painter.drawText(QRectF(72, 750, 468, 16), Qt.AlignmentFlag.AlignHCenter, str(page))
