"""A role for one question: what is this model? Whatever it does, it ends with its process."""

from __future__ import annotations

from pathlib import Path

import msgspec

from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class ProbeOptions(msgspec.Struct, frozen=True):
    """`threads`: of one pass."""

    threads: int = 1


def open_host(options: ProbeOptions) -> Host:
    """Load nothing yet."""
    from desktop_rag.engines.model_probe import probe

    def probed(folder: Path, hints: ModelHints) -> ModelFacts:
        return probe(folder, hints, options.threads)

    return Host({methods.PROBE: probed}, close=lambda: None)
