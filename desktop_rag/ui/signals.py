"""Ctrl+C in the terminal and a polite kill close the window like its button does."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class SignalWatch(QObject):
    """Qt's event loop runs no Python while it waits; a socket written by the signal wakes it.

    Only on the main thread. `close` puts back what was there before.
    """

    def __init__(self, on_signal: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on_signal = on_signal
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.settimeout(0)
        self._old_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._old = {one: signal.signal(one, lambda *_: None) for one in _SIGNALS}
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_activated)

    def close(self) -> None:
        """Stop watching."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_fd)
        for one, handler in self._old.items():
            signal.signal(one, handler)
        self._reader.close()
        self._writer.close()

    def _on_activated(self) -> None:
        received = self._reader.recv(64)
        if any(one in received for one in _SIGNALS):
            self._on_signal()
