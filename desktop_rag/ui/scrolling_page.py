"""A page of cards below each other, in a column that is no wider than is good to read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.ui.background import Background
from desktop_rag.ui.page import Page
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, XXL, L, S, Theme


class ScrollingPage(Page):
    """Its title and lead stay above the cards that `add` puts into it."""

    def __init__(self, theme: Theme, background: Background, title: str, lead: str) -> None:
        super().__init__(theme, background)
        self._column = QVBoxLayout()
        self._column.setSpacing(XL)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scrolling(self._body(title, lead)))

    def add(self, card: QWidget) -> None:
        """One more card at the end."""
        self._column.addWidget(card)

    def _body(self, title: str, lead: str) -> QWidget:
        heading, sentence = PlainLabel(title), PlainLabel(lead)
        heading.setObjectName("pageTitle")
        sentence.setObjectName("muted")
        sentence.setWordWrap(True)
        body = QWidget()
        body.setObjectName("settingsBody")
        body.setMaximumWidth(self.theme.px(COLUMN_WIDTH))
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 0, XXL)
        inner.setSpacing(S)
        inner.addWidget(heading)
        inner.addWidget(sentence)
        inner.addSpacing(L)
        inner.addLayout(self._column)
        inner.addStretch(1)
        return body

    def _scrolling(self, body: QWidget) -> QScrollArea:
        self.area = QScrollArea()
        self.area.setObjectName("settingsScroll")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        holder = QWidget()
        holder.setObjectName("settingsBody")
        row = QHBoxLayout(holder)
        row.setContentsMargins(XXL, XL, XXL, 0)
        row.addStretch(1)
        row.addWidget(body, 1000)
        row.addStretch(1)
        self.area.setWidget(holder)
        return self.area
