"""The `llm` role: one language model."""

from __future__ import annotations

from pathlib import Path

import msgspec

from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class LlmOptions(msgspec.Struct, frozen=True):
    """Which model to load."""

    model_file: str
    model_id: str
    threads: int


def open_host(options: LlmOptions) -> Host:
    """Make the generator; it loads its weights when it is first asked for anything."""
    from desktop_rag.engines.generator_llamacpp import open_generator

    generator = open_generator(Path(options.model_file), options.model_id, options.threads)
    return Host(
        {
            methods.INFO: generator.info,
            methods.COUNT_TOKENS: generator.count_tokens,
            methods.STREAM: generator.stream,
        },
        close=generator.close,
    )
