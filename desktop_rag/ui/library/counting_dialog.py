"""Counts what was dropped in sight, and asks before very much is added."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S, Theme, scaled
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _, counted


class CountingDialog(QDialog):
    """A busy bar with a number; then a question.

    Signals:
        confirmed: add them all.
        stopped: leave it.
    """

    confirmed = Signal()
    stopped = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        del theme
        self.setWindowTitle(_("Add to library"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.sentence = PlainLabel(_("Counting files …"))
        self.sentence.setObjectName("panelTitle")
        self.sentence.setWordWrap(True)
        self.detail = PlainLabel(_("Nothing is added yet."))
        self.detail.setObjectName("muted")
        self.detail.setWordWrap(True)
        self.bar = ThinBar(_("Counting files"), is_busy=True)
        self.stop = QPushButton(_("Stop"))
        self.stop.clicked.connect(self.reject)
        self.add = QPushButton(_("Add all"))
        self.add.setObjectName("primaryButton")
        self.add.clicked.connect(self.accept)
        self.add.hide()
        self._lay_out()
        self.accepted.connect(self.confirmed)
        self.rejected.connect(self.stopped)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(self.sentence)
        column.addWidget(self.detail)
        column.addWidget(self.bar)
        column.addLayout(buttons)
        self.setMinimumWidth(scaled(400))

    def show_count(self, count: int) -> None:
        """So many files and folders were met so far."""
        self.detail.setText(counted("{n} found so far", "{n} found so far", count))

    def ask(self, question: str) -> None:
        """Counting is over: shall all this be added?"""
        self.sentence.setText(question)
        self.detail.setText(
            _(
                "Reading so many takes hours; you can ask from the first minute on, and pause "
                "whenever you like."
            )
        )
        self.bar.hide()
        self.add.show()
        self.stop.setText(_("Cancel"))
        self.add.setFocus()
        self.open()
        announce(self, question)
