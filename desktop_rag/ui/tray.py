"""The icon in the tray: how far reading is, the way to the window, and what happened meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui import icons
from desktop_rag.ui.translation import _, counted, numeral
from desktop_rag.ui.tray_picture import tray_picture

_MESSAGE_MS = 8000


def system_tray(parent: QObject) -> QSystemTrayIcon | None:
    """The desktop's tray; `None` where there is none, as in GNOME."""
    return QSystemTrayIcon(parent) if QSystemTrayIcon.isSystemTrayAvailable() else None


class Tray(QObject):
    """Shows what it is told; does nothing itself.

    Signals:
        open_wanted, ask_wanted, quit_wanted: of the menu; a click on the icon opens, too.
        pause_wanted (bool): pause reading, or go on.
        message_opened: the person clicked on the last message.
    """

    open_wanted = Signal()
    ask_wanted = Signal()
    quit_wanted = Signal()
    pause_wanted = Signal(bool)
    message_opened = Signal()

    def __init__(self, icon: QSystemTrayIcon, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._progress: IndexingProgress | None = None
        self._is_paused = False
        self.menu = QMenu()
        self._build_menu()
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._on_activated)
        icon.messageClicked.connect(self.message_opened)
        self._refresh()

    def _build_menu(self) -> None:
        self.open_action = QAction(_("Open Desktop RAG"), self.menu)
        self.ask_action = QAction(_("Ask…"), self.menu)
        self.pause_action = QAction(self.menu)
        self.quit_action = QAction(_("Quit"), self.menu)
        self.menu.addActions([self.open_action, self.ask_action])
        self.menu.addSeparator()
        self.menu.addAction(self.pause_action)
        self.menu.addSeparator()
        self.menu.addAction(self.quit_action)
        self.open_action.triggered.connect(self.open_wanted)
        self.ask_action.triggered.connect(self.ask_wanted)
        self.pause_action.triggered.connect(lambda: self.pause_wanted.emit(not self._is_paused))
        self.quit_action.triggered.connect(self.quit_wanted)

    def say_in_language(self) -> None:
        """The window speaks another language now."""
        self.menu.clear()
        self._build_menu()
        self._refresh()

    # what is shown
    def show(self) -> None:
        """Into the tray."""
        self._icon.setVisible(True)

    def hide(self) -> None:
        """Out of the tray."""
        self._icon.setVisible(False)

    @property
    def is_visible(self) -> bool:
        """Whether a person could find it."""
        return self._icon.isVisible()

    def show_progress(self, progress: IndexingProgress) -> None:
        """How far reading is."""
        is_working = bool(progress.path) and progress.done < progress.total
        self._progress = progress if is_working else None
        if is_working:
            self._is_paused = False
        self._refresh()

    def show_paused(self, *, is_paused: bool) -> None:
        """Whether the person paused reading."""
        if is_paused != self._is_paused:
            self._is_paused = is_paused
            self._refresh()

    @property
    def sentence(self) -> str:
        """What the tool tip says."""
        progress = self._progress
        if self._is_paused:
            return _("Reading is paused.")
        if progress is None:
            return _("Your library is up to date.")
        read = counted("Reading: {n} file to go", "Reading: {n} files to go", _left(progress))
        if not progress.failed:
            return _("{reading}.").format(reading=read)
        return _("{reading}, {failed} failed.").format(
            reading=read, failed=numeral(progress.failed)
        )

    def say(self, title: str, sentence: str) -> None:
        """A notification."""
        if self.is_visible:
            self._icon.showMessage(title, sentence, icons.icon("app", size=64), _MESSAGE_MS)

    def _refresh(self) -> None:
        progress = self._progress
        fraction = progress.done / progress.total if progress is not None else None
        self._icon.setIcon(tray_picture(fraction, is_paused=self._is_paused))
        self._icon.setToolTip(f"Desktop RAG\n{self.sentence}")
        self.pause_action.setText(_("Resume reading") if self._is_paused else _("Pause reading"))

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.DoubleClick,
        ):
            self.open_wanted.emit()


def _left(progress: IndexingProgress) -> int:
    return progress.total - progress.done
