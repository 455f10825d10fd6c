"""The sentence shown at once: a quotation with its source, until the written answer is there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Citation
from desktop_rag.ui import words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XS, M, S
from desktop_rag.ui.translation import _

_MAX_CHARS = 600
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class QuoteCard(QAbstractButton):
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
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.clicked.connect(self._on_clicked)
        self._build()
        self.hide()

    def _build(self) -> None:
        self.heading = ElidedLabel()
        self.heading.setObjectName("sectionLabel")
        self.quote = PlainLabel()
        self.quote.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(XS)
        column.addWidget(self.heading)
        column.addWidget(self.quote)

    def show_quote(self, citation: Citation) -> None:
        """Quote, and say where that stands."""
        self._citation = citation
        where = " · ".join(filter(None, (words.title(citation), words.place(citation))))
        self.heading.setText(_("Quoted from {where}").format(where=where))
        self.quote.setText(f"“{words.preview(citation.quote, _MAX_CHARS)}”")
        self.setAccessibleName(f"{self.heading.text()}: “{words.preview(citation.quote)}”")
        self.setToolTip(tip(citation.path))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and border, as the style sheet says."""
        del event
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the place, too: not every desktop presses buttons with it."""
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def _on_clicked(self) -> None:
        if self._citation is not None:
            self.opened.emit(self._citation)
