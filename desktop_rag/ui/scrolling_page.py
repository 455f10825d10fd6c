"""A page of cards below each other, in a column that is no wider than is good to read."""

from __future__ import annotations

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.ui.background import Background
from desktop_rag.ui.page import Page
from desktop_rag.ui.page_column import in_the_middle, scrolled
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, XXL, L, S, Theme


class ScrollingPage(Page):
    """Its title and lead (if it has one) scroll with the cards that `add` puts below them."""

    def __init__(
        self,
        theme: Theme,
        background: Background,
        title: str,
        lead: str = "",
        width: int = COLUMN_WIDTH,
    ) -> None:
        super().__init__(theme, background)
        self._width = width
        self._column = QVBoxLayout()
        self._column.setSpacing(XL)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.area = scrolled(_centred(self._body(title, lead), XL))
        self.area.setObjectName("settingsScroll")
        self._layout.addWidget(self.area)

    def add(self, card: QWidget) -> None:
        """One more card at the end."""
        self._column.addWidget(card)

    def put_above(self, bar: QWidget) -> None:
        """What stays in sight while the cards scroll."""
        bar.setMaximumWidth(self.theme.px(COLUMN_WIDTH))
        self._layout.insertWidget(0, _centred(bar, S))

    def _body(self, title: str, lead: str) -> QWidget:
        heading, sentence = PlainLabel(title), PlainLabel(lead)
        heading.setObjectName("pageTitle")
        sentence.setObjectName("muted")
        sentence.setWordWrap(True)
        body = QWidget()
        body.setObjectName("settingsBody")
        body.setMaximumWidth(self.theme.px(self._width))
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, XXL)
        inner.setSpacing(S)
        inner.addWidget(heading)
        inner.addWidget(sentence)
        sentence.setVisible(bool(lead))
        inner.addSpacing(L if lead else S)
        inner.addLayout(self._column)
        inner.addStretch(1)
        return body


def _centred(widget: QWidget, above: int) -> QWidget:
    return in_the_middle(widget, "settingsBody", QMargins(XXL, above, XXL, 0))
