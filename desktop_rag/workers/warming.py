"""Starting several roles early, and ending several at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.workers.supervisor import OnState, WorkerState

logger = logging.getLogger(__name__)


def in_parallel(tasks: Sequence[Callable[[], None]]) -> None:
    """Run the tasks at the same time and wait for all: closing costs the longest, not the sum."""
    threads = [threading.Thread(target=task, name="worker-close") for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Warmer:
    """Starts roles in the background, each once at a time."""

    def __init__(
        self, tasks: dict[str, Callable[[], object]], on_state: OnState | None = None
    ) -> None:
        self._tasks = tasks
        self._on_state = on_state
        # Guards the table of threads; held for moments.
        self._lock = threading.Lock()
        self._threads: dict[str, threading.Thread] = {}

    def start(self) -> None:
        """Start what is not being started yet; returns at once."""
        with self._lock:
            for role, task in self._tasks.items():
                running = self._threads.get(role)
                if running is None or not running.is_alive():
                    thread = threading.Thread(
                        target=self._run, args=(role, task), name=f"warm-{role}", daemon=True
                    )
                    self._threads[role] = thread
                    thread.start()

    def join(self) -> None:
        """Wait for what was started; quick once the roles are closed."""
        with self._lock:
            threads = list(self._threads.values())
        for thread in threads:
            thread.join()

    def _run(self, role: str, task: Callable[[], object]) -> None:
        try:
            task()
        except DesktopRagError as exc:
            # Whoever needs the role gets the error with the question; here nobody waits for it.
            logger.info("the %s role cannot be warmed up: %s", role, exc.code)
            if self._on_state is not None and exc.code != "cancelled":
                self._on_state(role, WorkerState.UNAVAILABLE.value, exc.message)
