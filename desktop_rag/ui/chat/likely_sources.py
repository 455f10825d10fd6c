"""What is likely to answer a question that is still being typed: one quiet row of files."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from desktop_rag.domain.answers import Passage
from desktop_rag.ui import icons, words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.chat.fitting import show_what_fits
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XS, Theme, scaled
from desktop_rag.ui.translation import _, counted

_MOST = 3


class LikelySources(QWidget):
    """Hidden until something was found; each file is named once, by its best passage.

    Signals:
        opened (Passage): to be shown in the viewer.
    """

    opened = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.buttons = [self._button() for _place in range(_MOST)]
        self._passages: list[Passage] = []
        self._label = PlainLabel(_("Likely sources:"))
        self._label.setObjectName("smallMuted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(XS)
        row.addWidget(self._label)
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        theme.changed.connect(self._colour_icons)
        self._colour_icons()
        self.hide()

    def show_passages(self, passages: Sequence[Passage]) -> None:
        """Name the files of the best passages; nothing hides the row."""
        best = {one.document: one for one in reversed(passages)}
        self._passages = [one for one in passages if best[one.document] is one][:_MOST]
        for button, passage in zip(self.buttons, self._passages, strict=False):
            self._name(button, passage)
        for button in self.buttons[len(self._passages) :]:
            button.hide()
        self.setVisible(bool(self._passages))
        self._fit()
        if self._passages:
            number = len(self._passages)
            announce(self, counted("{n} likely source", "{n} likely sources", number))

    def minimumSizeHint(self) -> QSize:
        """What does not fit is left out."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self._label.sizeHint().width() - XS
        show_what_fits(room, self.buttons[: len(self._passages)], XS)

    def _name(self, button: QToolButton, passage: Passage) -> None:
        title, place = words.title(passage), words.place(passage)
        room = button.fontMetrics().averageCharWidth() * 26
        mode = Qt.TextElideMode.ElideMiddle
        button.setText(button.fontMetrics().elidedText(title, mode, room).replace("&", "&&"))
        spoken = ", ".join(part for part in (title, place) if part)
        button.setAccessibleName(_("Likely source: {title}").format(title=spoken))
        button.setToolTip(tip(f"{spoken}\n\n“{words.preview(passage.text)}”"))

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("likelySource")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(scaled(14), scaled(14)))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.opened.emit(self._passages[self.buttons.index(button)]))
        return button

    def _colour_icons(self) -> None:
        for button in self.buttons:
            button.setIcon(icons.icon("file", self._theme.colours.muted))
