"""Wrapped text as it is, with some of its words on the ground of a highlighter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.ui.chat.reading_direction import is_right_to_left
from desktop_rag.ui.theme import Theme

_MOST_LINES = 8
_LINE_HEIGHT = 1.35


class MarkedText(QWidget):
    """A label that never takes anything for HTML and can mark spans of its text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = ""
        self.spans: tuple[tuple[int, int], ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str, spans: Sequence[tuple[int, int]] = ()) -> None:
        """Show `text` with `spans` of it marked."""
        self.text, self.spans = text, tuple(spans)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        """As many lines as the text has, up to a few."""
        return math.ceil(self._laid_out(width)[1])

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(280, self.heightForWidth(max(self.width(), 280)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines."""
        del event
        layout, _ = self._laid_out(self.width())
        painter = QPainter(self)
        painter.setPen(self._theme.color("text"))
        layout.draw(painter, QPointF(0, 0))
        painter.end()

    def _laid_out(self, width: int) -> tuple[QTextLayout, float]:
        layout = QTextLayout(self.text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        if (is_mirrored := is_right_to_left(self.text)) is not None:
            sides = Qt.LayoutDirection
            option.setTextDirection(sides.RightToLeft if is_mirrored else sides.LeftToRight)
        layout.setTextOption(option)
        layout.setFormats([self._mark(start, end) for start, end in self.spans])
        layout.beginLayout()
        y = 0.0
        for _ in range(_MOST_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(1, width))
            line.setPosition(QPointF(0, y))
            y += self.fontMetrics().height() * _LINE_HEIGHT
        layout.endLayout()
        return layout, y

    def _mark(self, start: int, end: int) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start, made.length = start, end - start
        style = QTextCharFormat()
        style.setBackground(self._theme.color("highlight_text"))
        made.format = style
        return made
