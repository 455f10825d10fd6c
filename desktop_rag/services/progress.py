"""How far indexing is, and how long it may still take, from the speed measured so far."""

from __future__ import annotations

from collections.abc import Callable

from desktop_rag.domain.events import Event, IndexingProgress

_MIN_ELAPSED_S = 3.0
"""Before that a forecast is a guess."""


class Progress:
    """Counts files of the current run and publishes where it is. On the indexer thread."""

    def __init__(
        self,
        pending: Callable[[], int],
        publish: Callable[[Event], None],
        clock: Callable[[], float],
    ) -> None:
        self._pending = pending
        self._publish = publish
        self._clock = clock
        self._reset()

    def _reset(self) -> None:
        self._started: float | None = None
        self._done = 0
        self._failed = 0
        self._path = ""

    def reading(self, path: str) -> None:
        """A file's turn has come."""
        if self._started is None:
            self._started = self._clock()
        self._path = path
        self._tell()

    def done(self) -> None:
        """A file is searchable."""
        self._done += 1
        self._tell()

    def failed(self) -> None:
        """A file cannot be read."""
        self._failed += 1
        self._tell()

    def finish(self) -> bool:
        """The queue is empty; true if there was anything in it."""
        if self._started is None:
            return False
        finished = self._done + self._failed
        self._publish(IndexingProgress(self._done, finished, self._failed, "", 0.0))
        self._reset()
        return True

    def _tell(self) -> None:
        finished, pending = self._done + self._failed, self._pending()
        self._publish(
            IndexingProgress(
                done=self._done,
                total=finished + pending,
                failed=self._failed,
                path=self._path,
                remaining_s=self._remaining_s(finished, pending),
            )
        )

    def _remaining_s(self, finished: int, pending: int) -> float | None:
        elapsed_s = self._clock() - (self._started or self._clock())
        if not finished or elapsed_s < _MIN_ELAPSED_S:
            return None
        return elapsed_s / finished * pending
