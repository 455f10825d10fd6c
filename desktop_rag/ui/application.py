"""Starts the window, opens the library behind it, and ends both in order."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from desktop_rag.domain.errors import DesktopRagError, UserError
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.signals import SignalWatch
from desktop_rag.ui.smoothness import leave_the_past_alone, take_short_turns
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import speak

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.storage.glance import Glance
    from desktop_rag.ui.single_instance import InstanceServer

logger = logging.getLogger(__name__)

_SETTLED_MS = 3000
_CLOSE_S = 15.0
"""Longest wait for the library to close; what is half done starts again next time."""


def run(app_factory: Callable[[], App], data_dir: Path, paths: Sequence[Path] = ()) -> int:
    """Show the window and work until it is closed.

    `app_factory` is called on a background thread: it imports and opens whatever takes time. A
    window that has this data folder open already gets `paths` and comes to the front instead.

    Returns:
        The exit code: 0, or that of the error which kept the library from opening.
    """
    from desktop_rag.ui.single_instance import hand_over

    if not _has_screen():
        # Qt itself would end the process here, with a message about its plugins.
        sys.stderr.write(
            "There is no screen to open a window on. Use the commands in this terminal instead "
            "(`desktop-rag --help`), or start it from a desktop.\n"
        )
        return UserError.exit_code
    if _may_be_running(data_dir) and hand_over(data_dir, paths):
        return 0
    application = _application()
    take_short_turns()
    desktop = Desktop(application, app_factory, data_dir, paths)
    watch = SignalWatch(desktop.window.close)
    desktop.start()
    application.exec()
    watch.close()
    return desktop.finish()


def _has_screen() -> bool:
    """On Linux a window needs a display server, unless Qt was told to do without."""
    if not sys.platform.startswith("linux"):
        return True
    return any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")))


class Desktop(QObject):
    """The window, the library and what holds them together.

    Signals:
        opened: the library is open and shown.
        refused: it could not be opened; the window says why.
    """

    opened = Signal()
    refused = Signal()
    _has_glance = Signal(object)
    _has_app = Signal(object)
    _has_error = Signal(object)

    def __init__(
        self,
        application: QApplication,
        app_factory: Callable[[], App],
        data_dir: Path,
        paths: Sequence[Path] = (),
    ) -> None:
        super().__init__()
        self._application = application
        self._factory = app_factory
        self._data_dir = data_dir
        self._waiting = list(paths)
        self._app: App | None = None
        self._exit_code = 0
        self._is_closing = False
        self._server: InstanceServer | None = None
        self._opener: threading.Thread | None = None
        self._is_on_screen = threading.Event()
        self._build()
        self._connect()

    def _build(self) -> None:
        self.preferences = Preferences(self._data_dir)
        speak(self._application, self.preferences.language)
        self.theme = Theme(self._application, self.preferences.appearance)
        self.theme.set_text_scale(self.preferences.text_scale)
        self.theme.set_high_contrast(is_on=self.preferences.is_high_contrast)
        self.window = MainWindow(self.theme, self.preferences)

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._has_glance.connect(self._on_glance, queued)
        self._has_app.connect(self._on_app, queued)
        self._has_error.connect(self._on_error, queued)
        self.window.closing.connect(self._on_closing)
        self.window.retry_requested.connect(self._on_retry)
        self.window.quit_requested.connect(self.window.close)

    # starting
    def start(self) -> None:
        """Show the window; all but a glance at the library happens once it is on screen."""
        self._open_library()
        self.window.show()
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        self._is_on_screen.set()
        self._listen()

    def _listen(self) -> None:
        from desktop_rag.ui.single_instance import InstanceServer

        self._server = InstanceServer(self._data_dir, self)
        self._server.called.connect(self._on_called)

    def _open_library(self) -> None:
        self._opener = threading.Thread(target=self._open, name="ui-opener", daemon=True)
        self._opener.start()

    def _open(self) -> None:
        """Called on a thread of its own."""
        from desktop_rag.paths import DataDir
        from desktop_rag.storage.glance import glance

        self._has_glance.emit(glance(DataDir(self._data_dir).database))
        # Importing all that opens the library would keep the first frame waiting.
        self._is_on_screen.wait()
        if self._is_closing:
            return
        try:
            app = self._factory()
        except DesktopRagError as error:
            self._has_error.emit(error)
        except Exception:
            logger.exception("Opening the library failed")
            self._has_error.emit(DesktopRagError("Something went wrong; the log has the details."))
        else:
            self._has_app.emit(app)

    def _on_glance(self, seen: Glance | None) -> None:
        if seen is not None and self._app is None:
            self.window.show_glance(seen)

    def _on_app(self, app: App) -> None:
        self._app = app
        if self._is_closing:
            return
        self._exit_code = 0
        self.window.attach(app)
        # The jobs of a start, off the GUI thread: each may touch the disk.
        self.window.background.run(app.start_indexing)
        self.window.background.run(app.start_watching)
        self.window.background.run(app.warm_up)
        QTimer.singleShot(_SETTLED_MS, self, leave_the_past_alone)
        self.window.add_paths(self._waiting)
        self._waiting = []
        self.opened.emit()

    def _on_error(self, error: DesktopRagError) -> None:
        self._exit_code = error.exit_code
        self.window.show_error(error)
        self.refused.emit()

    def _on_retry(self) -> None:
        self.window.show_opening()
        self._open_library()

    def _on_called(self, paths: list[Path]) -> None:
        """A second start: come to the front and take its paths."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        if self._app is None:
            self._waiting += paths
        else:
            window.add_paths(paths)

    # ending
    def _on_closing(self) -> None:
        self._is_closing = True
        self._is_on_screen.set()
        if self._server is not None:
            self._server.close()
        self._application.quit()

    def finish(self) -> int:
        """Close the library once the window is gone; returns the exit code."""
        if self._opener is not None:
            self._opener.join(_CLOSE_S)
        # The opener may have ended after the event loop did.
        self._application.sendPostedEvents(self)
        if self._app is not None:
            self._app.close()
            self._app = None
        return self._exit_code


def _application() -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setApplicationName("desktop-rag")
    QApplication.setApplicationDisplayName("Desktop RAG")
    QApplication.setDesktopFileName("desktop-rag")
    return QApplication(sys.argv[:1])


def _may_be_running(data_dir: Path) -> bool:
    """A cheap look before the socket: a folder that does not exist has no window."""
    return data_dir.is_dir()
