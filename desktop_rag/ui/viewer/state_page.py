"""What stands in the place of a document that cannot be shown: why, the quote, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui import icons, words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, L, M, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.stored_quote import StoredQuote

_ICON_PX = 32


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button that does something about it."""

    label: str
    act: Callable[[], None]


class StatePage(QScrollArea):
    """One sentence with the next step, and buttons for it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = "info"
        self._build()
        theme.changed.connect(self._colour_icon)

    def _build(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setObjectName("viewerState")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = PlainLabel()
        self.sentence.setObjectName("lead")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._above = PlainLabel(_("The passage as it was read:"))
        self._above.setObjectName("smallMuted")
        self.quote = StoredQuote()
        inner = QWidget()
        inner.setObjectName("viewerStateInner")
        column = QVBoxLayout(inner)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addStretch(1)
        for widget in (self._picture, self.sentence, self._above, self.quote):
            column.addWidget(widget)
        column.addSpacing(L)
        column.addLayout(self._build_buttons())
        column.addStretch(2)
        self.setWidget(inner)

    def _build_buttons(self) -> QHBoxLayout:
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(S)
        self._row.addStretch(1)
        self._row.addStretch(1)
        return self._row

    def say(
        self,
        sentence: str,
        *,
        icon: str = "info",
        quote: str = "",
        remedies: Sequence[Remedy] = (),
    ) -> None:
        """Show why, and what to do."""
        self._icon = icon
        self.sentence.setText(sentence)
        self.quote.setText(f"“{words.preview(quote, 600)}”")
        self.quote.setVisible(bool(quote))
        self._above.setVisible(bool(quote))
        self._offer(remedies)
        self._colour_icon()
        announce(self, sentence)

    def _offer(self, remedies: Sequence[Remedy]) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for remedy in remedies:
            button = QPushButton(remedy.label)
            button.clicked.connect(lambda _=False, act=remedy.act: act())
            self._row.insertWidget(self._row.count() - 1, button)
            self.buttons.append(button)

    def _colour_icon(self) -> None:
        colour = self._theme.colours.faint
        self._picture.setPixmap(icons.picture(self._icon, colour, _ICON_PX))
