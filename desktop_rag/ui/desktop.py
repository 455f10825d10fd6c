"""The window, the library behind it, and what holds them together from start to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.errors import DesktopRagError, LibraryTooNew
from desktop_rag.domain.wanted import Wanted
from desktop_rag.ui.library_opener import LibraryOpener
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.program import Program
from desktop_rag.ui.rebuilding import go_on, part_with
from desktop_rag.ui.recovery import Recovery
from desktop_rag.ui.session_memory import SessionMemory
from desktop_rag.ui.settings_link import link_settings
from desktop_rag.ui.starting_jobs import (
    begin_work,
    follow_updates,
    show_earlier_crash,
    sweep_once_settled,
)
from desktop_rag.ui.telling_versions import tell_other_version, tell_upgrade, tell_upgraded
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, speak

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.storage.glance import Glance
    from desktop_rag.ui.crash_watch import CrashWatch
    from desktop_rag.ui.opening_wishes import OpeningWishes
    from desktop_rag.ui.presence import Presence
    from desktop_rag.ui.single_instance import InstanceServer

FindTray = Callable[[QObject], QSystemTrayIcon | None]

_TAKING_MS = 30
_KEEP_MS = 60_000


def _find_tray(parent: QObject) -> QSystemTrayIcon | None:
    from desktop_rag.ui.tray import system_tray

    return system_tray(parent)


class Desktop(QObject):
    """One per process.

    Signals:
        opened: the library is open and shown.
        refused: it could not be opened; the window says why.
        rebuilt: another window took the place of the first.
    """

    opened = Signal()
    refused = Signal()
    rebuilt = Signal()

    def __init__(
        self,
        application: QApplication,
        app_factory: Callable[[], App],
        data_dir: Path,
        wanted: Wanted | None = None,
        find_tray: FindTray = _find_tray,
    ) -> None:
        super().__init__()
        self._application = application
        self._data_dir = data_dir
        self._wanted = wanted or Wanted()
        self._find_tray = find_tray
        self._app: App | None = None
        self._exit_code = 0
        self._is_closing = self._is_upgrading = self._was_too_new = False
        self.is_restart_wanted = False
        self.next_data_dir = data_dir
        """Of the program that is started again."""
        self._server: InstanceServer | None = None
        self._opener = LibraryOpener(app_factory, data_dir, self)
        self._presence: Presence | None = None
        self._wishes: OpeningWishes | None = None
        self._crash_watch: CrashWatch | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.preferences = Preferences(self._data_dir)
        speak(self._application, self.preferences.language)
        self.theme = Theme(
            self._application,
            self.preferences.appearance,
            text_scale=self.preferences.text_scale,
            is_high_contrast=self.preferences.is_high_contrast,
        )
        self.memory = SessionMemory(self.preferences)
        self.window = MainWindow(self.theme, self.preferences)

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self._opener.glanced.connect(self._on_glance, queued)
        self._opener.outdated.connect(self._on_outdated, queued)
        self._opener.opened.connect(self._on_app, queued)
        self._opener.refused.connect(self._on_error, queued)
        self._keeping = QTimer(self)
        self._keeping.setInterval(_KEEP_MS)
        self._keeping.timeout.connect(self._keep)
        self._connect_window()

    def _connect_window(self) -> None:
        window = self.window
        window.closing.connect(self._on_closing)
        window.retry_requested.connect(self._on_retry)
        window.quit_requested.connect(self.quit)
        recovery = Recovery(window, self._data_dir)
        recovery.folder_chosen.connect(self._on_folder_chosen)
        recovery.restored.connect(self._on_retry)
        window.pages.made.connect(self._on_page_made)

    def watch_crashes(self, watch: CrashWatch) -> None:
        """Say it when something fails, and show what an earlier run left."""
        self._crash_watch = watch
        watch.happened.connect(self._on_crash)
        self._opener.before = watch.open_file

    # starting
    def start(self, *, is_other_silent: bool = False) -> None:
        """Show the window; all but a glance at the library happens once it is on screen.

        Args:
            is_other_silent: a window has this folder open and does not answer; its socket is not to
                be taken from it.
        """
        self._opener.start()
        if not self._wanted.is_hidden:
            self.window.show()
        QTimer.singleShot(0, self, lambda: self._begin(is_other_silent=is_other_silent))

    def _begin(self, *, is_other_silent: bool) -> None:
        from desktop_rag.ui.presence import Presence

        self._opener.go_on()
        if not is_other_silent:
            self._listen()
        self._presence = Presence(self.preferences, self._find_tray, self)
        self._presence.open_wanted.connect(self._on_open_wanted)
        self._presence.ask_wanted.connect(self._on_ask_wanted)
        self._presence.quit_wanted.connect(self.quit)
        self._presence.follow(self.window, None)
        if self._wanted.is_hidden and not self._presence.is_seen:
            self.window.showMinimized()
        self._hear_the_system()

    def _listen(self) -> None:
        from desktop_rag.ui.single_instance import InstanceServer

        self._server = InstanceServer(self._data_dir, self)
        self._server.called.connect(self._on_called)
        self._server.other_version.connect(self._on_other_version)

    def _stop_listening(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server.deleteLater()
            self._server = None

    def _on_glance(self, seen: Glance | None) -> None:
        if seen is not None and self._app is None:
            self.window.show_glance(seen)

    def _on_outdated(self) -> None:
        if self._app is None:
            self._is_upgrading = True
            tell_upgrade(self.window)

    def _on_app(self, app: App) -> None:
        self._app = app
        if self._is_closing:
            return
        self._exit_code = 0
        self._attach(app)
        if self._is_upgrading:
            tell_upgraded(self.window)
        begin_work(self.window, app)
        sweep_once_settled(self)
        if self.preferences.restores_session:
            self.memory.restore(self.window, app)
        if self._crash_watch is not None:
            show_earlier_crash(self.window, self.theme, self._crash_watch.file)
        self._fulfil(self._wanted)
        self._wanted = Wanted()
        self._keeping.start()
        self.opened.emit()

    def _keep(self) -> None:
        """A crash, too, loses no more than what was typed in the last minute."""
        self.memory.keep(self.window)

    def _attach(self, app: App) -> None:
        from desktop_rag.ui.opening_wishes import OpeningWishes

        self.window.attach(app)
        follow_updates(self.window, app)
        self._wishes = OpeningWishes(self.window, self.theme, app)
        if self._presence is not None:
            self._presence.follow(self.window, app)

    def _on_error(self, error: DesktopRagError) -> None:
        self._exit_code = error.exit_code
        self._is_upgrading = False
        if error.code == LibraryTooNew.code:
            # The newer program must not find this window in its way.
            self._was_too_new = self._server is not None
            self._stop_listening()
        self.window.notices.notice.hide()
        self.window.show_error(error)
        if self.window.isHidden():
            self._bring_to_front()
        self.refused.emit()

    def _on_retry(self) -> None:
        if self._was_too_new:
            self._was_too_new = False
            self._listen()
        self.window.show_opening()
        self._opener.start()

    def _on_folder_chosen(self, folder: Path) -> None:
        self.next_data_dir = folder
        self.restart()

    # later starts, the tray, the system
    def _on_called(self, wanted: Wanted) -> None:
        """A second start: come to the front and do what it wants."""
        if wanted.is_hidden:
            return
        self._bring_to_front()
        if self._app is None:
            self._wanted = self._wanted.and_then(wanted)
        else:
            self._fulfil(wanted)

    def _on_other_version(self, version: str) -> None:
        tell_other_version(self.window, version)

    def _fulfil(self, wanted: Wanted) -> None:
        if wanted.is_new_chat:
            self.window.new_chat()
        if self._wishes is not None:
            self._wishes.show(wanted)

    def _bring_to_front(self) -> None:
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def _on_open_wanted(self, conversation: ConversationId | None) -> None:
        self._bring_to_front()
        if conversation is not None:
            self.window.session.open(conversation)
            self.window.show_chat()

    def _on_ask_wanted(self) -> None:
        self._bring_to_front()
        self.window.new_chat()

    def _hear_the_system(self) -> None:
        application = self._application
        application.commitDataRequest.connect(self._on_session_ends)
        if isinstance(application, Program):
            application.has_listener = True
            application.file_sent.connect(self._on_file_sent)
            application.quit_asked.connect(self.quit)

    def _on_file_sent(self, path: Path) -> None:
        self._on_called(Wanted(added=(path,)))

    def _on_session_ends(self) -> None:
        """The person logs out: closing must not be answered with staying in the tray."""
        self.window.is_quitting = True

    # crashes
    def _on_crash(self) -> None:
        self.window.tell(
            _(
                "Something failed inside Desktop RAG, and the rest goes on. A report is kept; the "
                "next start shows it."
            )
        )

    # settings
    def _on_page_made(self, key: str, page: QObject) -> None:
        if key == "settings":
            link_settings(
                page,
                self._data_dir,
                self.preferences,
                self._presence,
                self.rebuild,
                self.restart,
            )

    def rebuild(self) -> None:
        """Another window in the place of this one, in the language and size of text chosen now.

        It shows the same chat and page over the same library; answers go on being written.
        """
        old = self.window
        if old.session.is_being_taken:
            QTimer.singleShot(_TAKING_MS, self, self.rebuild)
            return
        remains = part_with(old, self.memory, self._app)
        speak(self._application, self.preferences.language)
        self.theme.set_text_scale(self.preferences.text_scale)
        self.window = MainWindow(self.theme, self.preferences)
        self._connect_window()
        go_on(self.window, remains, self.memory, self._app, self._attach)
        self.rebuilt.emit()

    # ending
    def quit(self) -> None:
        """End the program, also where closing the window would leave it in the tray."""
        self.window.quit()

    def restart(self) -> None:
        """End, and start again once the library is free."""
        self.is_restart_wanted = True
        self.quit()

    def _on_closing(self) -> None:
        self._is_closing = True
        self._opener.give_up()
        self._keeping.stop()
        if self._app is not None:
            self.memory.keep(self.window)
        self._stop_listening()
        if self._presence is not None:
            self._presence.close()
        if isinstance(self._application, Program):
            self._application.has_listener = False
        self._application.quit()

    def finish(self) -> int:
        """Close the library once the window is gone; returns the exit code."""
        self._opener.wait()
        # The opener may have ended after the event loop did.
        self._application.sendPostedEvents(self)
        if self._app is not None:
            self._app.close()
            self._app = None
        return self._exit_code
