"""Starts the window: one per data folder, with a screen to be on, and again when that is wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from desktop_rag import paths
from desktop_rag.domain.errors import LibraryLocked, UserError
from desktop_rag.domain.wanted import Wanted
from desktop_rag.ui.desktop import Desktop
from desktop_rag.ui.missing_libraries import without_platform
from desktop_rag.ui.program import Program
from desktop_rag.ui.screen import NO_SCREEN, has_screen
from desktop_rag.ui.signals import SignalWatch
from desktop_rag.ui.smoothness import give_turns_back, take_short_turns

if TYPE_CHECKING:
    from desktop_rag.app import App

__all__ = ["Desktop", "run"]


def run(app_factory: Callable[[], App], data_dir: Path, wanted: Wanted | None = None) -> int:
    """Show the window and work until it is closed.

    `app_factory` is called on a background thread: it imports and opens whatever takes time. A
    window that has this data folder open already gets what is `wanted` and comes to the front.

    Returns:
        The exit code: 0, or that of the error which kept the library from opening.
    """
    from desktop_rag.ui.crash_watch import CrashWatch
    from desktop_rag.ui.single_instance import HandOver, hand_over

    wanted = wanted or Wanted()
    if not has_screen():
        # Qt itself would end the process here, with a message about its plugins.
        return _complain(NO_SCREEN, UserError.exit_code)
    if sentence := without_platform():
        return _complain(sentence, UserError.exit_code)
    outcome = hand_over(data_dir, wanted) if _may_be_running(data_dir) else HandOver.NOBODY
    if outcome is HandOver.TAKEN:
        return 0
    if outcome is HandOver.SILENT and wanted.is_hidden:
        return LibraryLocked.exit_code  # nobody waits for a window
    application = _application()
    take_short_turns()
    watch = CrashWatch(paths.DataDir(data_dir).logs)
    watch.install()
    desktop = Desktop(application, _factory(app_factory, outcome), data_dir, wanted)
    desktop.watch_crashes(watch)
    signals = SignalWatch(desktop.quit)
    desktop.start(is_other_silent=outcome is HandOver.SILENT)
    application.exec()
    signals.close()
    code = desktop.finish()
    watch.close()
    give_turns_back()
    if desktop.is_restart_wanted:
        from desktop_rag.ui.restarting import start_again

        start_again(desktop.next_data_dir)
    return code


def _factory(app_factory: Callable[[], App], outcome: object) -> Callable[[], App]:
    """The same, with a better sentence where the window that has the library open hangs."""
    from desktop_rag.ui.single_instance import HandOver

    if outcome is not HandOver.SILENT:
        return app_factory

    def open_app() -> App:
        try:
            return app_factory()
        except LibraryLocked as error:
            raise LibraryLocked(
                "Desktop RAG is open already, and its window does not answer. Wait a little and "
                "try again, or end it in the system's list of running programs."
            ) from error

    return open_app


def _complain(sentence: str, code: int) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"{sentence}\n")
    return code


def _application() -> QApplication:
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QApplication.setApplicationName("desktop-rag")
    QApplication.setApplicationDisplayName("Desktop RAG")
    QApplication.setDesktopFileName("desktop-rag")
    if portable := paths.portable_dir():
        keep_qt_settings_in(portable / "qt")
    # Closing the last dialogue must not end a program that waits in the tray.
    QApplication.setQuitOnLastWindowClosed(False)
    return Program(sys.argv[:1])


def keep_qt_settings_in(folder: Path) -> None:
    """Where Qt's own dialogues remember what they showed last."""
    scope = QSettings.Scope.UserScope
    QSettings.setPath(QSettings.Format.NativeFormat, scope, str(folder))


def _may_be_running(data_dir: Path) -> bool:
    """A cheap look before the socket: a folder that does not exist has no window."""
    return data_dir.is_dir()
