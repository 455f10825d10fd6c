"""Keeps the query log without anybody waiting for it: a thread of its own writes."""

from __future__ import annotations

import queue
import threading

from desktop_rag.domain.answers import Answer, Confidence, SearchResult
from desktop_rag.storage.querylog import LoggedQuery, QueryLog, RequestKind

_MOST_WAITING = 1_000
"""Entries; more than that nobody asks while the catalog is busy, and then they are left out."""


class QueryRecording:
    """Takes note of searches and answers on any thread, at once; `close` writes what waits."""

    def __init__(self, log: QueryLog, *, is_on: bool) -> None:
        self._log = log
        self._waiting: queue.Queue[LoggedQuery | None] = queue.Queue(_MOST_WAITING)
        # Guards the thread; held for moments.
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        # Held while something is written, so that nothing is written after it was switched off.
        self._writing = threading.Lock()
        self._is_on = False
        self.switch(is_on=is_on)

    def switch(self, *, is_on: bool) -> None:
        """Keep the log from now on, or no more: then also what was kept is deleted."""
        with self._writing:
            self._is_on = is_on
            if not is_on:
                self._log.clear()

    def clear(self) -> None:
        """Delete what was kept, and go on keeping."""
        with self._writing:
            self._log.clear()

    def note_search(self, result: SearchResult, confidence: Confidence, elapsed_ms: float) -> None:
        """A search ended; `confidence` counts unless the result itself says that it is weak."""
        figures = result.figures
        self._note(
            LoggedQuery(
                RequestKind.SEARCH,
                Confidence.NONE if result.is_weak else confidence,
                figures.passages,
                elapsed_ms - figures.timings_ms.get("expand", 0.0),
                elapsed_ms,
            )
        )

    def note_answer(self, answer: Answer) -> None:
        """An answer was given; small talk and stopped answers say nothing about retrieval."""
        timings = answer.figures.timings_ms
        if answer.stopped or "find" not in timings:
            return
        confidence = answer.confidence if answer.found else Confidence.NONE
        search_ms = timings["find"] - timings.get("expand", 0.0)
        passages = answer.figures.passages
        self._note(LoggedQuery(RequestKind.ASK, confidence, passages, search_ms, timings["total"]))

    def close(self) -> None:
        """Write what waits, and end."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is not None:
            self._waiting.put(None)
            thread.join()

    def _note(self, entry: LoggedQuery) -> None:
        with self._lock:
            if not self._is_on or self._is_closed or self._waiting.full():
                return
            self._waiting.put_nowait(entry)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="query-log")
                self._thread.start()

    def _run(self) -> None:
        """A catalog that is busy for long gets all that came meanwhile in one go."""
        while (first := self._waiting.get()) is not None:
            entries = [first]
            while len(entries) < self._waiting.maxsize and not self._waiting.empty():
                if (entry := self._waiting.get()) is None:
                    self._write(entries)
                    return
                entries.append(entry)
            self._write(entries)

    def _write(self, entries: list[LoggedQuery]) -> None:
        with self._writing:
            if self._is_on:
                self._log.add(entries)
