"""One thread that keeps stores in shape while they are used."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)

_PAUSE_S = 0.002
"""Between two steps, so that whoever waits for the stores' lock gets it first."""


class Background:
    """Runs `step` again and again while it returns true, then waits for `wake`.

    Args:
        step: does a little work; true when there is more. What it raises is logged and ends the
            work until the next `wake`.
        name: of the thread, which starts with the first `wake`.
    """

    def __init__(self, step: Callable[[], bool], name: str) -> None:
        self._step = step
        self._name = name
        # Guards the flags; held for moments.
        self._changed = threading.Condition()
        self._has_work = False
        self._is_woken = False
        self._is_closing = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """There may be something to do. Returns at once."""
        with self._changed:
            self._has_work = self._is_woken = True
            if self._thread is None and not self._is_closing:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    @property
    def is_idle(self) -> bool:
        """Nothing is being done."""
        return not self._has_work

    def wait_until_idle(self, timeout_s: float | None = None) -> bool:
        """Wait until there is nothing to do; false on time-out."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._has_work, timeout_s)

    def close(self, patience_s: float) -> None:
        """Finish what can be finished in `patience_s`, then end the thread after its step."""
        self.wait_until_idle(patience_s)
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._is_closing:
            with self._changed:
                self._changed.wait_for(lambda: self._has_work or self._is_closing)
                self._is_woken = False
            while not self._is_closing and self._is_more():
                time.sleep(_PAUSE_S)
            with self._changed:
                self._has_work = self._is_woken
                self._changed.notify_all()

    def _is_more(self) -> bool:
        try:
            return self._step()
        except Exception:  # supervisor: what failed is tried again with the next change
            logger.exception("Background work on the %s failed", self._name)
            return False
