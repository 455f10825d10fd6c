"""Loads a GGUF model with llama.cpp, on the graphics card where that works, and says why not."""

from __future__ import annotations

import ctypes
import functools
import logging
import os
from dataclasses import dataclass
from pathlib import Path

import jinja2
import llama_cpp
import psutil
from llama_cpp import Llama

from desktop_rag.domain.errors import ModelDamaged, ModelMissing, NotEnoughMemory
from desktop_rag.domain.tuning import Tuning
from desktop_rag.engines.llamacpp_native import Library, load_variant
from desktop_rag.storage.attempts import Attempts
from desktop_rag.storage.llamacpp_variants import variants_in

logger = logging.getLogger(__name__)

_MAX_CONTEXT = 8192
"""Answers use about a thousand tokens; a longer cache would only cost memory."""
_SMALL_CONTEXT = 4096
"""When memory is short."""
_OVERHEAD_BYTES = 400 * 2**20
"""Key/value cache, compute buffers and the library itself, for models of this size."""
_ALL_LAYERS = -1
_REFUSALS = (ValueError, RuntimeError, AssertionError, OSError, jinja2.TemplateError)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model and where it runs."""

    model: Llama
    is_on_gpu: bool
    is_roomy: bool
    """Memory is left for copies of what was read."""


def load(
    model_file: Path,
    model_id: str,
    tuning: Tuning,
    gpu: Attempts | None = None,
    variant: Path | None = None,
) -> Loaded:
    """Load a model; weights are mapped, not copied.

    All layers go to the graphics card when this build of llama.cpp has one to offer; a card that
    refuses (too little memory, a driver that is too old) costs a second and nothing else.

    Args:
        model_file: a GGUF file.
        model_id: its name in sentences.
        tuning: threads and batch.
        gpu: remembers cards that end the process instead of refusing; `None` uses none.
        variant: the build of llama.cpp to calculate with, where there are several; `None` lets
            llama.cpp choose.

    Raises:
        ModelMissing: there is no such file.
        NotEnoughMemory: it would not fit into the memory that is free now.
        ModelDamaged: it is not a whole GGUF file, or llama.cpp refuses it.
    """
    if not model_file.is_file():
        raise ModelMissing(
            f"The language model file {model_file} is not there; "
            f"install it again with `desktop-rag models install {model_id}`.",
            model=model_id,
        )
    _check_format(model_file, model_id)
    _use_variant(variant)
    free = _check_memory(model_file, model_id)
    is_roomy = free > model_file.stat().st_size + 4 * _OVERHEAD_BYTES
    context = _MAX_CONTEXT if is_roomy else _SMALL_CONTEXT
    if gpu is not None and llama_cpp.llama_supports_gpu_offload() and gpu.may_begin():
        gpu.begin()
        try:
            model = _open(model_file, tuning, context, _ALL_LAYERS)
            return Loaded(model, is_on_gpu=True, is_roomy=is_roomy)
        except _REFUSALS as error:
            logger.info("the graphics card refused the model: %s", error)
        finally:
            gpu.end()
    try:
        model = _open(model_file, tuning, context, gpu_layers=0)
    except _REFUSALS as exc:
        raise _damaged(model_file, model_id) from exc
    return Loaded(model, is_on_gpu=False, is_roomy=is_roomy)


def _open(model_file: Path, tuning: Tuning, context: int, gpu_layers: int) -> Llama:
    return Llama(
        str(model_file),
        n_ctx=context,
        n_batch=tuning.batch,
        n_ubatch=tuning.batch,
        n_threads=tuning.writing_threads,
        n_threads_batch=tuning.reading_threads,
        n_gpu_layers=gpu_layers,
        flash_attn=True,
        use_mmap=True,
        verbose=False,
    )


@functools.cache
def _use_variant(variant: Path | None) -> None:
    """Load a build of llama.cpp where it comes in several; once, before anything else of it.

    One that has been damaged since it was tried leaves the choice to llama.cpp.
    """
    folder = Path(llama_cpp.__file__).parent / "lib"
    if not variants_in(folder):
        return
    library = Library(folder)
    if variant is not None:
        try:
            load_variant(library, variant)
        except OSError as error:
            logger.info("%s", error)
        else:
            logger.info("llama.cpp runs as it was built for %s", variant.name)
            return
    library.call("ggml_backend_load_all_from_path", None, ctypes.c_char_p(os.fsencode(folder)))


def _check_format(model_file: Path, model_id: str) -> None:
    with model_file.open("rb") as stream:
        if stream.read(4) != b"GGUF":
            raise _damaged(model_file, model_id)


def _check_memory(model_file: Path, model_id: str) -> int:
    """Bytes that are free now, when the model fits."""
    needed = model_file.stat().st_size + _OVERHEAD_BYTES
    free = int(psutil.virtual_memory().available)
    if free < needed:
        raise NotEnoughMemory(
            f"The language model {model_id} needs about {needed / 2**30:.1f} GB of memory and only "
            f"{free / 2**30:.1f} GB is free; close other programs or install the small model with "
            "`desktop-rag models install`.",
            model=model_id,
        )
    return free


def _damaged(model_file: Path, model_id: str) -> ModelDamaged:
    return ModelDamaged(
        f"The language model file {model_file} is damaged or not a GGUF model; remove it with "
        f"`desktop-rag models remove {model_id}` and install it again.",
        model=model_id,
    )
