"""A sentence that says what went wrong and what to do, with a way to try again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S


class FailureBox(QFrame):
    """`retry` is the button, with words of its own."""

    def __init__(self, again: str) -> None:
        super().__init__()
        self.setObjectName("failureBox")
        self.sentence = PlainLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.retry = QToolButton()
        self.retry.setText(again)
        self.retry.setObjectName("quietButton")
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.retry)

    def say(self, message: str) -> None:
        """Show this sentence; it is the name for screen readers, too."""
        self.sentence.setText(message)
        self.setAccessibleName(message)
