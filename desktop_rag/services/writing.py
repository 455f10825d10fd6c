"""Streams what a language model writes, and ends it when the model loops or breaks off."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Turn
from desktop_rag.domain.errors import WorkerCrashed, WorkerTimedOut
from desktop_rag.domain.ports import GenerationLimits, Generator
from desktop_rag.domain.repetition import loop_start, without_loop
from desktop_rag.services.stoppable import end

LOOPED = "The language model began to repeat itself and was stopped; a larger one does so less."
_BROKEN_OFF = "The language model broke off in the middle: {reason} Ask again for all of it."
_LOOK_EVERY = 40
"""Characters between two looks for a loop."""


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it."""

    text: str
    first_ms: float | None
    """Until the first word; `None` when there was none."""
    total_ms: float
    is_stopped: bool = False
    """The person stopped it, or the model broke off: there would be more."""
    note: str = ""
    """Why it ends early, in a sentence; empty when the model came to an end or was stopped."""


def write(
    generator: Generator,
    turns: Sequence[Turn],
    limits: GenerationLimits,
    is_cancelled: Callable[[], bool],
    publish: Callable[[str], None],
) -> Written:
    """Let the model write; `publish` is told every piece at once.

    Raises:
        WorkerCrashed, WorkerTimedOut: it ended before the first word.
        DesktopRagError: whatever `Generator.stream` raises.
    """
    begin = time.perf_counter()
    text, looked_at, first_ms, note = "", 0, None, ""
    stream = generator.stream(turns, limits, is_cancelled)
    try:
        for piece in stream:
            if first_ms is None:
                first_ms = _ms_since(begin)
            text += piece
            publish(piece)
            if is_cancelled():
                break
            if len(text) - looked_at < _LOOK_EVERY:
                continue
            looked_at = len(text)
            if (start := loop_start(text)) is not None:
                text, note = without_loop(text, start), LOOPED
                break
    except (WorkerCrashed, WorkerTimedOut) as error:
        if not text.strip():
            raise
        note = _BROKEN_OFF.format(reason=error.message)
        return Written(text, first_ms, _ms_since(begin), is_stopped=True, note=note)
    finally:
        end(stream)
    return Written(text, first_ms, _ms_since(begin), is_cancelled(), note)


def read_ahead(
    generator: Generator, turns: Sequence[Turn], is_cancelled: Callable[[], bool]
) -> None:
    """Let the model read a prompt, so that writing after it begins at once."""
    for _ in generator.stream(turns, GenerationLimits(max_tokens=0), is_cancelled):
        pass


def _ms_since(begin: float) -> float:
    return (time.perf_counter() - begin) * 1000
