"""The ports of `domain.ports`, reached through worker processes. This is what the program uses.

Nothing is spawned before the first call or `WorkerPool.warm_up`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from desktop_rag.domain.errors import (
    DesktopRagError,
    ModelDamaged,
    ReaderCrashed,
    TooLarge,
    UserError,
    WorkerCrashed,
    WorkerTimedOut,
)
from desktop_rag.paths import models_dir
from desktop_rag.workers import methods, roles
from desktop_rag.workers.hosts.parse import ParseOptions
from desktop_rag.workers.roles import (
    READ_TIMEOUT_S,
    RECOGNISE_TIMEOUT_S,
    RENDER_TIMEOUT_S,
    SEARCH_TIMEOUT_S,
    STORE_TIMEOUT_S,
    TOKEN_TIMEOUT_S,
    LlmChoice,
)
from desktop_rag.workers.supervisor import OnState, Supervisor
from desktop_rag.workers.warming import Warmer, in_parallel

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rag.domain.answers import Ranking, Turn
    from desktop_rag.domain.documents import ChunkId, PageImage, ReadDocument, RecognisedPage
    from desktop_rag.domain.health import WorkerFacts
    from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
    from desktop_rag.domain.ports import (
        EmbedderInfo,
        Embedding,
        GenerationLimits,
        GeneratorInfo,
        HeldCount,
        IndexBatch,
        IndexState,
        Reranking,
        RerankItem,
        TextFacts,
    )
    from desktop_rag.domain.spans import Span
    from desktop_rag.domain.tuning import Tuning
    from desktop_rag.paths import DataDir
    from desktop_rag.workers.spec import WorkerSpec

__all__ = [
    "LlmChoice",
    "RemoteGenerator",
    "RemoteIndex",
    "RemoteReader",
    "WorkerPool",
    "start_engines",
]


_ANY_QUESTION = "?"


class RemoteReader:
    """`DocumentReader` in the `parse` worker, with workers of their own for two methods.

    A page takes seconds to recognise and much memory; a file that was just saved must not wait for
    it. A page that a person wants to see must wait for neither.

    A crash raises WorkerCrashed, a time-out WorkerTimedOut; both are about the file being read,
    and the caller may try once more and then give the file up. RoleUnavailable is not about a file.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        recognising: Supervisor,
        viewing: Supervisor,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        self._supervisor = supervisor
        self._recognising = recognising
        self._viewing = viewing
        self._read_timeout_s = read_timeout_s

    def read(self, path: Path, recognised: Sequence[RecognisedPage] = ()) -> ReadDocument:
        """See `DocumentReader`."""
        with _about(f"“{path.name}”"):
            return self._supervisor.call(
                methods.READ, path, list(recognised), timeout_s=self._read_timeout_s
            )

    def recognise(self, path: Path, page: int) -> RecognisedPage:
        """See `DocumentReader`."""
        with _about(f"Page {page} of “{path.name}”"):
            return self._recognising.call(
                methods.RECOGNISE, path, page, timeout_s=RECOGNISE_TIMEOUT_S
            )

    def recogniser(self) -> str:
        """See `DocumentReader`."""
        return self._supervisor.call(methods.RECOGNISER)

    def digest(self, path: Path) -> str:
        """See `DocumentReader`."""
        return self._supervisor.call(methods.DIGEST, path, timeout_s=self._read_timeout_s)

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """See `DocumentReader`."""
        return self._viewing.call(
            methods.RENDER_PAGE, path, page, scale, timeout_s=RENDER_TIMEOUT_S
        )

    def prepare_pages(self) -> None:
        """Have the process for pages ready, if it does not run: the first page is there at once."""
        self._viewing.start()

    def versions(self) -> dict[str, str]:
        """See `DocumentReader`."""
        return self._supervisor.call(methods.VERSIONS)


@contextmanager
def _about(what: str) -> Iterator[None]:
    """Name the file in errors of the reader that trying again would only repeat."""
    try:
        yield
    except TooLarge as exc:
        if "memory" not in exc.details:
            raise
        raise TooLarge(
            f"{what} cannot be read: that needs more than {roles.PARSE_CALL_MB / 1000:.1f} GB of "
            "memory. Split it into smaller files.",
            **exc.details,
        ) from exc
    except DesktopRagError as exc:
        if type(exc) is not DesktopRagError:
            raise
        raise ReaderCrashed(
            f"{what} could not be read: the reader failed on it "
            f"({exc.details.get('error', 'unknown error')}). Save it in another format.",
            **exc.details,
        ) from exc


