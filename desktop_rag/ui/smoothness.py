"""Keeps Python itself from holding the window up: its turns and its search for garbage.

Two of its habits are made for programs that compute: a thread that computes keeps the interpreter
for 5 ms at a time, and now and then everything ever made is searched for garbage. A window calls
Qt hundreds of times for one frame, and each call lets other threads in.
"""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer

_TURN_S = 0.0001
_LOOK_MS = 250
_MANY_NEW = 10_000
"""So many new objects are searched for garbage in a few milliseconds."""
_FLOOD = 100_000
"""So many come from reading a large library: data, which is never garbage of that kind."""
_ROUNDS = 100
"""After so many searches among what is new, everything that is not frozen is searched."""


def take_short_turns() -> None:
    """Threads that compute hand over after a tenth of a millisecond when the window wants to work.

    Nothing is searched for garbage any more unless a `Sweeper` does it.
    """
    sys.setswitchinterval(_TURN_S)
    gc.disable()


def give_turns_back() -> None:
    """The window is gone; Python has its habits again."""
    gc.enable()


class Sweeper(QObject):
    """Searches for garbage between two events of the window.

    Python itself would do it in the middle of whatever makes objects, on any thread, while all
    others wait; and what belongs to Qt must not be destroyed on another thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.sweep)
        self._timer.start()

    def sweep(self) -> None:
        """Search if enough is new; nothing where Python does it by itself."""
        new, _rounds, rounds = gc.get_count()
        if gc.isenabled() or new < _MANY_NEW:
            return
        if new >= _FLOOD:
            gc.freeze()
        else:
            gc.collect(2 if rounds >= _ROUNDS else 1)


def leave_the_past_alone() -> None:
    """What exists now stays for as long as the program runs: it is not searched for garbage again.

    Costs nothing at any size, unlike a search; call it once the start is over.
    """
    gc.freeze()
