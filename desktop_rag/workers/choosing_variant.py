"""Which build of llama.cpp the `llm` role loads: found out once by a process that may die of it.

What was found is remembered for this processor, this version of the program and these files. A
library that was compiled on this computer has no builds to choose from; that is seen at once.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from desktop_rag import __version__, processor
from desktop_rag.domain.errors import ProcessorTooOld, WorkerCrashed, WorkerTimedOut
from desktop_rag.domain.variants import Trial, TrialState
from desktop_rag.paths import models_dir
from desktop_rag.storage.llamacpp_variants import library_folder, variants_in
from desktop_rag.storage.small_memory import SmallMemory
from desktop_rag.workers import methods
from desktop_rag.workers.hosts.processor import ProcessorOptions
from desktop_rag.workers.spec import ChildSpec, CrashPolicy, WorkerSpec
from desktop_rag.workers.supervisor import Supervisor

logger = logging.getLogger(__name__)

_FILE_NAME = "processor.json"
_MOST = 8
"""Processors and versions of the program."""
_TIMEOUT_S = 30.0
"""For one build; it takes hundredths of a second."""

Try = Callable[[Path, Collection[str], Path], Iterator[Trial]]
"""Folder, builds to leave out, log file. Raises WorkerCrashed or WorkerTimedOut."""

# Held while builds are tried, so that two who need the model do not both try them.
_choosing = threading.Lock()
_unfit: set[str] = set()
"""Keys for which nothing fits. Kept for this run only: memory may have been short."""


def variant_file(log_file: Path, folder: Path | None = None, try_: Try | None = None) -> str:
    """The build to load; empty when the library has none to choose from. *May block* a second.

    Args:
        log_file: what dying builds say.
        folder: with llama.cpp's libraries; by default those of this program.
        try_: tries them; by default in a process of its own.

    Raises:
        ProcessorTooOld: no build runs on this processor.
        RoleUnavailable: no process can be started to try them.
    """
    folder = folder or library_folder()
    files = variants_in(folder)
    if not files or folder is None:
        return ""
    memory, key = SmallMemory(models_dir() / _FILE_NAME, _MOST), _key(files)
    with _choosing:
        known = str(memory.get(key))
        if known in files:
            return str(files[known])
        found = "" if key in _unfit else _found(folder, files, log_file, try_ or _in_a_process)
        if not found:
            _unfit.add(key)
            raise _nothing_fits(len(files))
        memory.put(key, found)
    return str(files[found])


def _key(files: dict[str, Path]) -> str:
    sizes = [f"{name} {file.stat().st_size}" for name, file in files.items()]
    told = "\n".join([processor.fingerprint(), __version__, *sizes])
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _found(folder: Path, files: dict[str, Path], log_file: Path, try_: Try) -> str:
    """Name of the best build that works; each round without one leaves out what ended it."""
    excluded: set[str] = set()
    while len(excluded) < len(files):
        last: Trial | None = None
        try:
            for last in try_(folder, sorted(excluded), log_file):
                if last.state is TrialState.FAILED:
                    logger.info("llama.cpp for %s failed: %s", last.variant, last.detail)
        except (WorkerCrashed, WorkerTimedOut) as error:
            if last is None:
                break  # not a build, but the library itself
            logger.info("llama.cpp for %s ended its process: %s", last.variant, error.message)
            excluded.add(last.variant)
            continue
        return last.variant if last is not None and last.state is TrialState.GOOD else ""
    return ""


def _in_a_process(folder: Path, excluded: Collection[str], log_file: Path) -> Iterator[Trial]:
    supervisor = Supervisor(_spec(folder, log_file))
    try:
        yield from supervisor.stream(methods.TRY_VARIANTS, list(excluded))
    finally:
        supervisor.close()


def _spec(folder: Path, log_file: Path) -> WorkerSpec:
    child = ChildSpec.of(
        "processor",
        "desktop_rag.workers.hosts.processor:open_host",
        ProcessorOptions(str(folder)),
        log_file=log_file,
    )
    # It is there to crash.
    policy = CrashPolicy(call_weight=0.0)
    return WorkerSpec(child, call_timeout_s=_TIMEOUT_S, close_grace_s=0.5, policy=policy)


def _nothing_fits(count: int) -> ProcessorTooOld:
    return ProcessorTooOld(
        "This computer's processor cannot run a language model: none of the "
        f"{count} builds of its engine works here. "
        "Search and quotations work without it."
    )
