"""The whole window when the library cannot be opened: what happened and what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui import icons
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XXL, L, S, Theme

_HEADINGS = {
    "library-locked": ("lock", "Your library is open somewhere else"),
    "library-too-new": ("info", "This library needs a newer version"),
    "library-damaged": ("warning", "This library cannot be read"),
    "disk-full": ("warning", "The disk is full"),
}
_OTHER = ("warning", "Your library could not be opened")


class ErrorPage(QWidget):
    """One kind sentence, with the next step as a button.

    Signals:
        retry_requested, quit_requested
    """

    retry_requested = Signal()
    quit_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = "warning"
        self._build()
        self.retry.clicked.connect(self.retry_requested)
        self.quit.clicked.connect(self.quit_requested)
        theme.changed.connect(self._colour_icons)

    def _build(self) -> None:
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.heading = PlainLabel()
        self.heading.setObjectName("hero")
        self.sentence = PlainLabel()
        self.sentence.setObjectName("lead")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.retry = QPushButton("Try again")
        self.retry.setObjectName("primaryButton")
        self.quit = QPushButton("Quit")
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        buttons.addWidget(self.quit)
        buttons.addWidget(self.retry)
        buttons.addStretch(1)
        box = QWidget()
        box.setMaximumWidth(560)
        column = QVBoxLayout(box)
        column.setSpacing(S)
        column.addStretch(1)
        column.addWidget(self._picture)
        for label in (self.heading, self.sentence):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(L)
        column.addLayout(buttons)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(XXL, XXL, XXL, XXL)
        row.addStretch(1)
        row.addWidget(box, 1000)
        row.addStretch(1)

    def show_error(self, error: DesktopRagError) -> None:
        """Say what happened."""
        self._icon, heading = _HEADINGS.get(error.code, _OTHER)
        self.heading.setText(heading)
        self.sentence.setText(error.message)
        self.setAccessibleName(f"{heading}. {error.message}")
        self._colour_icons()

    def _colour_icons(self) -> None:
        picture = icons.icon(self._icon, self._theme.colours.accent, 52).pixmap(52, 52)
        self._picture.setPixmap(picture)
