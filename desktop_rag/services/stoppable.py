"""Stops what takes long: streams that are left early, and waiting for what cannot be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from typing import TypeVar

R = TypeVar("R")

_LOOK_EVERY_S = 0.03


def unless_stopped(work: Callable[[], R], is_cancelled: Callable[[], bool]) -> R | None:
    """What `work` gives, or `None` as soon as it was cancelled; raises what it raises.

    It is for what does not look itself: a model that is loaded, an index that is opened.
    Work that is left behind goes on in its thread, and nobody hears of its end: a model that was
    half loaded is ready for the next question.
    """
    outcome: Future[R] = Future()
    threading.Thread(target=_run, args=(work, outcome), name="stoppable", daemon=True).start()
    while not wait([outcome], _LOOK_EVERY_S).done:
        if is_cancelled():
            return None
    return outcome.result()


def end(stream: Iterable[object]) -> None:
    """End a generator that may have been left early; a plain iterator has nothing to end."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()


def _run(work: Callable[[], R], outcome: Future[R]) -> None:
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
        outcome.set_exception(error)
