"""Looks at disks that may never answer: a dead network drive must not hang the program with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

_Result = TypeVar("_Result")
_POLL_S = 0.25


class Patience:
    """Runs looks in threads of their own and stops waiting for those that stall.

    A system call on a dead drive cannot be interrupted, so its thread is left behind (it never
    keeps the program alive) and until it ends, nothing else is asked of the same place.
    """

    def __init__(self) -> None:
        # Callers on other threads wait here for microseconds only.
        self._lock = threading.Lock()
        self._stuck: dict[str, threading.Thread] = {}

    def ask(
        self, place: str, look: Callable[[Callable[[], None]], _Result], stall_s: float
    ) -> _Result | None:
        """The result of `look`; `None` when it stalls or an earlier look at `place` still does.

        Args:
            place: what is looked at; one that stalled is not asked again before it answers.
            look: called with a function that it calls now and then to say that it gets on.
            stall_s: how long it may be silent.
        """
        if self._is_stuck(place):
            return None
        attempt = _Attempt(look)
        thread = threading.Thread(target=attempt.run, name="look", daemon=True)
        thread.start()
        while not attempt.is_done.wait(_POLL_S):
            if time.monotonic() - attempt.last_sign > stall_s:
                with self._lock:
                    self._stuck[place] = thread
                return None
        return attempt.result()

    def _is_stuck(self, place: str) -> bool:
        with self._lock:
            thread = self._stuck.get(place)
            if thread is not None and not thread.is_alive():
                del self._stuck[place]
                return False
            return thread is not None


class _Attempt(Generic[_Result]):
    """One look and what became of it."""

    def __init__(self, look: Callable[[Callable[[], None]], _Result]) -> None:
        self._look = look
        self._result: _Result | None = None
        self._error: BaseException | None = None
        self.is_done = threading.Event()
        self.last_sign = time.monotonic()

    def run(self) -> None:
        try:
            self._result = self._look(self._give_sign)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self._error = error
        finally:
            self.is_done.set()

    def result(self) -> _Result | None:
        if self._error is not None:
            raise self._error
        return self._result

    def _give_sign(self) -> None:
        self.last_sign = time.monotonic()
