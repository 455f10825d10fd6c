"""What can be done with text that is selected in the document."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.theme import XS, M, S, Theme
from desktop_rag.ui.translation import _, counted


class SelectionBar(QWidget):
    """Below the document, while something is selected.

    Signals:
        copy_requested, ask_requested
    """

    copy_requested = Signal()
    ask_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("selectionBar")
        self.words = ElidedLabel()
        self.words.setObjectName("smallMuted")
        self.copy = QPushButton(_("Copy"))
        self.copy.setObjectName("quietButton")
        self.ask = QPushButton(_("Ask about this"))
        self.ask.setObjectName("quietButton")
        row = QHBoxLayout(self)
        set_margins(row, M, XS, S, XS)
        row.setSpacing(XS)
        row.addWidget(self.words, 1)
        row.addWidget(self.copy)
        row.addWidget(self.ask)
        self.copy.clicked.connect(self.copy_requested)
        self.ask.clicked.connect(self.ask_requested)

    def show_for(self, text: str) -> None:
        """Shown for a selection, hidden without one."""
        number = len(text.split())
        self.words.setText(counted("{n} word selected", "{n} words selected", number))
        self.setVisible(bool(text.strip()))
