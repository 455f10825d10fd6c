"""The `parse` role: readers and the chunker."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import msgspec

from desktop_rag.domain.errors import ModelDamaged, ModelMissing
from desktop_rag.workers import methods
from desktop_rag.workers.methods import Host


class ParseOptions(msgspec.Struct, frozen=True):
    """The embedder decides how long a chunk may be and how its tokens are counted."""

    embedder_dir: str
    ocr_language: str = "auto"
    """`auto`, `off`, or the name of a folder with a model; see `engines.ocr_models`."""
    models_dir: str = ""
    threads: int = 1
    chunking: str = "structure"
    """A `domain.chunking.Chunking`."""


def open_host(options: ParseOptions) -> Host:
    """Build the readers."""
    # A document is hundreds of thousands of small objects that live until it is sent; looking
    # through them for cycles again and again cost a twentieth of reading.
    gc.set_threshold(50_000, 20, 20)
    from desktop_rag.domain.chunking import Chunking
    from desktop_rag.engines.page_recogniser import OcrChoice
    from desktop_rag.engines.registry import build_reader

    embedder_dir = Path(options.embedder_dir)
    models_dir = Path(options.models_dir) if options.models_dir else None
    ocr = OcrChoice(options.ocr_language, models_dir, options.threads)
    reader = build_reader(
        embedder_dir / "tokenizer.json",
        _max_tokens(embedder_dir),
        ocr,
        Chunking(options.chunking),
    )
    return Host(
        {
            methods.READ: reader.read,
            methods.RECOGNISE: reader.recognise,
            methods.RECOGNISER: reader.recogniser,
            methods.DIGEST: reader.digest,
            methods.VERSIONS: reader.versions,
        },
        close=lambda: None,
    )


def _max_tokens(embedder_dir: Path) -> int:
    try:
        facts = json.loads((embedder_dir / "embedder.json").read_text("utf-8"))
        return int(facts["max_tokens"])
    except FileNotFoundError as exc:
        raise ModelMissing(
            f"The search model is missing from {embedder_dir}; install the program again."
        ) from exc
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise ModelDamaged(
            f"The search model in {embedder_dir} is damaged; install the program again."
        ) from exc
