"""A bar with one sentence, and a command to copy or a button where there is something to do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme, scaled
from desktop_rag.ui.translation import _

_LINE = 30
"""Height of the close button: picture and a single line of text stand on its middle."""


class NoticeBar(QFrame):
    """Information (`info`) or a problem (`warning`) that does not stop the work.

    Signals:
        closed: the person has read it.
    """

    closed = Signal()

    def __init__(
        self, theme: Theme, kind: str, command: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._kind = kind
        self._command = command
        self.offered: QPushButton | None = None
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("noticeBar")
        self.setProperty("kind", self._kind)
        self._picture = PlainLabel()
        self._picture.setFixedHeight(scaled(_LINE))
        self.sentence = PlainLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(_("Dismiss"))
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.setSpacing(S)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(XS)
        column.addWidget(self.sentence)
        if self._command:
            column.addLayout(self._build_command())
        row.addLayout(column, 1)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._row = row

    def _build_command(self) -> QHBoxLayout:
        code = PlainLabel(self._command)
        code.setObjectName("code")
        code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = QToolButton()
        self._copy.setAccessibleName(_("Copy command"))
        self._copy.setToolTip(_("Copy command"))
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._command))
        self._actions = QHBoxLayout()
        self._actions.addWidget(code)
        self._actions.addWidget(self._copy)
        self._actions.addStretch(1)
        return self._actions

    def add_action(self, button: QWidget) -> None:
        """A button on the line of the command."""
        self._actions.addWidget(button)

    def add_button(self, button: QWidget) -> None:
        """A button behind the sentence."""
        self._row.insertWidget(self._row.indexOf(self.close_button), button)

    def offer(self, text: str, do: Callable[[], None]) -> None:
        """A button behind the sentence that is shown; it goes with the sentence."""
        self._drop_offer()
        button = QPushButton(text)
        button.setObjectName("quietButton")
        button.clicked.connect(do)
        self.offered = button
        self.add_button(button)

    def _drop_offer(self) -> None:
        if self.offered is not None:
            self.offered.hide()
            self.offered.deleteLater()
            self.offered = None

    def _connect(self) -> None:
        self.close_button.clicked.connect(self.hide)
        self.close_button.clicked.connect(self.closed)
        self._theme.changed.connect(self._colour_icons)

    def say(self, sentence: str, kind: str = "") -> None:
        """Show another sentence, as another `kind` if one is given."""
        self._drop_offer()
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        if kind and kind != self._kind:
            self._kind = kind
            self.setProperty("kind", kind)
            self.style().unpolish(self)
            self.style().polish(self)
            self._colour_icons()

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        colour = colours.warning if self._kind == "warning" else colours.accent_text
        self._picture.setPixmap(icons.picture(self._kind, colour))
        self.close_button.setIcon(icons.icon("close", colours.muted, 16))
        if self._command:
            self._copy.setIcon(icons.icon("copy", colours.muted, 16))
