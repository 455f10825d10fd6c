"""Looks at a window while it works: its first frames, its frame times, and where it stood still."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import contextlib
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

STALL_MS = 50.0
FRAME_S = 1 / 60
_BEAT_MS = 4


@dataclass
class Beats:
    """Gaps between the beats of a timer on the GUI thread, in ms, and where the long ones were."""

    gaps: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)
    """Of each gap, what the GUI thread needed of a processor: the same on a busy machine."""
    stalls: list[tuple[float, str]] = field(default_factory=list)

    def over(self, limit_ms: float) -> int:
        """How many gaps were longer."""
        return sum(gap > limit_ms for gap in self.gaps)


class Watchdog:
    """A timer beats on the GUI thread; another thread notes what it does when a beat is missing."""

    def __init__(self) -> None:
        self.beats = Beats()
        self._gui = threading.get_ident()
        self._last, self._spent = time.perf_counter(), time.thread_time()
        self._stack = ""
        self._is_over = threading.Event()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._sampler = threading.Thread(target=self._sample, daemon=True)

    def start(self) -> None:
        self._last, self._spent = time.perf_counter(), time.thread_time()
        self._timer.start()
        self._sampler.start()

    def stop(self) -> Beats:
        self._timer.stop()
        self._is_over.set()
        self._sampler.join()
        return self.beats

    def _beat(self) -> None:
        now, spent = time.perf_counter(), time.thread_time()
        gap = (now - self._last) * 1000
        self.beats.gaps.append(gap)
        self.beats.computed.append((spent - self._spent) * 1000)
        if gap > STALL_MS:
            self.beats.stalls.append((gap, self._stack or "unknown"))
        self._last, self._spent, self._stack = now, spent, ""

    def _sample(self) -> None:
        while not self._is_over.wait(0.01):
            if not self._stack and (time.perf_counter() - self._last) * 1000 > STALL_MS * 0.6:
                frame = sys._current_frames().get(self._gui)
                self._stack = "".join(traceback.format_stack(frame)[-7:]) if frame else ""


class Painted(QObject):
    """Notes every time a widget has painted itself."""

    def __init__(self, widget: QWidget, on_paint: Callable[[], None]) -> None:
        super().__init__()
        self._on_paint = on_paint
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if event.type() == QEvent.Type.Paint:
            self._on_paint()
        return False


def rest(until: float) -> None:
    """Work on events, and sleep between them, until a time of `perf_counter`.

    `processEvents` with a limit returns at once when there are none: waiting by it keeps one
    processor busy with nothing, and counts as work of the window.
    """
    loop = QEventLoop()
    left_ms = max(1, round((until - time.perf_counter()) * 1000))
    QTimer.singleShot(left_ms, loop.quit)
    loop.exec()


def wait(qt: QApplication, until: Callable[[], bool], limit_s: float = 90.0) -> None:
    """Let the window work until something is true."""
    end = time.monotonic() + limit_s
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the window did not get there")
        rest(time.perf_counter() + 0.004)


@dataclass(frozen=True, slots=True)
class Frame:
    """From when a turn of the wheel was due until it was painted, in ms."""

    waited: float
    computed: float
    """Of that, what the GUI thread needed of a processor: the same on a busy machine."""


def frames_of_scrolling(qt: QApplication, view: QWidget, notches: int, steps: int) -> list[Frame]:
    """Turn the wheel 60 times a second.

    A turn that comes late because the window was busy counts from when it should have come.
    """
    painted = 0

    def count() -> None:
        nonlocal painted
        painted += 1

    watch = Painted(view, count)
    frames: list[Frame] = []
    due, spent = time.perf_counter(), time.thread_time()
    for _ in range(steps):
        while time.perf_counter() < due:
            rest(due)
        before = painted
        turn_wheel(view, notches)
        while painted == before:
            qt.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        waited = (time.perf_counter() - due) * 1000
        frames.append(Frame(waited, (time.thread_time() - spent) * 1000))
        spent = time.thread_time()
        due = max(due + FRAME_S, time.perf_counter() - FRAME_S)
    watch.deleteLater()
    return frames


def turn_wheel(view: QWidget, notches: int) -> None:
    """As a mouse over the middle of a widget does."""
    at = QPointF(view.rect().center())
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def told(stalls: list[tuple[float, str]], most: int = 5) -> Iterator[str]:
    """The places where a window stood still, the most frequent first."""
    places = Counter(stack for _, stack in stalls)
    for stack, count in places.most_common(most):
        longest = max(gap for gap, one in stalls if one == stack)
        yield f"{count} times, up to {longest:.0f} ms:\n{stack}"


@contextlib.contextmanager
def watched() -> Iterator[Beats]:
    """Watch the GUI thread for a while."""
    dog = Watchdog()
    dog.start()
    try:
        yield dog.beats
    finally:
        dog.stop()
