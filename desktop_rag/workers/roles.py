"""How the roles are started and bounded: hosts, options, logs, time-outs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import msgspec
import psutil

from desktop_rag.paths import models_dir
from desktop_rag.storage.model_speeds import FILE_NAME
from desktop_rag.workers.choosing_variant import variant_file
from desktop_rag.workers.hosts.index import IndexOptions
from desktop_rag.workers.hosts.llm import LlmOptions
from desktop_rag.workers.hosts.parse import ParseOptions
from desktop_rag.workers.hosts.probe import ProbeOptions
from desktop_rag.workers.hosts.view import ViewOptions
from desktop_rag.workers.spec import ChildSpec, CrashPolicy, WorkerSpec

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_rag.paths import DataDir

READ_TIMEOUT_S = 60.0
RECOGNISE_TIMEOUT_S = 120.0
"""For a page. It takes seconds, but this role gives way to every other program on the computer."""
RENDER_TIMEOUT_S = 20.0
SEARCH_TIMEOUT_S = 60.0
STORE_TIMEOUT_S = 600.0
"""Merging a large keyword index or embedding a large batch on a slow machine takes minutes."""
TOKEN_TIMEOUT_S = 600.0
"""For the first token of a long prompt on a slow machine; Stop works at any time."""
PARSE_CALL_MB = 1500
"""A file that takes more memory to read is given up."""
PARSE_IDLE_MB = 1000
"""With the models for text recognition loaded the reader holds about half of this."""
_PROBE_TIMEOUT_S = 300.0
_PARSE_ALLOCATED_MB = 3000
_OCR_IDLE_S = 30.0
_VIEW_IDLE_MB = 400
_VIEW_IDLE_S = 90.0
"""Whoever turns pages does it more often; whoever reads one may wait half a second for the next."""
_PARSE_CALLS = 2_000
"""Two a file (digest and read). Starting anew costs as much as reading ten small files."""
_MAX_THREADS = 8


class LlmChoice(Protocol):
    """The language model to use now."""

    @property
    def model_id(self) -> str:
        """As the catalog of models names it."""
        ...

    @property
    def model_file(self) -> Path:
        """The GGUF file."""
        ...


def default_threads() -> int:
    """One engine thread for each physical core; hyper-threads slow matrix products down."""
    return max(1, min(psutil.cpu_count(logical=False) or 1, _MAX_THREADS))


def parse_spec(data_dir: DataDir, options: ParseOptions, *, is_modest: bool = True) -> WorkerSpec:
    """Short-lived and expendable: replaced after a thousand files or when it has grown large.

    It does the work nobody waits for, so it is modest unless the person wants all speed.
    """
    return _reading_spec("parse", data_dir, options, is_modest=is_modest)


def ocr_spec(data_dir: DataDir, options: ParseOptions, *, is_modest: bool = True) -> WorkerSpec:
    """The same readers and bounds, for recognising pages; it ends when no scan is left."""
    spec = _reading_spec("ocr", data_dir, options, is_modest=is_modest)
    return replace(spec, call_timeout_s=RECOGNISE_TIMEOUT_S, max_idle_s=_OCR_IDLE_S)


def view_spec(data_dir: DataDir) -> WorkerSpec:
    """For pages that a person waits for, whatever file is being read; it ends when none is wanted.

    A PDF worth minutes holds up the reader, so pages have a process that has nothing else to do.
    """
    child = ChildSpec.of(
        "view",
        "desktop_rag.workers.hosts.view:open_host",
        ViewOptions(),
        log_file=data_dir.logs / "worker-view.log",
        memory_mb=_PARSE_ALLOCATED_MB,
    )
    return WorkerSpec(
        child,
        call_timeout_s=RENDER_TIMEOUT_S,
        close_grace_s=0.5,
        max_rss_mb=_VIEW_IDLE_MB,
        max_call_rss_mb=PARSE_CALL_MB,
        max_idle_s=_VIEW_IDLE_S,
        policy=CrashPolicy(call_weight=0.05),
    )


def _reading_spec(
    role: str, data_dir: DataDir, options: ParseOptions, *, is_modest: bool
) -> WorkerSpec:
    child = ChildSpec.of(
        role,
        "desktop_rag.workers.hosts.parse:open_host",
        options,
        log_file=data_dir.logs / f"worker-{role}.log",
        threads=options.threads,
        is_modest=is_modest,
        memory_mb=_PARSE_ALLOCATED_MB,
    )
    # Hostile files are this role's daily bread: a crash on one says little about the role.
    policy = CrashPolicy(call_weight=0.05)
    return WorkerSpec(
        child,
        call_timeout_s=READ_TIMEOUT_S,
        close_grace_s=0.5,
        max_calls=_PARSE_CALLS,
        max_rss_mb=PARSE_IDLE_MB,
        max_call_rss_mb=PARSE_CALL_MB,
        policy=policy,
    )


def index_spec(
    data_dir: DataDir,
    embedder_dir: Path,
    threads: int,
    reranker_dir: Path | None = None,
    extractor_dir: Path | None = None,
) -> WorkerSpec:
    """Long-lived; opened empty once when opening what is there crashed."""
    options = IndexOptions(
        str(data_dir.index),
        str(embedder_dir),
        threads,
        reranker_dir=str(reranker_dir or ""),
        extractor_dir=str(extractor_dir or ""),
    )
    child = ChildSpec.of(
        "index",
        "desktop_rag.workers.hosts.index:open_host",
        options,
        log_file=data_dir.logs / "worker-index.log",
        threads=threads,
    )
    discarding = msgspec.structs.replace(options, discards_stores=True)
    return WorkerSpec(
        child,
        recovery=child.with_options(discarding),
        start_timeout_s=180.0,
        # A writer that is killed half-way may leave a store that looks healthy and is not.
        close_grace_s=10.0,
    )


def probe_spec(log_file: Path, threads: int) -> WorkerSpec:
    """For one look at a model that somebody made; it may crash or never end."""
    child = ChildSpec.of(
        "probe",
        "desktop_rag.workers.hosts.probe:open_host",
        ProbeOptions(threads),
        log_file=log_file,
        threads=threads,
    )
    return WorkerSpec(child, call_timeout_s=_PROBE_TIMEOUT_S, close_grace_s=0.5)


def llm_spec(
    data_dir: DataDir, choice: LlmChoice | None, threads: int, *, gpu: bool = True
) -> WorkerSpec:
    """Expendable; `None` makes a placeholder that is never started. *May block* once a computer.

    Raises:
        ProcessorTooOld, RoleUnavailable: see `choosing_variant.variant_file`.
    """
    log = data_dir.logs / "worker-processor.log"
    variant = variant_file(log) if choice is not None else ""
    model_file = str(choice.model_file) if choice is not None else ""
    model_id = choice.model_id if choice is not None else ""
    options = LlmOptions(model_file, model_id, threads, str(models_dir() / FILE_NAME), gpu, variant)
    child = ChildSpec.of(
        "llm",
        "desktop_rag.workers.hosts.llm:open_host",
        options,
        log_file=data_dir.logs / "worker-llm.log",
        threads=threads,
    )
    return WorkerSpec(
        child,
        start_timeout_s=300.0,
        call_timeout_s=TOKEN_TIMEOUT_S,
        close_grace_s=0.5,
    )
