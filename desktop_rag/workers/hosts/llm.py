"""The `llm` role: one language model."""

from __future__ import annotations

from pathlib import Path

import msgspec

from desktop_rag.storage.attempts import Attempts
from desktop_rag.storage.model_speeds import ModelSpeeds
from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class LlmOptions(msgspec.Struct, frozen=True):
    """Which model to load, and how."""

    model_file: str
    model_id: str
    threads: int
    speeds_file: str = ""
    """Where what is found out about the model's speed is kept (`storage.model_speeds`)."""
    gpu: bool = True
    variant: str = ""
    """The build of llama.cpp that was found to run here; empty: there is none to choose."""


def open_host(options: LlmOptions) -> Host:
    """Load the model with the threads and batch that were best before."""
    from desktop_rag.engines.generator_llamacpp import open_generator

    file, speeds_file = Path(options.model_file), Path(options.speeds_file)
    speeds = ModelSpeeds(speeds_file)
    generator = open_generator(
        file,
        options.model_id,
        options.threads,
        tuning=speeds.get(file),
        on_tuning=lambda tuning: speeds.put(file, tuning),
        gpu=Attempts(speeds_file.with_name("gpu.attempts")) if options.gpu else None,
        variant=Path(options.variant) if options.variant else None,
    )
    return Host(
        {
            methods.INFO: generator.info,
            methods.COUNT_TOKENS: generator.count_tokens,
            methods.STREAM: generator.stream,
            methods.WEIGH: generator.weigh,
            methods.TUNE: generator.tune,
        },
        close=generator.close,
    )
