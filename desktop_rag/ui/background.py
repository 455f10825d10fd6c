"""Runs façade calls that may block away from the GUI thread and brings the result back to it."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.translation import _

logger = logging.getLogger(__name__)

_THREADS = 3
"""One may be busy for long with a download; two are left for what the views ask."""
_JOIN_S = 3.0


class Task:
    """One call on its way. `forget` drops its result: the view that asked has moved on."""

    def __init__(
        self,
        call: Callable[[], Any],
        on_done: Callable[[Any], None] | None,
        on_error: Callable[[DesktopRagError], None] | None,
        *,
        is_owed: bool = False,
    ) -> None:
        self.is_owed = is_owed
        self.call = call
        self.on_done = on_done
        self.on_error = on_error
        self.is_forgotten = False

    def forget(self) -> None:
        """Neither callback will be called any more. A call that has not begun is skipped."""
        self.is_forgotten = True


class Background(QObject):
    """A few worker threads; callbacks arrive on the thread that made this object.

    An error of the program's own tree goes to `on_error`; without one it is told by `failed`.
    Anything else is a bug: it is logged with its traceback and told in one sentence.

    Signals:
        failed (DesktopRagError): a call without `on_error` failed.
    """

    failed = Signal(object)
    _finished = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._is_closed = False
        self._is_silent = False
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)
        # Daemons: a call that hangs in a worker process must not keep the program from ending.
        self._threads = [
            threading.Thread(target=self._work, name=f"ui-background-{n}", daemon=True)
            for n in range(_THREADS)
        ]
        for thread in self._threads:
            thread.start()

    def run(
        self,
        call: Callable[[], Any],
        on_done: Callable[[Any], None] | None = None,
        on_error: Callable[[DesktopRagError], None] | None = None,
        *,
        is_owed: bool = False,
    ) -> Task:
        """Queue `call`; calls begin in order, a few at a time.

        What is owed to the person (a removal that was shown as done) is carried out even when the
        window closes before its turn.
        """
        task = Task(call, on_done, on_error, is_owed=is_owed)
        self._queue.put(task)
        return task

    def close(self) -> None:
        """Let go of everything queued and wait shortly for what is running."""
        self._is_closed = True
        for _thread in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(_JOIN_S)

    def let_go(self) -> None:
        """Whoever asked is gone: finish what is queued, tell nobody, and wait for nothing."""
        self._is_silent = True
        for _thread in self._threads:
            self._queue.put(None)

    def _work(self) -> None:
        while (task := self._queue.get()) is not None:
            if task.is_forgotten or (self._is_closed and not task.is_owed):
                continue
            result, error = _outcome(task.call)
            if not (self._is_closed or self._is_silent):
                # The window may be replaced in this moment; what is owed after this goes on.
                with contextlib.suppress(RuntimeError):
                    self._finished.emit(task, result, error)

    def _on_finished(self, task: Task, result: object, error: DesktopRagError | None) -> None:
        if task.is_forgotten or self._is_closed or self._is_silent:
            return
        if error is None:
            if task.on_done is not None:
                task.on_done(result)
        elif task.on_error is not None:
            task.on_error(error)
        else:
            self.failed.emit(error)


def while_alive(owner: QObject, call: Callable[..., Any]) -> Callable[..., Any]:
    """A callback for `run` that does nothing once Qt has deleted whom the reply is for."""
    return lambda *values: call(*values) if isValid(owner) else None


def _outcome(call: Callable[[], Any]) -> tuple[object, DesktopRagError | None]:
    try:
        return call(), None
    except DesktopRagError as error:
        return None, error
    except Exception:
        logger.exception("A background call failed")
        return None, DesktopRagError(
            _("Something went wrong inside the program; the log has details.")
        )
