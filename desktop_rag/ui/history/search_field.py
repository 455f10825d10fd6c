"""The field that finds in all chats: arrow keys and Enter act on what was found below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class SearchField(QLineEdit):
    """Signals:
    stepped (int): an arrow key; rows to go on by.
    entered: Enter; the marked result shall be opened.
    left: Esc in the empty field.
    """

    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("searchField")
        self.setPlaceholderText(_("Search chats"))
        self.setAccessibleName(_("Search in all chats"))
        self.setMaxLength(200)
        self._picture = QAction(self)
        self.addAction(self._picture, QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(_("Clear"), self)
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        theme.changed.connect(self._colour_icons)
        self._colour_icons()

    def event(self, event: QEvent) -> bool:
        """Esc is for the field while it has the focus, not for the window."""
        is_asked_for = event.type() == QEvent.Type.ShortcutOverride
        if is_asked_for and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up, Down and Enter are for the results; Esc clears, and then leaves."""
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
        else:
            self.left.emit()

    def _colour_icons(self) -> None:
        self._picture.setIcon(icons.icon("search", self._theme.colours.muted, 16))
        self._clear.setIcon(icons.icon("close", self._theme.colours.muted, 16))
