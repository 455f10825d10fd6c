"""The only place where events of the bus become Qt signals, at most about 30 times a second."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    AnswerFailed,
    AnswerProgress,
    EngineState,
    Event,
    ExtractFound,
    IndexingPaused,
    IndexingProgress,
    LibraryChanged,
    ModelProgress,
    SourcesForeseen,
    SourcesFound,
    WatchingChanged,
)

if TYPE_CHECKING:
    from desktop_rag.services.bus import Bus

_INTERVAL_MS = 33


class Bridge(QObject):
    """Collects events on any thread and tells them on the GUI thread, in order.

    Between two rounds deltas of one answer are joined, progress keeps its last value, and changes
    of the library are merged: a fast model or a large folder never floods the event loop.

    Signals:
        library_changed, progress, paused, extract_found, sources_found, sources_foreseen, delta,
        completed, failed,
        model_progress, engine_state, watching, answer_progress: each carries the event itself.
    """

    library_changed = Signal(LibraryChanged)
    progress = Signal(IndexingProgress)
    paused = Signal(IndexingPaused)
    extract_found = Signal(ExtractFound)
    sources_found = Signal(SourcesFound)
    sources_foreseen = Signal(SourcesForeseen)
    delta = Signal(AnswerDelta)
    completed = Signal(AnswerCompleted)
    failed = Signal(AnswerFailed)
    model_progress = Signal(ModelProgress)
    engine_state = Signal(EngineState)
    watching = Signal(WatchingChanged)
    answer_progress = Signal(AnswerProgress)
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Publishers wait on it only while an event is filed, the GUI while it takes the list.
        self._lock = threading.Lock()
        self._pending: list[Event] = []
        self._unsubscribe: Callable[[], None] | None = None
        self._since_last = QElapsedTimer()
        self._since_last.start()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)
        self._woken.connect(self._schedule, Qt.ConnectionType.QueuedConnection)
        self._signals: dict[type[Event], Callable[[object], None]] = {
            LibraryChanged: self.library_changed.emit,
            IndexingProgress: self.progress.emit,
            IndexingPaused: self.paused.emit,
            ExtractFound: self.extract_found.emit,
            SourcesFound: self.sources_found.emit,
            SourcesForeseen: self.sources_foreseen.emit,
            AnswerDelta: self.delta.emit,
            AnswerCompleted: self.completed.emit,
            AnswerFailed: self.failed.emit,
            ModelProgress: self.model_progress.emit,
            EngineState: self.engine_state.emit,
            WatchingChanged: self.watching.emit,
            AnswerProgress: self.answer_progress.emit,
        }

    def connect_to(self, bus: Bus) -> None:
        """Start to listen."""
        self._unsubscribe = bus.subscribe(self._on_event)

    def close(self) -> None:
        """Stop listening; what is pending is dropped."""
        self._stop_listening()
        self._timer.stop()
        with self._lock:
            self._pending.clear()

    def inherit(self, other: Bridge) -> None:
        """Take over what another one, which only collected, has heard; its work is done."""
        other._stop_listening()
        with other._lock:
            heard, other._pending = other._pending, []
        with self._lock:
            self._pending = heard + self._pending
        other.deleteLater()
        self._woken.emit()

    def drain(self) -> None:
        """Stop listening, and tell what is pending now."""
        self._stop_listening()
        self._flush()

    def _stop_listening(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def _on_event(self, event: Event) -> None:
        """Called on the publishing thread."""
        with self._lock:
            was_empty = not self._pending
            _file(self._pending, event)
        if was_empty:
            with contextlib.suppress(RuntimeError):  # the window was replaced in this moment
                self._woken.emit()

    def _schedule(self) -> None:
        if self._timer.isActive():
            return
        self._timer.start(max(0, _INTERVAL_MS - self._since_last.elapsed()))

    def _flush(self) -> None:
        with self._lock:
            events, self._pending = self._pending, []
        self._since_last.restart()
        for event in events:
            emit = self._signals.get(type(event))
            if emit is not None:
                emit(event)


def _file(pending: list[Event], event: Event) -> None:
    """Append `event`, or merge it into one of its kind that still waits."""
    for index, other in enumerate(pending):
        merged = _merged(other, event)
        if merged is not None:
            pending[index] = merged
            return
    pending.append(event)


def _merged(old: Event, new: Event) -> Event | None:
    match old, new:
        case AnswerDelta(), AnswerDelta() if old.request == new.request:
            return AnswerDelta(new.request, old.text + new.text)
        case AnswerProgress(), AnswerProgress() if old.request == new.request:
            return new
        case (IndexingProgress(), IndexingProgress()) | (SourcesForeseen(), SourcesForeseen()):
            return new
        case ModelProgress(), ModelProgress() if old.model == new.model:
            return new
        case LibraryChanged(), LibraryChanged():
            # Empty means "many", and many plus one is still many.
            both = old.documents + new.documents if old.documents and new.documents else ()
            return LibraryChanged(tuple(dict.fromkeys(both)))
    return None
