"""The end of the program's log, to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, Row
from desktop_rag.ui.theme import L, M, Theme
from desktop_rag.ui.translation import _

_HEIGHT = 180


class LogCard(Card):
    """Shows nothing until it is asked for: most people never need it.

    Signals:
        wanted: the newest lines are to be read.
    """

    wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_("Log"), parent)
        row = Row(
            _("Newest lines of the log"),
            _("What the program did. Places on your disk are left out."),
        )
        self.copy = QPushButton(_("Copy"))
        self.copy.setAccessibleName(_("Copy the log"))
        self.copy.clicked.connect(self._on_copy)
        self.copy.hide()
        self.show_button = QPushButton(_("Show"))
        self.show_button.setAccessibleName(_("Show the log"))
        self.show_button.clicked.connect(self.wanted)
        row.add(self.copy)
        row.add(self.show_button)
        self.add(row)
        self._holder = self._build_text(theme)
        self.add(self._holder)
        self._holder.hide()

    def _build_text(self, theme: Theme) -> QWidget:
        self.text = QPlainTextEdit()
        self.text.setObjectName("reportText")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(theme.px(_HEIGHT))
        self.text.setAccessibleName(_("Log"))
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(L, 0, L, M)
        column.addWidget(self.text)
        return holder

    def show_log(self, text: str) -> None:
        """The newest lines, the last of them in sight."""
        self.text.setPlainText(text or _("The log is empty."))
        bar = self.text.verticalScrollBar()
        self._holder.show()
        bar.setValue(bar.maximum())
        self.copy.setVisible(bool(text))
        self.show_button.setText(_("Refresh"))

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        announce(self, _("The log was copied."))
