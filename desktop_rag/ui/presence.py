"""The program while its window is closed or out of sight: tray, close to tray, notifications."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.events import IndexingPaused
from desktop_rag.domain.library import LibraryStatus
from desktop_rag.ui.notifications import Notifications
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.translation import _
from desktop_rag.ui.tray import Tray

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.main_window import MainWindow

_TOLD = "told_of_tray"


class Presence(QObject):
    """Follows one window after another. Without a tray it does nothing at all.

    Signals:
        open_wanted (ConversationId | None): show the window, with this chat if there is one.
        ask_wanted: show the window, ready to type.
        quit_wanted: end the program.
    """

    open_wanted = Signal(object)
    ask_wanted = Signal()
    quit_wanted = Signal()

    def __init__(
        self,
        preferences: Preferences,
        find_tray: Callable[[QObject], QSystemTrayIcon | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._window: MainWindow | None = None
        self._app: App | None = None
        self._notified: object = None
        icon = find_tray(self)
        self.tray = Tray(icon, self) if icon is not None else None
        self.refresh()
        if self.tray is not None:
            self._connect(self.tray)

    def _connect(self, tray: Tray) -> None:
        tray.open_wanted.connect(lambda: self.open_wanted.emit(None))
        tray.ask_wanted.connect(self.ask_wanted)
        tray.quit_wanted.connect(self.quit_wanted)
        tray.pause_wanted.connect(self._on_pause_wanted)
        tray.message_opened.connect(lambda: self.open_wanted.emit(self._notified))

    @property
    def is_there(self) -> bool:
        """Whether the desktop has a tray."""
        return self.tray is not None

    @property
    def is_seen(self) -> bool:
        """Whether a person who closes the window finds the program in the tray."""
        return self.tray is not None and self.tray.is_visible

    def refresh(self) -> None:
        """The person may have chosen to have the icon, or not."""
        if self.tray is not None and self._preferences.has_tray:
            self.tray.show()
        elif self.tray is not None:
            self.tray.hide()

    def close(self) -> None:
        """Out of the tray, for good."""
        if self.tray is not None:
            self.tray.hide()

    # following a window
    def follow(self, window: MainWindow, app: App | None) -> None:
        """From now on this window; the one before is gone. `app` follows when it is open."""
        if window is not self._window:
            self._window = window
            window.installEventFilter(self)
            if self.tray is not None:
                self.tray.say_in_language()
                self._listen(self.tray, window)
        if app is not None:
            self._app = app
            self._look_at_pause()

    def _listen(self, tray: Tray, window: MainWindow) -> None:
        bridge = window.bridge
        bridge.progress.connect(tray.show_progress)
        bridge.paused.connect(self._on_paused)
        bridge.library_changed.connect(lambda _: self._look_at_pause())
        notifications = Notifications(
            window, bridge, self._preferences, self._is_masking, parent=window
        )
        notifications.said.connect(self._on_said)

    def _is_masking(self) -> bool:
        return self._app is None or self._app.settings().mask_personal_data != "off"

    def _on_paused(self, _paused: IndexingPaused) -> None:
        self._look_at_pause()

    def _look_at_pause(self) -> None:
        if self._app is not None and self.tray is not None:
            self.tray.show_paused(is_paused=self._app.is_paused())

    def show_status(self, status: LibraryStatus) -> None:
        """The counts were read again."""
        if self.tray is not None:
            self.tray.show_paused(is_paused=status.is_paused)

    def _on_pause_wanted(self, is_paused: bool) -> None:  # noqa: FBT001 - a signal's argument
        if self._app is None or self._window is None:
            return
        act = self._app.pause_indexing if is_paused else self._app.resume_indexing
        self._window.background.run(act, lambda _: self._on_pause_changed())

    def _on_pause_changed(self) -> None:
        self._look_at_pause()
        if self._window is not None:
            self._window.refresh_library()

    def _on_said(self, title: str, sentence: str, conversation: ConversationId | None) -> None:
        if self.tray is not None:
            self._notified = conversation
            self.tray.say(title, sentence)

    # closing
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closing the window leaves the program in the tray, if that was chosen."""
        window = self._window
        if watched is window and window is not None and event.type() == QEvent.Type.Close:
            is_kept = self._preferences.closes_to_tray and self.is_seen and not window.is_quitting
            if is_kept and self._app is not None:
                event.ignore()
                window.hide()
                self._tell_once()
                return True
        return super().eventFilter(watched, event)

    def _tell_once(self) -> None:
        if self.tray is None or self._preferences.flag(_TOLD):
            return
        self._preferences.set_flag(_TOLD, is_on=True)
        self.tray.say(
            _("Desktop RAG is still there"),
            _("It goes on in the tray. Quit is in the menu of its icon."),
        )
