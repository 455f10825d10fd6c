"""Opens the library on a thread of its own, after a glance that lets the window fill at once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App

logger = logging.getLogger(__name__)

_CLOSE_S = 15.0
"""Longest wait for a library that is being opened while the program ends."""


class LibraryOpener(QObject):
    """May open again after it was refused.

    Signals:
        glanced (Glance | None): counts and chats of the catalog, before the library is open.
        outdated: it is of an older version, so that opening takes longer this once.
        opened (App), refused (DesktopRagError): what came of it.
    """

    glanced = Signal(object)
    outdated = Signal()
    opened = Signal(object)
    refused = Signal(object)

    def __init__(
        self, app_factory: Callable[[], App], data_dir: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._factory = app_factory
        self._data_dir = data_dir
        self._thread: threading.Thread | None = None
        self._may_open = threading.Event()
        self._is_given_up = False
        self.before: Callable[[], object] = lambda: None
        """Called first on the thread."""

    def start(self) -> None:
        """Take a glance now; the rest waits for `go_on`."""
        self._thread = threading.Thread(target=self._run, name="ui-opener", daemon=True)
        self._thread.start()

    def go_on(self) -> None:
        """The window is on screen: importing all that opens a library may take its time."""
        self._may_open.set()

    def give_up(self) -> None:
        """The program ends; what is being opened is still told by `opened`."""
        self._is_given_up = True
        self._may_open.set()

    def wait(self) -> None:
        """Until the thread has ended, but not for ever."""
        if self._thread is not None:
            self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        from desktop_rag.paths import DataDir
        from desktop_rag.storage.glance import glance, is_outdated

        catalog = DataDir(self._data_dir).database
        seen = glance(catalog)
        self.glanced.emit(seen)
        if seen is None and is_outdated(catalog):
            self.outdated.emit()
        self._may_open.wait()
        if not self._is_given_up:
            self.before()
            self._open()

    def _open(self) -> None:
        try:
            app = self._factory()
        except DesktopRagError as error:
            self.refused.emit(error)
        except Exception:
            logger.exception("Opening the library failed")
            self.refused.emit(DesktopRagError(_("Something went wrong; the log has the details.")))
        else:
            self.opened.emit(app)
