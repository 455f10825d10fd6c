"""Compares threads and batches for one model on this computer, in about half a minute.

Every candidate evaluates the same text twice, all of them taking turns, and the better time counts,
so that a moment in which the computer was busy hits nobody alone. When others used the processor
all the while, there is no result: it would only say how busy the computer was.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import llama_cpp
import psutil

from desktop_rag.domain.tuning import DEFAULT_BATCH, Tuning
from desktop_rag.engines.llamacpp_abort import Abort

if TYPE_CHECKING:
    from llama_cpp import Llama

logger = logging.getLogger(__name__)

MAX_DISTURBANCE = 0.25
"""Cores that others may use during the comparison."""
_READ_TOKENS = 128
_WRITTEN_TOKENS = 6
_ROUNDS = 2
_LONG_S = 15.0
"""A comparison that took longer is not repeated."""
_FEW_CORES = 4
_MOST_TOKENS = 512
_CLEARLY = 1.05
"""How much quicker than the usual way another must be: less is chance, and batches cost memory."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to run the model."""

    threads: int
    batch: int


class _Stopped(Exception):
    """Somebody asks a question."""


def thread_choices(physical: int, logical: int) -> list[int]:
    """Numbers of threads worth comparing: physical cores first, all of them, one or two fewer."""
    wanted = (physical, logical, physical - 1, physical // 2)
    return [*dict.fromkeys(number for number in wanted if number >= 1)]


def batch_choices(threads: int) -> list[int]:
    """Batches worth comparing. Few cores are busy with small ones already."""
    return [128, 256] if threads <= _FEW_CORES else [128, 256, 512]


def compare(
    model: Llama, tuning: Tuning, is_cancelled: Callable[[], bool], others: Callable[[], float]
) -> Tuning | None:
    """The best threads and batch for a loaded model, with speeds; `None` without a result.

    Args:
        model: loaded; its own cache is not touched.
        tuning: what is used now, and stays where nothing is clearly better.
        is_cancelled: asked all the time.
        others: `OthersLoad.cores`: how many cores others used since it was asked last.
    """
    physical = psutil.cpu_count(logical=False) or 1
    choices = thread_choices(physical, psutil.cpu_count() or physical)
    others()
    by_threads = [Candidate(number, DEFAULT_BATCH) for number in choices]
    try:
        reading = _best(model, by_threads, is_cancelled, _read)
        threads = reading[0].threads
        by_batch = [Candidate(threads, size) for size in batch_choices(threads)]
        batch = _best(model, by_batch, is_cancelled, _read_long)
        writing = _best(model, by_threads, is_cancelled, _write)
    except _Stopped:
        return None
    disturbance = others()
    if disturbance > MAX_DISTURBANCE:
        logger.info("no comparison: other programs used %.1f cores", disturbance)
        return None
    return replace(
        tuning,
        reading_threads=threads,
        writing_threads=writing[0].threads,
        batch=batch[0].batch,
        reads_per_s=batch[1],
        writes_per_s=writing[1],
        is_measured=True,
    )


Trial = Callable[["_Context", int], int]
"""Does something with a context and says how many tokens that were."""


def _best(
    model: Llama, candidates: Sequence[Candidate], is_cancelled: Callable[[], bool], trial: Trial
) -> tuple[Candidate, float]:
    """The candidate with the highest tokens/s; the first unless another is clearly better."""
    speeds = dict.fromkeys(candidates, 0.0)
    begin = time.monotonic()
    for done in range(_ROUNDS):
        if done and time.monotonic() - begin > _LONG_S:
            break
        for candidate in candidates:
            with _Context(model, candidate, is_cancelled) as context:
                speeds[candidate] = max(speeds[candidate], _speed(context, candidate, trial))
    usual = candidates[0]
    best = max(candidates, key=lambda one: speeds[one])
    chosen = best if speeds[best] > _CLEARLY * speeds[usual] else usual
    return chosen, speeds[chosen]


def _speed(context: _Context, candidate: Candidate, trial: Trial) -> float:
    context.evaluate(8)  # wakes the threads up
    begin = time.perf_counter()
    tokens = trial(context, candidate.batch)
    return tokens / (time.perf_counter() - begin)


def _read(context: _Context, batch: int) -> int:
    context.evaluate(min(batch, _READ_TOKENS))
    return min(batch, _READ_TOKENS)


def _read_long(context: _Context, batch: int) -> int:
    """The same text in batches of this size."""
    for _ in range(_MOST_TOKENS // batch):
        context.evaluate(batch)
    return _MOST_TOKENS // batch * batch


def _write(context: _Context, _batch: int) -> int:
    for _ in range(_WRITTEN_TOKENS):
        context.evaluate(1)
    return _WRITTEN_TOKENS


class _Context:
    """A second, small context of the same weights. Evaluates any tokens: time is all that counts.

    Raises:
        _Stopped: as soon as somebody needs the model.
    """

    def __init__(
        self, model: Llama, candidate: Candidate, is_cancelled: Callable[[], bool]
    ) -> None:
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = min(_MOST_TOKENS + 64, model.n_ctx())
        parameters.n_batch = parameters.n_ubatch = candidate.batch
        parameters.n_threads = parameters.n_threads_batch = candidate.threads
        parameters.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        self._context: Any = llama_cpp.llama_init_from_model(model._model.model, parameters)
        if not self._context:
            raise MemoryError("no memory for a second context")
        self._is_cancelled = is_cancelled
        self._size = candidate.batch
        self._tokens = (llama_cpp.llama_token * _MOST_TOKENS)(*([1] * _MOST_TOKENS))

    def __enter__(self) -> _Context:
        return self

    def __exit__(self, *_error: object) -> None:
        llama_cpp.llama_free(self._context)

    def evaluate(self, count: int) -> None:
        """Evaluate so many tokens in one batch."""
        if self._is_cancelled():
            raise _Stopped
        batch = llama_cpp.llama_batch_get_one(self._tokens, min(count, self._size))
        with Abort(self._context, self._is_cancelled):
            if llama_cpp.llama_decode(self._context, batch):  # stopped, or a context too small
                raise _Stopped
