"""One row of the Settings page: what it is, what it does, its control, and what went wrong."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import WORDS_WIDTH
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.preferences.controls import Control
from desktop_rag.ui.theme import XS, L, M, S, Theme
from desktop_rag.ui.translation import _


class SettingRow(QFrame):
    """Knows nothing of where the value is kept.

    Signals:
        chosen (str): the person wants this value.
        reset_requested: the person wants the default back.
    """

    chosen = Signal(str)
    reset_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        sentence: str,
        control: Control,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.control = control
        self._build(title, sentence)
        self.control.chosen.connect(self.chosen)
        self.reset.clicked.connect(self.reset_requested)
        theme.changed.connect(self._colour_icons)
        self._colour_icons()

    def _build(self, title: str, sentence: str) -> None:
        self.setObjectName("settingRow")
        self.title = PlainLabel(title)
        self.title.setObjectName("settingTitle")
        self.title.setBuddy(self.control.field)
        self.sentence = PlainLabel(sentence)
        self.sentence.setObjectName("smallMuted")
        self.note = PlainLabel(_("Takes effect when Desktop RAG is started again."))
        self.note.setObjectName("settingNote")
        self.error = PlainLabel()
        self.error.setObjectName("smallDanger")
        self.control.describe(title, sentence)
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self.title, self.sentence, self.note, self.error):
            label.setWordWrap(True)
            words.addWidget(label)
        self.note.hide()
        self.error.hide()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(L, M, L, M)
        self._grid.setHorizontalSpacing(L)
        self._grid.setVerticalSpacing(S)
        self._grid.addLayout(words, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._side = self._build_control(title)
        self._is_stacked: bool | None = None
        self._place(is_stacked=False)

    def _place(self, *, is_stacked: bool) -> None:
        """The control beside the words, or below them where there is no room for both."""
        if is_stacked == self._is_stacked:
            return
        self._is_stacked = is_stacked
        self._grid.removeWidget(self._side)
        direction = QBoxLayout.Direction
        self._side_row.setDirection(direction.RightToLeft if is_stacked else direction.LeftToRight)
        if is_stacked:
            self._grid.addWidget(self._side, 1, 0, Qt.AlignmentFlag.AlignLeading)
        else:
            self._grid.addWidget(self._side, 0, 1, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Large text in a small window wants another arrangement."""
        super().resizeEvent(event)
        needed = self.control.sizeHint().width() + self._theme.px(WORDS_WIDTH)
        self._place(is_stacked=self.width() < needed)

    def _build_control(self, title: str) -> QWidget:
        self.reset = QToolButton()
        self.reset.setToolTip(_("Back to the default"))
        self.reset.setAccessibleName(_("{setting}: back to the default").format(setting=title))
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.reset.hide()
        side = QWidget()
        self._side_row = QHBoxLayout(side)
        self._side_row.setContentsMargins(0, 0, 0, 0)
        self._side_row.setSpacing(XS)
        self._side_row.addWidget(self.reset)
        self._side_row.addWidget(self.control)
        return side

    def show_value(self, value: str, *, is_default: bool) -> None:
        """What is chosen now; there is nothing to reset when it is the default."""
        self.control.show_value(value)
        if is_default and self.reset.hasFocus():
            self.control.field.setFocus()
        self.reset.setVisible(not is_default)
        self.show_error("")

    def show_restart(self, *, is_due: bool) -> None:
        """Say that the value is not in force yet."""
        if is_due and self.note.isHidden():
            announce(self, self.note.text())
        self.note.setVisible(is_due)

    def show_error(self, sentence: str) -> None:
        """Say what is wrong with what was typed; nothing when all is well."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        self.control.field.setProperty("invalid", bool(sentence))
        self.style().unpolish(self.control.field)
        self.style().polish(self.control.field)
        if sentence:
            announce(self, sentence, is_urgent=True)

    def _colour_icons(self) -> None:
        self.reset.setIcon(icons.icon("retry", self._theme.colours.muted, 16))
