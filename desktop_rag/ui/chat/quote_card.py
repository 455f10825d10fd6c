"""The sentence shown at once: a quotation with its source, until the written answer is there."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.excerpts import excerpt
from desktop_rag.ui import words
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XS, M, S

_MAX_CHARS = 600
_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class QuoteCard(QFrame):
    """Says that it quotes and from where; a click, Enter or Space opens the place.

    Signals:
        opened (Citation)
    """

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._citation: Citation | None = None
        self.setObjectName("quoteCard")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.heading = PlainLabel()
        self.heading.setObjectName("sectionLabel")
        self.quote = QLabel()
        self.quote.setTextFormat(Qt.TextFormat.RichText)
        self.quote.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS)
        column.addWidget(self.heading)
        column.addWidget(self.quote)
        self.hide()

    def show_quote(self, citation: Citation, question: str) -> None:
        """Quote, with the words of the question in bold."""
        self._citation = citation
        where = " · ".join(filter(None, (words.title(citation), words.place(citation))))
        self.heading.setText(f"Quoted from {where}")
        self.quote.setText(f"“{_marked(citation.quote, question)}”")
        self.setAccessibleName(f"{self.heading.text()}: “{words.preview(citation.quote)}”")
        self.setToolTip(tip(citation.path))
        self.show()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click opens the place."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._open()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """So do Enter and Space."""
        if event.key() in _KEYS:
            self._open()
        else:
            super().keyPressEvent(event)

    def _open(self) -> None:
        if self._citation is not None:
            self.opened.emit(self._citation)


def _marked(quote: str, question: str) -> str:
    """As HTML; whatever a document contains is text."""
    piece = excerpt(quote, question, _MAX_CHARS)
    made, end = [], 0
    for first, last in sorted(piece.marks):
        made += [
            html.escape(piece.text[end:first]),
            f"<b>{html.escape(piece.text[first:last])}</b>",
        ]
        end = last
    return "".join([*made, html.escape(piece.text[end:])])
