"""Finds the best build of llama.cpp for this processor by trying. Lives in the `processor` role.

A build asks the processor what it can do, and may be wrong about it: systems and virtual machines
forbid instructions that the processor has. So a build is believed when it has calculated something
right. One that ends the process has been named before.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from desktop_rag.domain.errors import UserError
from desktop_rag.domain.variants import Trial, TrialState
from desktop_rag.engines.llamacpp_native import Library, load_variant
from desktop_rag.storage.llamacpp_variants import variants_in

logger = logging.getLogger(__name__)

_F32, _F16, _Q8_0, _Q4_K, _Q6_K = 0, 1, 8, 12, 14
_WIDTH, _ROWS, _COLUMNS = 256, 32, 4
"""The smallest width of the formats; so many rows that all ways to multiply are taken."""
_TOLERANCE = 0.02
"""Weights of four bits are as coarse as that."""
_CONTEXT_BYTES = 1 << 20


def try_variants(folder: Path, excluded: Collection[str]) -> Iterator[Trial]:
    """Try the builds in a folder, best first; ends after the first that is good.

    What may end the process is told before it is done.

    Args:
        folder: with llama.cpp's libraries.
        excluded: names of builds that ended a process.

    Raises:
        UserError: llama.cpp itself cannot be loaded.
    """
    library = _opened(folder)
    files = {name: one for name, one in variants_in(folder).items() if name not in excluded}
    scores: dict[str, int] = {}
    for name, file in files.items():
        yield Trial(name, TrialState.SCORING)
        scores[name] = _score(file)
    logger.info("llama.cpp's builds for this processor: %s", scores)
    for name in sorted(files, key=lambda name: -scores[name]):
        if scores[name] <= 0:
            return
        yield Trial(name, TrialState.RUNNING)
        problem = _problem(library, files[name])
        yield Trial(name, TrialState.FAILED if problem else TrialState.GOOD, problem)
        if not problem:
            return


def _opened(folder: Path) -> Library:
    try:
        return Library(folder)
    except OSError as exc:
        raise UserError(
            f"The engine of language models cannot be loaded ({exc}): install Desktop RAG again. "
            "Search and quotations work without it."
        ) from exc


def _score(file: Path) -> int:
    """What the build thinks of this processor; 0: it does not suit."""
    try:
        return int(ctypes.CDLL(str(file)).ggml_backend_score())
    except (OSError, AttributeError) as error:
        logger.info("%s cannot be asked: %s", file.name, error)
        return 0


def _problem(library: Library, file: Path) -> str:
    """What is wrong with a build; empty when it calculates."""
    try:
        device = library.call(
            "ggml_backend_reg_dev_get",
            ctypes.c_void_p,
            load_variant(library, file),
            ctypes.c_size_t(0),
        )
        for weights in (_F16, _Q8_0, _Q4_K, _Q6_K):
            _multiply(library, ctypes.c_void_p(device), weights)
    except (OSError, ArithmeticError) as error:
        return str(error)
    return ""


class _ContextParameters(ctypes.Structure):
    """`ggml_init_params`."""

    _fields_ = (
        ("size", ctypes.c_size_t),
        ("buffer", ctypes.c_void_p),
        ("no_alloc", ctypes.c_bool),
    )


def _multiply(library: Library, device: ctypes.c_void_p, weights: int) -> None:
    """Multiply two small matrices as a language model does.

    Raises:
        ArithmeticError: the product is wrong.
    """

    def made(name: str, *arguments: Any) -> ctypes.c_void_p:
        pointer = library.call(name, ctypes.c_void_p, *arguments)
        if not pointer:
            raise OSError(f"{name} failed")
        return ctypes.c_void_p(pointer)

    context = made("ggml_init", _ContextParameters(_CONTEXT_BYTES, None, True))  # noqa: FBT003
    left = made("ggml_new_tensor_2d", context, weights, *_sizes(_WIDTH, _ROWS))
    right = made("ggml_new_tensor_2d", context, _F32, *_sizes(_WIDTH, _COLUMNS))
    product = made("ggml_mul_mat", context, left, right)
    graph = made("ggml_new_graph", context)
    library.call("ggml_build_forward_expand", None, graph, product)
    backend = made("ggml_backend_dev_init", device, None)
    buffer = made("ggml_backend_alloc_ctx_tensors", context, backend)
    _fill(library, left, weights, [_left(n // _WIDTH) for n in range(_WIDTH * _ROWS)])
    _fill(library, right, _F32, [1.0 + n // _WIDTH for n in range(_WIDTH * _COLUMNS)])
    if library.call("ggml_backend_graph_compute", ctypes.c_int, backend, graph):
        raise ArithmeticError("it does not calculate")
    found = (ctypes.c_float * (_ROWS * _COLUMNS))()
    _transfer(library, "ggml_backend_tensor_get", product, found)
    for place, value in enumerate(found):
        expected = _WIDTH * _left(place % _ROWS) * (1.0 + place // _ROWS)
        if not abs(value - expected) <= _TOLERANCE * expected:
            raise ArithmeticError(f"it calculates {value} instead of {expected}")
    library.call("ggml_backend_buffer_free", None, buffer)
    library.call("ggml_backend_free", None, backend)
    library.call("ggml_free", None, context)


def _left(row: int) -> float:
    return 0.5 + row / _ROWS


def _sizes(*numbers: int) -> list[ctypes.c_int64]:
    return [ctypes.c_int64(number) for number in numbers]


def _fill(library: Library, tensor: ctypes.c_void_p, kind: int, values: list[float]) -> None:
    numbers = (ctypes.c_float * len(values))(*values)
    if kind == _F32:
        _transfer(library, "ggml_backend_tensor_set", tensor, numbers)
        return
    packed = (ctypes.c_uint8 * int(library.call("ggml_nbytes", ctypes.c_size_t, tensor)))()
    rows = len(values) // _WIDTH
    sizes = _sizes(0, rows, _WIDTH)
    library.call("ggml_quantize_chunk", ctypes.c_size_t, kind, numbers, packed, *sizes, None)
    _transfer(library, "ggml_backend_tensor_set", tensor, packed)


def _transfer(library: Library, way: str, tensor: ctypes.c_void_p, memory: Any) -> None:
    size = ctypes.c_size_t(ctypes.sizeof(memory))
    library.call(way, None, tensor, memory, ctypes.c_size_t(0), size)
