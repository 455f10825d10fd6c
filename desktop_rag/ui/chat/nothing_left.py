"""Says that everything a chat was to ask has left the library, and asks what to do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S
from desktop_rag.ui.translation import _


class NothingLeft(QFrame):
    """Hidden until a question could not be asked; the question stays in the composer.

    Signals:
        everything_wanted: search all documents instead, in this chat from now on.
        choice_wanted: choose other files.
    """

    everything_wanted = Signal()
    choice_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setProperty("kind", "warning")
        self.sentence = PlainLabel(
            _("Nothing of what this chat searches is in the library any more.")
        )
        self.sentence.setWordWrap(True)
        self.everything = QPushButton(_("Search all documents"))
        self.choose = QPushButton(_("Choose again"))
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.setSpacing(S)
        row.addWidget(self.sentence, 1)
        for button in (self.choose, self.everything):
            button.setObjectName("quietButton")
            row.addWidget(button)
        self.everything.clicked.connect(self.everything_wanted)
        self.choose.clicked.connect(self.choice_wanted)
        self.hide()

    def ask(self) -> None:
        """Show it."""
        self.show()
        self.everything.setFocus()
        announce(self, self.sentence.text(), is_urgent=True)
