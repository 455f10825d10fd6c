"""The composition root and the façade every skin calls."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from desktop_rag import logs, network, paths, settings
from desktop_rag.domain.adaptive_limit import MOST
from desktop_rag.domain.answerability import judge
from desktop_rag.domain.answers import (
    Citation,
    Conversation,
    ConversationId,
    Message,
    MessageId,
    SearchResult,
    Turn,
)
from desktop_rag.domain.budget import Effort
from desktop_rag.domain.chunking import Chunking
from desktop_rag.domain.documents import ChunkId, DocumentId, PageImage
from desktop_rag.domain.errors import DesktopRagError, DiskFull, UserError
from desktop_rag.domain.events import AnswerCompleted, EngineState, Event, LibraryChanged
from desktop_rag.domain.health import WorkerFacts
from desktop_rag.domain.library import (
    NO_RULES,
    AddReport,
    FileDetails,
    FolderRules,
    LibraryFile,
    LibraryStatus,
    Source,
    Tier,
)
from desktop_rag.domain.masking import Mask
from desktop_rag.domain.ports import (
    DocumentReader,
    GenerationLimits,
    Generator,
    GeneratorInfo,
    SearchIndex,
)
from desktop_rag.domain.retrieval_rules import RetrievalRules, rules_for
from desktop_rag.domain.revisions import Possible
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.spans import Span
from desktop_rag.domain.structured import OpenedText
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.about import About
from desktop_rag.services.answer_cache import AnswerCache
from desktop_rag.services.answering import Answering
from desktop_rag.services.bus import Bus
from desktop_rag.services.chat_scopes import ChatScopes
from desktop_rag.services.chats import Chats
from desktop_rag.services.cited_files import CitedFiles
from desktop_rag.services.connections import Connections
from desktop_rag.services.counting import Counting
from desktop_rag.services.deep_search import DeepSearch
from desktop_rag.services.describing import Describing
from desktop_rag.services.direct_answers import DirectAnswers
from desktop_rag.services.engine_states import EngineStates
from desktop_rag.services.erasing import Erasure
from desktop_rag.services.feedback import Judgements
from desktop_rag.services.file_tracing import FileTracing
from desktop_rag.services.health import Health
from desktop_rag.services.indexing import Indexing
from desktop_rag.services.intake import Receiving
from desktop_rag.services.library import Library
from desktop_rag.services.masked_generator import MaskedGenerator
from desktop_rag.services.models import LlmChoice, ModelLibrary, ModelRole, ModelStatus
from desktop_rag.services.opening import Opening
from desktop_rag.services.organising import Organising
from desktop_rag.services.phrase_tracing import PhraseTracing
from desktop_rag.services.placing import Placing
from desktop_rag.services.politeness import Politeness, share_of_processor
from desktop_rag.services.previewing import Previewing
from desktop_rag.services.quality import Quality, Texts
from desktop_rag.services.query_recording import QueryRecording
from desktop_rag.services.rechunking import Rechunking
from desktop_rag.services.recognising import Recognition
from desktop_rag.services.retrieval import EVERYTHING, Found, Retrieval, worth_reading
from desktop_rag.services.revising import Revising
from desktop_rag.services.running import RunningAnswer
from desktop_rag.services.safeguards import Safeguards, find_lazily
from desktop_rag.services.scanning import Scanning
from desktop_rag.services.stored import Kind, StoredData
from desktop_rag.services.suggesting import Suggesting
from desktop_rag.services.suggestions import Suggestions
from desktop_rag.services.tracing import Tracing
from desktop_rag.services.transcribing import Transcribing
from desktop_rag.services.update_check import UpdateCheck
from desktop_rag.services.viewing import DocumentView, Viewing
from desktop_rag.services.watching import Watching
from desktop_rag.settings import Settings
from desktop_rag.storage.archives import Restored, restore
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.changes import ChangeLog
from desktop_rag.storage.chat_scopes import ChatScopeStore
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.storage.evaluations import Evaluations
from desktop_rag.storage.feedback import FeedbackStore
from desktop_rag.storage.holdings import Holdings
from desktop_rag.storage.index_age import IndexAges
from desktop_rag.storage.jobs import Jobs
from desktop_rag.storage.kept_answers import KeptAnswers
from desktop_rag.storage.library_lock import locked
from desktop_rag.storage.library_state import LibraryState
from desktop_rag.storage.meta import Meta
from desktop_rag.storage.page_lines import PageLines
from desktop_rag.storage.prompt_texts import prompts_digest
from desktop_rag.storage.quality_records import QualityRecords
from desktop_rag.storage.querylog import QueryLog
from desktop_rag.storage.recognised import RecognisedPages
from desktop_rag.storage.skipped import SkippedKind
from desktop_rag.storage.sources import Sources
from desktop_rag.storage.stored_figures import StoredFigures
from desktop_rag.storage.text_search import TextSearch
from desktop_rag.storage.written import WrittenTexts
from desktop_rag.workers.remote import measure_model, probe_model, start_engines

_SWEEP_S = 5.0
"""A library on a slow network drive is compared in the background instead."""
_READ_S = 15.0
"""Enough for the few files a person edits between two questions."""


AnswerHandle = RunningAnswer
"""A running answer: `request`, `conversation`, `cancel()`, `result(timeout_s)`."""
_AT_START = ("cpu", "threads", "gpu", "ocr_language", "chunking")
"""Settings that engines are started with."""
_WHAT_IS_READ = frozenset({"max_file_mb", "leave_out"})
"""Settings that decide which files of a folder belong to the library."""
EVALUATION = "Evaluation"
"""Title of a chat that a question of a test set is asked in."""


@dataclass(frozen=True, slots=True)
class Engines:
    """The three ports an `App` runs on; `close` ends whatever stands behind them."""

    reader: DocumentReader
    index: SearchIndex
    generator: Generator
    close: Callable[[], None]
    warm_up: Callable[[], None] = lambda: None
    restart: Callable[[str], None] = lambda _role: None
    prepare_pages: Callable[[], None] = lambda: None
    """Start what draws pages; returns when it is ready."""
    workers: Callable[[], list[WorkerFacts]] = list


class App:
    """Opens a data folder, runs the indexer and the answerer, and closes everything again.

    Every method may be called from any thread; those marked *may block* must not run on the GUI
    thread. Progress is told on `bus` (see `domain.events`).
    """

    @classmethod
    def open(cls, data_dir: Path, engines: Engines | None = None) -> Self:
        """Lock and open the library. Engines start on first use, in worker processes.

        Raises:
            LibraryLocked, LibraryTooNew, LibraryDamaged, DiskFull, UserError: nothing was changed.
        """
        with contextlib.ExitStack() as undo:
            network.install("program")  # whoever starts this otherwise than `desktop_rag.__main__`
            folder = paths.DataDir(data_dir)
            erasure = Erasure(folder, paths.models_dir(), paths.shipped("models"))
            undo.callback(erasure.vacate)
            undo.enter_context(locked(folder))
            erasure.finish()  # of a program that was ended in the middle of it
            undo.callback(erasure.finish)
            chosen = settings.load(folder.settings)
            database = Database(folder.database)
            undo.callback(database.close)
            handler = logs.write_to(folder.logs)
            undo.callback(logs.stop_writing, handler)
            resources = contextlib.ExitStack()
            app = cls(folder, database, chosen, engines, resources)
            resources.push(undo.pop_all())  # only now: what fails until here locks nobody out
            return app

    def __init__(
        self,
        folder: paths.DataDir,
        database: Database,
        chosen: Settings,
        engines: Engines | None,
        resources: contextlib.ExitStack,
    ) -> None:
        """Use `open`. `resources` is closed last."""
        self.bus = Bus()
        self.models = ModelLibrary(
            paths.models_dir(),
            paths.shipped("models"),
            self.bus.publish,
            probe=probe_model,
            measure=self._measure_model,
        )
        self.engine_states = EngineStates(self.bus)
        self._folder = folder
        self._settings = chosen
        self._at_start = chosen
        self._choosing = threading.Lock()
        """The file of settings is read, changed and replaced by one thread at a time."""
        self._resources = resources
        self._chunking = self._possible_chunking()
        self._engines = self._masked(engines or self._start_engines())
        self.suggestions = Suggestions(lambda: self._engines.reader.versions())
        self._catalog = Catalog(database)
        self._changes = ChangeLog(database)
        self._conversations = Conversations(database)
        self.transcripts = Transcribing(database, self._conversations)
        self._is_closed = threading.Event()
        network.forbid(is_forbidden=chosen.forbid_network)
        self.connections = Connections(self._engines.workers, self._forbid_network)
        self._build_services(database)
        self._build_upkeep(database)
        self._revising = Revising(self._answering, self._conversations)
        self.history = Chats(self._conversations, self._safeguards, self._cache.forget)
        with contextlib.suppress(DiskFull):  # the next start tries again
            self.history.purge()
        prepare_pages = self._engines.prepare_pages
        self.viewing = Viewing(self._catalog, PageLines(database), self._opening, prepare_pages)

    def _start_engines(self) -> Engines:
        pool = start_engines(
            data_dir=self._folder,
            embedder_dir=self.models.embedder_dir(),
            resolve_llm=self.models.choose_llm,
            on_state=lambda role, state, detail: self.bus.publish(EngineState(role, state, detail)),
            indexing_share=share_of_processor(self._settings.cpu),
            is_modest=self._settings.cpu != "full",
            ocr_language=self._settings.ocr_language,
            chunking=self._chunking,
            reranker_dir=self.models.reranker_dir(),
            extractor_dir=self.models.extractor_dir(),
            gpu=self._settings.gpu,
            threads=self._settings.threads or None,
        )
        return Engines(
            pool.reader,
            pool.index,
            pool.generator,
            pool.close,
            pool.warm_up,
            pool.restart,
            pool.reader.prepare_pages,
            pool.facts,
        )

    def _measure_model(self, choice: LlmChoice, is_cancelled: Callable[[], bool]) -> Tuning | None:
        """The model in use is compared where it is loaded; another one in a process of its own."""
        generator = self._engines.generator
        if choice.model_id == self._llm() and not generator.info().is_on_gpu:
            return next(iter(generator.tune(is_cancelled)), None)
        gpu = self._settings.gpu
        return measure_model(self._folder, choice, gpu=gpu, is_cancelled=is_cancelled)

    def _masked(self, engines: Engines) -> Engines:
        """The same engines; the language model sees no personal data while that is chosen."""
        mask = Mask(find_lazily)
        self._safeguards = Safeguards(mask, lambda: self._settings.mask_personal_data)
        guarded = MaskedGenerator(engines.generator, mask, self._safeguards.is_masking)
        return replace(engines, generator=guarded)

    def _possible_chunking(self) -> Chunking:
        """The way of cutting that was chosen; the default while it lacks its language model."""
        chosen = Chunking(self._settings.chunking)
        return Chunking.STRUCTURE if chosen.needs_language_model and not self._llm() else chosen

    def _chunking_note(self) -> str:
        if self._settings.chunking == self._chunking:
            return ""
        if self._possible_chunking() == self._chunking:
            return (
                f"Documents are cut along their structure, because {self._settings.chunking} "
                "wants a language model and none is installed; `desktop-rag models` offers some."
            )
        return "Documents are cut in the way you chose when Desktop RAG is started again."

    def _writing_note(self) -> str:
        count = self._written.unfinished() if self._chunking.needs_language_model else 0
        return (
            f"The language model reads documents; {count} of its answers are kept for those that "
            "wait."
            if count
            else ""
        )

    def _build_services(self, database: Database) -> None:
        jobs, sources, engines = Jobs(database), Sources(database), self._engines
        jobs.recover()
        own = frozenset({str(self._folder.root.resolve()), str(paths.models_dir().resolve())})
        scanning = Scanning(self._catalog, sources, engines.reader, own, lambda: self._settings)
        self._library = Library(self._catalog, sources, scanning)
        collections = Collections(database)
        self.organising = Organising(self._catalog, collections)
        self._describing = Describing(self._catalog, sources, collections)
        self.suggesting = Suggesting(self._catalog)
        self.scopes = ChatScopes(ChatScopeStore(database), self._catalog, collections, sources)
        self._texts = TextSearch(database)
        self.receiving = Receiving(self._catalog, sources, scanning, lambda: self._settings)
        self.previewing = Previewing(self._catalog, sources, scanning)
        self._opening = Opening(self._catalog)
        self.feedback = Judgements(FeedbackStore(database))
        self._retrieval = Retrieval(engines.index, self._catalog, collections)
        self._search = DeepSearch(self._retrieval, engines.generator)
        self._library_state = LibraryState(database)
        self._cache = self._answer_cache()
        holdings = Holdings(database)
        self._answering = Answering(
            self._retrieval,
            engines.generator,
            self._catalog,
            self._conversations,
            self.bus,
            judge,
            effort=lambda: Effort(self._settings.answers),
            library_state=self._library_state.token,
            safeguards=self._safeguards,
            cache=self._cache,
            direct=DirectAnswers(Counting(self._catalog, holdings, self.bus), holdings),
        )
        self._queries = QueryRecording(QueryLog(database), is_on=self._settings.query_log)
        self._unrecorded: set[ConversationId] = set()
        self.bus.subscribe(self._note_answer)
        self._build_indexing(database, jobs, scanning)

        self.tracing = self._tracing(sources, scanning)

    def _build_indexing(self, database: Database, jobs: Jobs, scanning: Scanning) -> None:
        engines = self._engines
        self._jobs = jobs
        self._politeness = Politeness(Meta(database), self._answering.is_busy)
        self._politeness.apply(self._settings)
        self._written = WrittenTexts(database)
        self._indexing = Indexing(
            self._catalog,
            jobs,
            self._changes,
            scanning,
            engines.reader,
            engines.index,
            self.bus,
            Recognition(RecognisedPages(database), engines.reader, lambda: self._settings.ocr),
            self._politeness,
            Rechunking(self._chunking, engines.index, engines.generator),
            self._written,
        )
        self._watching = Watching(
            scanning,
            self.bus,
            self._indexing.wake,
            self._indexing.wait_until_swept,
            lambda: self._settings,
        )

    def _tracing(self, sources: Sources, scanning: Scanning) -> Tracing:
        def search(text: str) -> SearchResult:
            return worth_reading(self._retrieval.search(text, MOST, is_explained=True))

        files = FileTracing(
            self._catalog, sources, scanning, self._texts, lambda: self._indexing.is_paused
        )
        return Tracing(files, PhraseTracing(self._texts, search), self._texts)

    def _build_upkeep(self, database: Database) -> None:
        self.about = About()
        self.placing = Placing(self._catalog)
        self.cited_files = CitedFiles(self._catalog)
        self.updates = UpdateCheck(Meta(database), self.settings, refuse=network.require_allowed)
        models = paths.models_dir()
        self.stored = StoredData(
            self._folder,
            models,
            StoredFigures(database),
            {Kind.ANSWERS: self._cache.clear, Kind.QUERY_LOG: self._queries.clear},
            Erasure(self._folder, models, paths.shipped("models")),
        )
        engines = self._engines
        self.health = Health(
            self._folder,
            self.models,
            engines.index,
            engines.reader,
            engines.workers,
            IndexAges(database),
            self._indexing.wake,
        )
        self.quality = Quality(
            Texts(self._catalog.files, self._catalog.text, self.find),
            QualityRecords(database),
            Evaluations(database),
            IndexAges(database),
            self.feedback,
            lambda: self._settings.query_log,
        )

    def _answer_cache(self) -> AnswerCache:
        index = self._engines.index
        return AnswerCache(
            KeptAnswers(self._folder.kept_answers),
            self._basis_of_answers,
            lambda text: index.embed([text])[0].vector,
            is_on=self._settings.answer_cache,
        )

    def _basis_of_answers(self) -> str:
        """Whatever an answer rests on, as it is now."""
        basis = (
            self._library_state.token(),
            self._changes.unapplied_chunks(),
            self._settings,
            self._llm(),
            self.models.embedder_dir().name,
            self.models.reranker_dir(),
            self.models.extractor_dir(),
            prompts_digest(),
        )
        return repr(basis)

    def close(self) -> None:
        """Stop all work (what is half done starts again next time) and let go of the library."""
        if self._is_closed.is_set():
            return
        self._is_closed.set()
        with _uninterrupted(), self._resources:
            self._watching.close()
            self.connections.close()
            self._answering.close()
            self._queries.close()
            # Engines first: a call that waits for a worker ends at once instead of in its own time.
            self._indexing.ask_to_stop()
            self._engines.close()
            self._indexing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ library

    def start_indexing(self) -> None:
        """Sweep all sources and work through the queue in the background. Idempotent."""
        self._indexing.start()

    def start_watching(self) -> None:
        """Notice changes in the added folders at once, from the first sweep on. Idempotent."""
        self._watching.start()
        self.connections.watch()

    def warm_up(self) -> None:
        """Start loading the index and the language model, and let it read the instructions."""
        self._engines.warm_up()
        self._answering.warm_up()

    def use_model(self, model_id: str) -> ModelStatus:
        """Make a model the one for its role. A language model writes from the next answer on.

        *May block.* Raises as `ModelLibrary.set_default`, which says when others are used.
        """
        status = self.models.set_default(model_id)
        if status.role is ModelRole.LLM:
            self.warm_up()
        self.bus.publish(LibraryChanged())
        return status

    def remove_model(self, model_id: str) -> None:
        """Let go of a model and delete it; see `ModelLibrary.remove`. *May block.*"""
        if model_id == self._llm():
            self._engines.restart("llm")  # Windows deletes no file that is in use
        self.models.remove(model_id)
        self.bus.publish(LibraryChanged())

    def restart_engine(self, role: str) -> None:
        """End a worker process and forget its crashes; it starts anew at once. *May block*.

        Args:
            role: `parse`, `ocr`, `view`, `index` or `llm`. What it was doing fails and is tried
                again.
        """
        self._engines.restart(role)
        self._engines.warm_up()
        self._indexing.wake()

    def add(self, places: Sequence[Path], rules: FolderRules = NO_RULES) -> AddReport:
        """Add files and folders as sources and queue their files. *May block* on large folders.

        `rules` say what of the folders is read; without any, those a folder has stay.
        """
        report = self._library.add(places, rules)
        self._indexing.wake()
        self.bus.publish(LibraryChanged())
        return report

    def remove(self, places: Sequence[Path]) -> int:
        """Forget sources or files and everything indexed from them; returns how many files."""
        removed = self._library.remove(places)
        self._cache.prune()  # kept answers quote them
        self._indexing.wake()
        self.bus.publish(LibraryChanged())
        return removed

    def change_folder(
        self, place: Path, rules: FolderRules | None = None, tier: Tier | None = None
    ) -> Source:
        """Choose what of a source is read and how much it counts; with neither, just tell it.

        *May block* on large folders. Raises NotFound when `place` was not added itself.
        """
        source = self._library.change(place, rules, tier)
        if rules is not None or tier is not None:
            self._indexing.wake()
            self.bus.publish(LibraryChanged())
        return source

    def relocate(self, place: Path, new_place: Path) -> Source:
        """An added folder lies elsewhere now; see `Library.relocate`. *May block.*"""
        source = self._library.relocate(place, new_place)
        self._indexing.wake()
        self.bus.publish(LibraryChanged())
        return source

    def order_folders(self, places: Sequence[Path]) -> None:
        """List what was added in this order; what is not named follows as it was."""
        self._library.order(places)
        self.bus.publish(LibraryChanged())

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Queue failed files again."""
        self._library.retry(documents)
        self._indexing.wake()
        self.bus.publish(LibraryChanged(tuple(documents)))

    def files(self) -> list[LibraryFile]:
        """All files that are read or to be read, by path."""
        return self._catalog.files()

    def files_of(self, documents: Sequence[DocumentId]) -> list[LibraryFile]:
        """These files, as far as they are still in the library."""
        return self._catalog.files_of(documents)

    def file_details(self, document: DocumentId) -> FileDetails:
        """All there is to know about a file. Raises NotFound when it was removed."""
        return self._describing.describe(document)

    def skipped_files(self) -> list[LibraryFile]:
        """Files met in a folder and left out, by path, with the reason; their ids name nothing."""
        return self._library.skipped()

    def skipped_kinds(self) -> list[SkippedKind]:
        """How many files were left out for which reason, the most frequent first."""
        return self._library.skipped_kinds()

    def status(self) -> LibraryStatus:
        """Counts and health. *May block* shortly: it looks whether each source can be reached."""
        counts = self._catalog.counts()
        return LibraryStatus(
            sources=self._library.sources(),
            ready=counts.ready_documents,
            queued=counts.queued,
            failed=counts.failed,
            chunks=counts.chunks,
            indexed_chunks=counts.chunks - self._changes.unapplied_chunks(),
            embedder=self.models.embedder_dir().name,
            llm=self._llm(),
            data_dir=str(self._folder.root),
            skipped=self._library.count_skipped(),
            noted=counts.noted,
            watching=self._watching.limit,
            rereading=" ".join(
                filter(
                    None,
                    (
                        self._chunking_note(),
                        self._writing_note(),
                        self._catalog.readers.rereading().sentence,
                        self._changes.reembedding(),
                    ),
                )
            ),
            pages_waiting=self._jobs.workload().pages,
            is_paused=self._indexing.is_paused,
        )

    def _llm(self) -> str:
        try:
            return self.models.choose_llm().model_id
        except DesktopRagError:
            return ""

    def wait_until_indexed(self, timeout_s: float | None = None) -> bool:
        """Wait until all is searchable, with text recognised in scans; false on time-out."""
        return self._indexing.wait_until_idle(timeout_s)

    def wait_until_read(self, timeout_s: float | None = None) -> bool:
        """Wait until all that needs no text recognition is searchable; false on time-out."""
        return self._indexing.wait_until_read(timeout_s)

    def pause_indexing(self) -> None:
        """Read no more files until `resume_indexing`, also after a restart. Answers go on."""
        self._indexing.pause()

    def resume_indexing(self) -> None:
        """Go on reading."""
        self._indexing.resume()
        self.bus.publish(LibraryChanged())

    def is_paused(self) -> bool:
        """Whether the person paused indexing."""
        return self._indexing.is_paused

    def wait_until_swept(self, timeout_s: float | None = None) -> bool:
        """Wait until it is known which files changed since the last start; false on time-out."""
        return self._indexing.wait_until_swept(timeout_s)

    def wait_until_synchronised(self, timeout_s: float | None = None) -> bool:
        """Wait until the index holds all that was read before this start; false on time-out."""
        return self._indexing.wait_until_synchronised(timeout_s)

    def catch_up(self) -> str:
        """Bring the library up to date as far as that is quick; says what is still missing.

        For programs that start, ask and end: the window goes on reading by itself. What keeps files
        from being read does not keep what was read from being found. *May block* for seconds.
        """
        self.start_indexing()
        missing = []
        try:
            self.wait_until_synchronised()
            if self.wait_until_swept(_SWEEP_S) and self.status().queued:
                self.wait_until_read(_READ_S)
        except UserError as error:
            missing.append(error.message)
        status = self.status()
        if status.queued:
            missing.append(
                f"Still to be read: {status.queued}. The answer does not know those files yet."
            )
        elif status.pages_waiting:
            missing.append(
                f"Scanned pages still to be recognised: {status.pages_waiting}. The answer does "
                "not know them yet; the window goes on with them, and so does `desktop-rag add`."
            )
        return " ".join(missing)

    # ------------------------------------------------------------------ settings

    def settings(self) -> Settings:
        """The person's choices."""
        return self._settings

    def change_setting(self, key: str, value: str) -> Settings:
        """Keep a choice as it was typed (`default` takes it back) and follow it.

        How many threads the engines have, whether they use a graphics card, which script they
        recognise and how documents are cut is settled when they start: those take effect when the
        program is started again.

        Raises:
            NotFound, InvalidInput, UserError: see `settings.store`; nothing was changed.
        """
        with self._choosing:
            settings.store(self._folder.settings, key, value)
            self._settings = settings.load(self._folder.settings)
            self._politeness.apply(self._settings)
            self._queries.switch(is_on=self._settings.query_log)
            self._cache.switch(is_on=self._settings.answer_cache)
            self._indexing.adopt_recogniser()
            if key in _WHAT_IS_READ:
                self._indexing.look_again()
            network.forbid(is_forbidden=self._settings.forbid_network)
            return self._settings

    def _forbid_network(self, is_forbidden: bool) -> None:  # noqa: FBT001 - told by position
        self.change_setting("forbid_network", settings.shown(is_forbidden))

    def waiting_for_restart(self) -> frozenset[str]:
        """Settings that were changed and are in force only when the program is started again."""
        return frozenset(
            key for key in _AT_START if getattr(self._settings, key) != getattr(self._at_start, key)
        )

    # ------------------------------------------------------------------ search and answers

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """The words of each text that answer a question; none without a model for it."""
        return self._retrieval.spans(question, texts)

    def search(
        self,
        question: str,
        limit: int | None = None,
        scope: Scope = EVERYTHING,
        *,
        deep: bool = False,
        graph: bool = False,
        is_explained: bool = False,
    ) -> SearchResult:
        """Passages of the scope, best first. *May block.*

        Args:
            question: any text.
            limit: at least 1; without one as many as are worth reading, 3 to 8.
            scope: which documents are searched.
            deep: ask the language model first what else to search; takes seconds. Without one the
                search is an ordinary one, and says so (`figures.expansion.note`).
            graph: follow names from document to document; the setting `graph` does it always.
            is_explained: work out the relevance of what is not shown, too.
        """
        begin = time.perf_counter()
        rules = self._rules(deep=deep, graph=graph)
        most = MOST if limit is None else limit
        shown = self._search.search(question, most, scope, rules, is_explained=is_explained)
        if limit is None:
            shown = worth_reading(shown)
        elapsed_ms = (time.perf_counter() - begin) * 1000
        confidence = judge(shown.understood.text, shown.passages)
        self._queries.note_search(shown, confidence, elapsed_ms)
        return shown

    def _rules(self, *, deep: bool, graph: bool) -> RetrievalRules:
        return rules_for(deep=deep, graph=graph or self._settings.graph)

    def _note_answer(self, event: Event) -> None:
        if isinstance(event, AnswerCompleted) and event.conversation not in self._unrecorded:
            self._queries.note_answer(event.answer)

    def find(self, question: str, limit: int, rules: RetrievalRules) -> Found:
        """Passages under other rules than the program's own, for evaluation. *May block.*"""
        return self._search.find([question], limit, EVERYTHING, rules)

    def ask(
        self,
        question: str,
        conversation: ConversationId | None = None,
        scope: Scope = EVERYTHING,
        *,
        deep: bool = False,
        graph: bool = False,
        is_fresh: bool = False,
    ) -> AnswerHandle:
        """Answer in the background: SourcesFound, AnswerDelta…, AnswerCompleted or AnswerFailed.

        `deep` and `graph` are as in `search`. A question that was answered before gets the same
        answer (`Answer.is_cached`) while nothing it rests on has changed, unless `is_fresh`.
        """
        rules = self._rules(deep=deep, graph=graph)
        return self._answering.ask(question, conversation, scope, rules, is_fresh=is_fresh)

    def ask_apart(self, question: str, rules: RetrievalRules) -> AnswerHandle:
        """As `ask`, for evaluation: under other rules, in a chat to be deleted, off the record."""
        conversation = self._conversations.begin(EVALUATION)
        self._unrecorded.add(conversation)
        return self._answering.ask(question, conversation, EVERYTHING, rules, is_fresh=True)

    def prepare(
        self,
        text: str,
        conversation: ConversationId | None = None,
        scope: Scope = EVERYTHING,
    ) -> None:
        """Begin with a question that is still being typed, for `ask` with the same arguments.

        Returns at once. Another text, or `drop_preparation`, ends what was begun before.
        """
        self._answering.prepare(text, conversation, scope, self._rules(deep=False, graph=False))

    def drop_preparation(self) -> None:
        """What was typed has changed."""
        self._answering.drop_preparation()

    def regenerate(self, conversation: ConversationId, scope: Scope = EVERYTHING) -> AnswerHandle:
        """Answer the last question of a chat again, in other words; see `Revising.regenerate`."""
        return self._revising.regenerate(conversation, self._rules(deep=False, graph=False), scope)

    def edit(
        self,
        conversation: ConversationId,
        message: MessageId,
        text: str,
        scope: Scope = EVERYTHING,
    ) -> AnswerHandle:
        """Ask a question of a chat in other words, and cut off what followed; see `Revising`."""
        rules = self._rules(deep=False, graph=False)
        return self._revising.edit(conversation, message, text, rules, scope)

    def go_on(self, conversation: ConversationId, scope: Scope = EVERYTHING) -> AnswerHandle:
        """Write on where the last answer of a chat ended too early; see `Revising.go_on`."""
        return self._revising.go_on(conversation, self._rules(deep=False, graph=False), scope)

    def possible_changes(self, conversation: ConversationId) -> Possible:
        """What of the above, and of `undo`, can be done now. Raises NotFound."""
        return self._revising.possible(conversation)

    def undo(self, conversation: ConversationId) -> None:
        """Bring back what the last `regenerate` or `edit` took away; see `Revising.undo`."""
        self._revising.undo(conversation)

    def language_model(self) -> GeneratorInfo:
        """Load the language model in use and describe it. *May block.*

        Raises:
            ModelMissing, ModelDamaged, NotEnoughMemory: with the next step in the message.
        """
        return self._engines.generator.info()

    def complete(self, turns: Sequence[Turn], limits: GenerationLimits) -> str:
        """What the language model writes after the turns. *May block*; raises as it says above."""
        return "".join(self._engines.generator.stream(turns, limits, self._is_closed.is_set))

    def exported(self, values: Mapping[str, object]) -> dict[str, object]:
        """A result for another program: personal data is masked there, too, if that is chosen."""
        return self._safeguards.exported(values)

    # ------------------------------------------------------------------ conversations

    def conversations(self) -> list[Conversation]:
        """Newest first."""
        return self._conversations.all()

    def messages(self, conversation: ConversationId) -> list[Message]:
        """Oldest first."""
        return self._conversations.messages(conversation)

    def rename_conversation(self, conversation: ConversationId, title: str) -> None:
        """Give a chat another title."""
        self._conversations.rename(conversation, title)

    def delete_conversation(self, conversation: ConversationId) -> None:
        """Forget a chat, and the answers that were kept from it."""
        self._cache.forget(conversation)
        self._conversations.delete(conversation)

    # ------------------------------------------------------------------ viewer

    def document(self, document: DocumentId) -> DocumentView:
        """Text and structure from the catalog. Raises NotFound when it was removed."""
        return self.viewing.document(document)

    def cited_document(self, citation: Citation) -> tuple[DocumentView, Citation | None]:
        """The document of a citation, however old, and where its quote stands today, if it does.

        Raises:
            NotFound: the document was removed; the citation has the quote itself.
        """
        return self.viewing.cited(citation)

    def open_passage(self, chunk: ChunkId, around: int) -> OpenedText:
        """A passage with what stands around it. Raises NotFound when it is there no more."""
        return self._opening.passage(chunk, around)

    def open_at(self, path: str, offset: int, around: int) -> OpenedText:
        """The passage at an offset of a file's text. Raises NotFound for what is no such file."""
        return self._opening.at(path, offset, around)

    def render_page(self, document: DocumentId, page: int, scale: float) -> PageImage:
        """Picture of a physical page. *May block.*"""
        return self._engines.reader.render_page(
            Path(self._catalog.file(document).path), page, scale
        )


def restore_backup(data_dir: Path, backup: Path) -> Restored:
    """Put the library back from a backup; a copy of what is there is kept. *May block.*

    For when it cannot be opened: nobody may have it open.

    Raises:
        LibraryLocked, UserError, and as `storage.archives.restore`.
    """
    folder = paths.DataDir(data_dir)
    with locked(folder):
        return restore(folder, backup, is_forced=True)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """A second Ctrl+C must not tear down what threads still use; closing is quick."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
