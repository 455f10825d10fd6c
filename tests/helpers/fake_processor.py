"""A processor on which some builds of llama.cpp end the process that tries them, for real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from desktop_rag.domain.variants import Trial, TrialState
from desktop_rag.workers import choosing_variant, methods
from desktop_rag.workers.methods import Host
from desktop_rag.workers.spec import WorkerSpec
from tests.helpers.fakes import crash_for_real

real_spec = choosing_variant._spec


class ProcessorOptions(msgspec.Struct, frozen=True):
    """Names of builds, best first: those that are deadly, then the one that works."""

    deadly: list[str]
    good: str


def open_processor(options: ProcessorOptions) -> Host:
    def tried(excluded: list[str], is_cancelled: Callable[[], bool]) -> Iterator[Trial]:
        del is_cancelled
        for name in options.deadly:
            if name not in excluded:
                yield Trial(name, TrialState.RUNNING)
                crash_for_real()
        yield Trial(options.good, TrialState.GOOD)

    return Host({methods.TRY_VARIANTS: tried}, close=lambda: None)


def deadly_spec(folder: Path, log_file: Path) -> WorkerSpec:
    """The spec of the real role with this host."""
    spec = real_spec(folder, log_file)
    child = replace(spec.child, host="tests.helpers.fake_processor:open_processor")
    return replace(spec, child=child.with_options(ProcessorOptions(["zen4", "haswell"], "sse42")))
