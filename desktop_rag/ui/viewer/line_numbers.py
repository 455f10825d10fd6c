"""Line numbers beside source code, as an editor shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QPainter, QPaintEvent, QTextBlock
from PySide6.QtWidgets import QWidget

from desktop_rag.ui.theme import SMALL_PX, Theme
from desktop_rag.ui.viewer.text_segments import Source

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.text_view import TextView

_SPACE_PX = 12


class LineNumbers(QWidget):
    """One number for each of the view's blocks; hidden for texts whose lines mean nothing."""

    def __init__(self, view: TextView, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self._theme = theme
        self._first = 1
        self.hide()
        view.verticalScrollBar().valueChanged.connect(lambda _: self.update())

    def show_for(self, source: Source, offset: int) -> None:
        """Count from the line at `offset`, where the lines of the text are counted."""
        self.setVisible(source.has_line_numbers)
        if source.has_line_numbers:
            self._first = source.number_of_line_at(offset)
        self.fit()
        self.update()

    def fit(self) -> None:
        """Be as high as the view and as wide as the numbers."""
        width = 0
        if not self.isHidden():
            last = self._first + self._view.document().blockCount()
            digits = "0" * max(len(str(last)), 3)
            width = self._metrics().horizontalAdvance(digits) + 2 * _SPACE_PX
        if self._view.viewportMargins().left() != width:
            self._view.set_left_room(width)
        inner = self._view.contentsRect()
        self.setGeometry(QRect(inner.left(), inner.top(), width, inner.height()))

    def _metrics(self) -> QFontMetrics:
        self.setFont(self._number_font())
        return self.fontMetrics()

    def _number_font(self) -> QFont:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self._theme.px(SMALL_PX))
        return font

    def number_of(self, block: QTextBlock) -> int:
        """Of the line that one of the view's blocks shows."""
        return self._first + block.blockNumber()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the numbers of the lines in view."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("raised"))
        painter.setFont(self._number_font())
        painter.setPen(self._theme.color("muted"))
        layout = self._view.document().documentLayout()
        top = self._view.verticalScrollBar().value()
        block = self._view.cursorForPosition(self._view.viewport().rect().topLeft()).block()
        while block.isValid():
            rect = layout.blockBoundingRect(block).translated(0, -top)
            if rect.top() > self.height():
                break
            area = QRect(0, round(rect.top()), self.width() - _SPACE_PX, self._line_height())
            number = str(self.number_of(block))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight), number)
            block = block.next()
        painter.end()

    def _line_height(self) -> int:
        return round(self._theme.px(SMALL_PX) * 1.6)