class RemoteIndex:
    """`SearchIndex` in the `index` worker. A search overtakes queued embeddings."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def embedder(self) -> EmbedderInfo:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.EMBEDDER, timeout_s=SEARCH_TIMEOUT_S)

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.EMBED, list(texts), timeout_s=STORE_TIMEOUT_S)

    def look_at(self, texts: Sequence[str]) -> list[TextFacts]:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.LOOK_AT, list(texts), timeout_s=STORE_TIMEOUT_S)

    def state(self) -> IndexState:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.STATE, timeout_s=SEARCH_TIMEOUT_S)

    def count_among(self, chunks: Sequence[ChunkId]) -> HeldCount:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.COUNT_AMONG, list(chunks), timeout_s=STORE_TIMEOUT_S)

    def apply(self, batch: IndexBatch) -> IndexState:
        """See `SearchIndex`."""
        return self._supervisor.call(methods.APPLY, batch, timeout_s=STORE_TIMEOUT_S)

    def settle(self) -> None:
        """See `SearchIndex`."""
        self._supervisor.call(methods.SETTLE, timeout_s=STORE_TIMEOUT_S)

    def clear(self) -> None:
        """See `SearchIndex`."""
        self._supervisor.call(methods.CLEAR, timeout_s=STORE_TIMEOUT_S)

    def search(self, question: str, limit: int, among: Sequence[ChunkId] | None = None) -> Ranking:
        """See `SearchIndex`."""
        chunks = None if among is None else list(among)
        return self._supervisor.call(
            methods.SEARCH, question, limit, chunks, timeout_s=SEARCH_TIMEOUT_S
        )

    def select(
        self,
        holding: Sequence[str],
        without: Sequence[str],
        among: Sequence[ChunkId] | None = None,
    ) -> list[ChunkId]:
        """See `SearchIndex`."""
        chunks = None if among is None else list(among)
        return self._supervisor.call(
            methods.SELECT, list(holding), list(without), chunks, timeout_s=SEARCH_TIMEOUT_S
        )

    def rerank(self, question: str, items: Sequence[RerankItem]) -> Reranking:
        """See `SearchIndex`."""
        return self._supervisor.call(
            methods.RERANK, question, list(items), timeout_s=SEARCH_TIMEOUT_S
        )

    def spans(self, question: str, texts: Sequence[str]) -> list[Span]:
        """See `SearchIndex`."""
        return self._supervisor.call(
            methods.SPANS, question, list(texts), timeout_s=SEARCH_TIMEOUT_S
        )

    def prepare(self) -> None:
        """Have the process and the stores ready, and begin to load what can wait."""
        self.embedder()
        self.spans(_ANY_QUESTION, [])

    def read_again(self, question: str, texts: Sequence[str]) -> tuple[float, ...]:
        """See `SearchIndex`."""
        return self._supervisor.call(
            methods.READ_AGAIN, question, list(texts), timeout_s=SEARCH_TIMEOUT_S
        )


class RemoteGenerator:
    """`Generator` in the `llm` worker.

    `resolve` is asked before every call, so a model that was installed or chosen meanwhile is used
    without a restart; what it raises (ModelMissing …) passes through. It must be quick.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        spec_for: Callable[[LlmChoice], WorkerSpec],
        resolve: Callable[[], LlmChoice],
    ) -> None:
        self._supervisor = supervisor
        self._spec_for = spec_for
        self._resolve = resolve
        # Held while the model is switched; callers that need the new one wait on it.
        self._switching = threading.Lock()
        self._current: tuple[str, Path] | None = None

    def info(self) -> GeneratorInfo:
        """See `Generator`."""
        self._switch()
        return self._supervisor.call(methods.INFO, timeout_s=TOKEN_TIMEOUT_S)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """See `Generator`."""
        self._switch()
        return self._supervisor.call(methods.COUNT_TOKENS, list(texts), timeout_s=TOKEN_TIMEOUT_S)

    def stream(
        self, turns: Sequence[Turn], limits: GenerationLimits, is_cancelled: Callable[[], bool]
    ) -> Iterator[str]:
        """See `Generator`."""
        self._switch()
        return self._supervisor.stream(
            methods.STREAM,
            list(turns),
            limits,
            is_cancelled=is_cancelled,
            timeout_s=TOKEN_TIMEOUT_S,
        )

    def weigh(
        self, turns: Sequence[Turn], openings: Sequence[str], is_cancelled: Callable[[], bool]
    ) -> Iterator[tuple[float, ...]]:
        """See `Generator`."""
        self._switch()
        return self._supervisor.stream(
            methods.WEIGH,
            list(turns),
            list(openings),
            is_cancelled=is_cancelled,
            timeout_s=TOKEN_TIMEOUT_S,
        )

    def tune(self, is_cancelled: Callable[[], bool]) -> Iterator[Tuning]:
        """See `Generator`."""
        self._switch()
        return self._supervisor.stream(
            methods.TUNE, is_cancelled=is_cancelled, timeout_s=TOKEN_TIMEOUT_S
        )

    def _switch(self) -> None:
        choice = self._resolve()
        with self._switching:
            wanted = (choice.model_id, choice.model_file)
            if wanted != self._current:
                self._supervisor.reconfigure(self._spec_for(choice))
                self._current = wanted


def probe_model(folder: Path, hints: ModelHints) -> ModelFacts:
    """Run a model in a process of its own to see what it is (`engines.model_probe`).

    Raises:
        ModelDamaged: it cannot be used, or it ended the process.
    """
    supervisor = Supervisor(roles.probe_spec(folder.parent / "probe.log", roles.default_threads()))
    try:
        return supervisor.call(methods.PROBE, folder, hints)
    except (WorkerCrashed, WorkerTimedOut) as exc:
        raise ModelDamaged(
            f"{hints.name} ended the process that tried it, or never came to an end: it is no "
            "model that this program can use."
        ) from exc
    finally:
        supervisor.close()


