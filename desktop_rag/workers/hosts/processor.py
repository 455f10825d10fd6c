"""A role for one question: which build of llama.cpp runs on this processor? It may die of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from desktop_rag.domain.variants import Trial
from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class ProcessorOptions(msgspec.Struct, frozen=True):
    """`folder`: with llama.cpp's libraries."""

    folder: str


def open_host(options: ProcessorOptions) -> Host:
    """Load nothing yet."""
    from desktop_rag.engines.llamacpp_trial import try_variants

    def tried(excluded: list[str], is_cancelled: Callable[[], bool]) -> Iterator[Trial]:
        for trial in try_variants(Path(options.folder), excluded):
            yield trial
            if is_cancelled():
                return

    return Host({methods.TRY_VARIANTS: tried}, close=lambda: None)
