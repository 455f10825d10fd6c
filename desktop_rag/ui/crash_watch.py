"""Notices what nobody caught: the program goes on, and what happened is kept for the next start."""

from __future__ import annotations

import contextlib
import datetime as dt
import faulthandler
import logging
import os
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QObject, Signal

from desktop_rag import paths
from desktop_rag.ui.crash_report import described, head

logger = logging.getLogger(__name__)

_MAX_KEPT = 20
"""A slot that fails with every move of the mouse must not fill the disk."""


class CrashWatch(QObject):
    """Takes over Python's hooks until `close`; a native crash is written by `faulthandler`.

    Signals:
        happened: something failed for the first time in this run. Told on the GUI thread.
    """

    happened = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.file = folder / f"crash-{os.getpid()}.txt"
        self._stream: IO[str] | None = None
        self._count = 0
        # Guards the stream and the count; held while a report is written.
        self._lock = threading.Lock()
        self._old = sys.excepthook, threading.excepthook
        self._waiting: list[str] = []

    def install(self) -> None:
        """From now on. Touches no disk: `open_file` does, on a thread that may."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    def open_file(self) -> None:
        """Begin the file, and let a native crash write into it. Nothing happens where it cannot."""
        with contextlib.suppress(OSError), self._lock:
            if self._stream is not None:
                return
            paths.make_private(self.file.parent)
            self._stream = self.file.open("w", encoding="utf-8")
            self._stream.write(head() + "".join(self._waiting))
            self._stream.flush()
            faulthandler.enable(self._stream)

    def close(self) -> None:
        """Give the hooks back; a run without a failure leaves no file."""
        sys.excepthook, threading.excepthook = self._old
        with self._lock, contextlib.suppress(OSError):
            if self._stream is None:
                return
            faulthandler.disable()
            self._stream.close()
            self._stream = None
            if not self._count:
                self.file.unlink()

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Called by Python on any thread; slots of Qt end here, too."""
        if not isinstance(error, Exception):
            self._old[0](kind, error, trace)
            return
        self.note(error)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if isinstance(args.exc_value, Exception):
            self.note(args.exc_value)

    def note(self, error: BaseException) -> None:
        """Keep one exception."""
        text = described(error)
        logger.error("Something failed unexpectedly:\n%s", text)
        with self._lock:
            self._count += 1
            is_first = self._count == 1
            if self._count <= _MAX_KEPT:
                self._keep(f"{dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M:%S} UTC\n{text}\n")
        if is_first:
            self.happened.emit()

    def _keep(self, text: str) -> None:
        if self._stream is None:
            self._waiting.append(text)
            return
        with contextlib.suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
