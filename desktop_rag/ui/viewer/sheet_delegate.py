"""Paints a cell with exactly the letters marked that are cited or were found."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer import marking
from desktop_rag.ui.viewer.sheet_model import SheetModel
from desktop_rag.ui.viewer.sheet_rows import Span
from desktop_rag.ui.viewer.text_pieces import units

PADDING_PX = 8
_MOST_CHARS = 400
"""A cell is one line; nobody sees more of it than that."""


class SheetDelegate(QStyledItemDelegate):
    """`strength` is how much the citation lights up now."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.strength = 0.0

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Ground, marks, letters."""
        model = index.model()
        assert isinstance(model, SheetModel)
        painter.save()
        painter.setClipRect(option.rect)
        self._paint_ground(painter, option, model, index)
        self._paint_text(painter, option, model, index)
        painter.restore()

    def _paint_ground(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        model: SheetModel,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.color("accent_soft"))
        elif model.sheet.is_header(index.row()):
            painter.fillRect(option.rect, self._theme.color("raised"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))

    def _paint_text(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        model: SheetModel,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        span = model.cell(index)
        if span is None:
            return
        font = index.data(Qt.ItemDataRole.FontRole)
        text = model.sheet.text[span[0] : min(span[1], span[0] + _MOST_CHARS)]
        layout = QTextLayout(text, QFont(option.font))
        if isinstance(font, QFont):
            bold = QFont(option.font)
            bold.setBold(True)
            layout.setFont(bold)
        line = _laid_out(layout)
        room = QRectF(option.rect).adjusted(PADDING_PX, 0, -PADDING_PX, 0)
        top = room.top() + (room.height() - line) / 2
        left = room.right() - layout.maximumWidth() if _is_right_to_left(text) else room.left()
        painter.setPen(self._theme.color("text"))
        layout.draw(painter, QPointF(left, top), self._formats(model, span, text))

    def _formats(self, model: SheetModel, span: Span, text: str) -> list[QTextLayout.FormatRange]:
        tones = marking.tones(self._theme)
        marks = [(hit, tones.hit) for hit in model.hits_in(*span)]
        if model.mark is not None:
            marks.insert(0, (model.mark, tones.cited(self.strength)))
        if model.hit is not None:
            marks.append((model.hit, tones.current_hit))
        made = [_format(one, colour, span, text) for one, colour in marks]
        return [one for one in made if one is not None]


def _format(mark: Span, colour: QColor, cell: Span, text: str) -> QTextLayout.FormatRange | None:
    start, end = max(mark[0], cell[0]) - cell[0], min(mark[1], cell[1]) - cell[0]
    if start >= min(end, len(text)):
        return None
    made = QTextLayout.FormatRange()
    made.start = units(text[:start])
    made.length = units(text[start:end])
    style = QTextCharFormat()
    style.setBackground(colour)
    made.format = style
    return made


def _is_right_to_left(text: str) -> bool:
    """By its first letter that has a direction."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in {"L", "R", "AL"}:
            return direction != "L"
    return False


def _laid_out(layout: QTextLayout) -> float:
    """One line, as long as it is; returns its height."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    return line.height()
