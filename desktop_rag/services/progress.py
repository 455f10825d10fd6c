"""How far indexing is, and how long it may still take, from the speed measured so far."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.domain.events import Event, IndexingProgress
from desktop_rag.storage.jobs import Job, Workload

_MIN_ELAPSED_S = 3.0
"""Before that a forecast is a guess."""
_FILE_BYTES = 20_000
"""What looking at any file costs, as so many bytes more: tiny files are not free."""
_MEMORY_S = 120.0
"""Speeds are those of about the last so many seconds of work."""
_COUNT_EVERY_S = 1.0
_PAGE_S = 2.0
"""Assumed for a page to be recognised, until one was."""


@dataclass(slots=True)
class _Speed:
    """Work done in a time; what is long ago counts less and less."""

    amount: float = 0.0
    seconds: float = 0.0

    def add(self, amount: float, seconds: float) -> None:
        self.amount += amount
        self.seconds += seconds
        if self.seconds > _MEMORY_S:
            self.amount /= 2
            self.seconds /= 2

    def needed_s(self, amount: float) -> float | None:
        if not amount:
            return 0.0
        return self.seconds / self.amount * amount if self.amount else None

    def per_second(self) -> float | None:
        return self.amount / self.seconds if self.seconds and self.amount else None


class Progress:
    """Counts files of the current run and publishes where it is. Usable from any thread."""

    def __init__(
        self,
        workload: Callable[[], Workload],
        publish: Callable[[Event], None],
        clock: Callable[[], float],
    ) -> None:
        self._workload = workload
        self._publish = publish
        self._clock = clock
        # Guards all below; held for moments, and for a query once a second.
        self._lock = threading.Lock()
        self._reading = _Speed()
        self._recognising = _Speed()
        self._files = _Speed()
        self._pages_read = _Speed()
        self._is_yielding = False
        self._reset()

    def _reset(self) -> None:
        self._is_running = False
        self._done = self._failed = 0
        self._path = ""
        self._page = self._pages = self._unstored = self._step = self._steps = 0
        self._work = Workload()
        self._counted_at: float | None = None
        self._since = 0
        """Files that left the queue since it was counted."""
        self._marked_at: float | None = None

    def resume(self) -> None:
        """Reading goes on now: what passed before was no work on files."""
        with self._lock:
            self._marked_at = self._clock()

    def yielding(self, *, is_yielding: bool) -> None:
        """Reading waits for an answer, or goes on after one; the wait was no work on files."""
        with self._lock:
            if is_yielding == self._is_yielding:
                return
            self._is_yielding = is_yielding
            self._marked_at = self._clock()
            event = self._event() if self._is_running or self._workload().files else None
        if event is not None:
            self._publish(event)

    def reading(self, job: Job) -> None:
        """A file's turn has come."""
        with self._lock:
            self._is_running = True
            self._path, self._page, self._pages, self._unstored = job.path, 0, 0, 0
            self._step = self._steps = 0
            event = self._event()
        self._publish(event)

    def cutting(self, job: Job, step: int, steps: int) -> None:
        """A model works on the passages of a file; so many of so many steps are done."""
        with self._lock:
            self._is_running = True
            self._path, self._step, self._steps = job.path, step, steps
            event = self._event()
        self._publish(event)

    def recognising(self, job: Job, page: int, pages: int, unstored: int) -> None:
        """The turn of the `page`-th of `pages` pages of a file that want recognition has come.

        `unstored` of the file's waiting pages are recognised already and not searchable yet.
        """
        with self._lock:
            self._is_running = True
            self._path, self._page, self._pages = job.path, page, pages
            self._unstored = unstored
            self._step = self._steps = 0
            event = self._event()
        self._publish(event)

    def recognised(self, seconds: float) -> None:
        """A page took so long."""
        with self._lock:
            self._recognising.add(1, seconds)

    def stored(self, job: Job, *, is_finished: bool, pages: int = 0) -> None:
        """A file of so many pages is searchable; `is_finished` unless some of them wait for
        recognition."""
        self._left(job, done=int(is_finished), pages=pages)

    def failed(self, job: Job) -> None:
        """A file cannot be read."""
        self._left(job, failed=1)

    def finish(self) -> bool:
        """The queue is empty; true if there was anything in it."""
        with self._lock:
            if not self._is_running:
                return False
            finished = self._done + self._failed
            event = IndexingProgress(self._done, finished, self._failed, "", 0.0)
            self._reset()
        self._publish(event)
        return True

    def _left(self, job: Job, done: int = 0, failed: int = 0, pages: int = 0) -> None:
        with self._lock:
            now = self._clock()
            if self._marked_at is not None and not self._page:
                elapsed = now - self._marked_at
                self._reading.add(job.size + _FILE_BYTES, elapsed)
                self._files.add(1, elapsed)
                self._pages_read.add(pages, elapsed)
            self._marked_at = now
            self._done += done
            self._failed += failed
            self._since += done + failed
            event = self._event()
        self._publish(event)

    def _event(self) -> IndexingProgress:
        now = self._clock()
        if self._counted_at is None or now - self._counted_at >= _COUNT_EVERY_S:
            self._work, self._counted_at, self._since = self._workload(), now, 0
        finished = self._done + self._failed
        waiting = max(self._work.files - self._since, 1 if self._path else 0)
        return IndexingProgress(
            done=self._done,
            total=finished + waiting,
            failed=self._failed,
            path=self._path,
            remaining_s=self._remaining_s(),
            page=self._page,
            pages=self._pages,
            pages_waiting=self._work.pages,
            step=self._step,
            steps=self._steps,
            files_per_minute=self._files_per_minute(),
            pages_per_second=(self._recognising if self._page else self._pages_read).per_second(),
            is_yielding=self._is_yielding,
        )

    def _files_per_minute(self) -> float | None:
        if self._page or self._files.seconds < _MIN_ELAPSED_S:
            return None
        speed = self._files.per_second()
        return None if speed is None else 60 * speed

    def _remaining_s(self) -> float | None:
        if self._reading.seconds + self._recognising.seconds < _MIN_ELAPSED_S:
            return None
        work = self._work
        to_read = work.files - work.documents_with_pages
        reading_s = self._reading.needed_s(work.bytes + max(0, to_read) * _FILE_BYTES)
        pages = max(0, work.pages - self._unstored)
        pages_s = self._recognising.needed_s(pages)
        if pages_s is None:
            pages_s = pages * _PAGE_S
        return None if reading_s is None else reading_s + pages_s