def measure_model(
    data_dir: DataDir,
    choice: LlmChoice,
    *,
    gpu: bool,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Tuning | None:
    """Load a language model in a process of its own and compare ways to run it; remembers the best.

    Args:
        data_dir: where the process writes its log.
        choice: the model.
        gpu: it may use a graphics card.
        is_cancelled: ends the comparison without a result.

    Returns:
        what is best on this computer; `None` when others kept the processor busy.

    Raises:
        UserError: a graphics card does the work; there is nothing to compare.
        ModelMissing, ModelDamaged, NotEnoughMemory, WorkerCrashed: see `Generator`.
    """
    supervisor = Supervisor(roles.llm_spec(data_dir, choice, roles.default_threads(), gpu=gpu))
    try:
        if supervisor.call(methods.INFO).is_on_gpu:
            raise UserError(
                f"{choice.model_id} runs on the graphics card: there is nothing to measure."
            )
        found = supervisor.stream(
            methods.TUNE, is_cancelled=is_cancelled, timeout_s=TOKEN_TIMEOUT_S
        )
        return next(iter(found), None)
    finally:
        supervisor.close()


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """The three roles. `close` ends their processes; `warm_up` starts two of them early."""

    reader: RemoteReader
    index: RemoteIndex
    generator: RemoteGenerator
    close: Callable[[], None]
    warm_up: Callable[[], None]
    """Returns at once. A model that cannot be loaded is told to `on_state`, never raised."""
    restart: Callable[[str], None] = lambda _role: None
    """Ends the process of a role and forgets its crashes; the next call starts it. May block."""
    facts: Callable[[], list[WorkerFacts]] = list
    """How each role does now."""


def start_engines(
    data_dir: DataDir,
    embedder_dir: Path,
    resolve_llm: Callable[[], LlmChoice],
    on_state: OnState | None = None,
    *,
    threads: int | None = None,
    indexing_share: float = 1.0,
    is_modest: bool = True,
    ocr_language: str = "auto",
    chunking: str = "structure",
    reranker_dir: Path | None = None,
    extractor_dir: Path | None = None,
    gpu: bool = True,
) -> WorkerPool:
    """Proxies for the three roles over one data folder; the caller holds the folder's lock.

    Args:
        data_dir: its `index` folder belongs to the index role, its `logs` folder gets three logs.
        embedder_dir: holds `model.onnx`, `tokenizer.json`, `embedder.json`.
        resolve_llm: names the language model, or raises ModelMissing.
        on_state: told when a role starts, is ready, stops or becomes unavailable.
        threads: for one engine; by default one for each physical core.
        indexing_share: how much of `threads` reading and embedding take.
        is_modest: reading lets every other program come first.
        ocr_language: for text recognition, e.g. `auto`; see `engines.ocr_models`.
        reranker_dir: of the cross-encoder that re-ranks, when the person chose one.
        extractor_dir: of the model that marks the words that answer, when there is one.
        chunking: how documents are cut, see `domain.chunking.Chunking`.
        gpu: the language model may use a graphics card.
    """
    threads = threads or roles.default_threads()
    for_indexing = max(1, int(threads * indexing_share))
    options = ParseOptions(
        str(embedder_dir), ocr_language, str(models_dir()), for_indexing, chunking
    )
    parse = Supervisor(roles.parse_spec(data_dir, options, is_modest=is_modest), on_state)
    ocr = Supervisor(roles.ocr_spec(data_dir, options, is_modest=is_modest), on_state)
    view = Supervisor(roles.view_spec(data_dir), on_state)
    index = Supervisor(
        roles.index_spec(data_dir, embedder_dir, for_indexing, reranker_dir, extractor_dir),
        on_state,
    )

    def llm_spec(choice: LlmChoice) -> WorkerSpec:
        return roles.llm_spec(data_dir, choice, threads, gpu=gpu)

    # No child is started from this placeholder: every call resolves a model first.
    llm = Supervisor(roles.llm_spec(data_dir, None, threads), on_state)
    reader, searcher = RemoteReader(parse, ocr, view), RemoteIndex(index)
    generator = RemoteGenerator(llm, llm_spec, resolve_llm)
    warmer = Warmer({"index": searcher.prepare, "llm": generator.info}, on_state)
    supervisors = {"parse": parse, "ocr": ocr, "view": view, "index": index, "llm": llm}

    def restart(role: str) -> None:
        supervisors[role].restart()

    close = partial(_close, tuple(supervisors.values()), warmer)
    facts = partial(_facts, tuple(supervisors.values()))
    return WorkerPool(reader, searcher, generator, close, warmer.start, restart, facts)


def _close(supervisors: Sequence[Supervisor], warmer: Warmer) -> None:
    in_parallel([one.close for one in supervisors])
    warmer.join()


def _facts(supervisors: Sequence[Supervisor]) -> list[WorkerFacts]:
    return [one.facts() for one in supervisors]
