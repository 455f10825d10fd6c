"""Paints a found message: the title of its chat, the date, and two lines with the words marked."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.domain.chats import ChatHit
from desktop_rag.domain.excerpts import Excerpt
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, XS, S, Theme, sized

Index = QModelIndex | QPersistentModelIndex
_HIT, _DATE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_LINES = 2
_AROUND = 8
_CUT = 2
"""Characters that give way to an ellipsis."""
_WORD = 14


class HitDelegate(QStyledItemDelegate):
    """One to three lines on a rounded ground."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines."""
        hit = index.data(_HIT)
        lines = _LINES if isinstance(hit, ChatHit) and hit.snippet is not None else 0
        title = QFontMetrics(_title_font(option.font)).height()
        small = QFontMetrics(_small_font(option.font)).lineSpacing()
        return QSize(0, title + lines * small + 2 * _AROUND + (XS if lines else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        hit = index.data(_HIT)
        assert isinstance(hit, ChatHit)  # the model of this list holds nothing else
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        room = option.rect.adjusted(S + 2, _AROUND, -S, -_AROUND)
        title = self._paint_head(painter, option.font, room, hit, str(index.data(_DATE)))
        if hit.snippet is not None:
            below = room.adjusted(0, title + XS, 0, 0)
            self._paint_text(painter, below, hit.snippet, _small_font(option.font), "muted", _LINES)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state
        ground = QRectF(option.rect).adjusted(0.5, 1.5, -0.5, -1.5)
        is_marked = bool(state & QStyle.StateFlag.State_Selected)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_marked or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._theme.color("selected" if is_marked else "hover"))
            painter.drawRoundedRect(ground, 8, 8)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 8, 8)

    def _paint_head(
        self, painter: QPainter, font: QFont, room: QRect, hit: ChatHit, when: str
    ) -> int:
        """Title and date on a line; returns its height."""
        small = QFontMetrics(_small_font(font))
        height = QFontMetrics(_title_font(font)).height()
        line = QRect(room.left(), room.top(), room.width(), height)
        width = small.horizontalAdvance(when)
        at = QRect(line.right() - width, line.top(), width + 1, height)
        painter.setFont(_small_font(font))
        painter.setPen(self._theme.color("muted"))
        direction = self._view.layoutDirection()
        place = QStyle.visualRect(direction, line, at)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), when)
        title = QStyle.visualRect(direction, line, line.adjusted(0, 0, -width - S, 0))
        self._paint_text(painter, title, hit.title, _title_font(font), "text", 1)
        return height

    def _paint_text(
        self, painter: QPainter, room: QRect, shown: Excerpt, font: QFont, colour: str, lines: int
    ) -> None:
        """Some lines of text with its marks; the last ends in an ellipsis where there is more."""
        painter.setPen(self._theme.color(colour))
        layout = self._layout(shown, font, room.width(), lines)
        layout.draw(painter, QPointF(room.topLeft()))

    def _layout(self, shown: Excerpt, font: QFont, width: int, lines: int) -> QTextLayout:
        layout = QTextLayout(shown.text, font)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(self._marks(shown))
        end = _break(layout, width, lines, QFontMetrics(font).lineSpacing())
        if end >= _utf16(shown.text, len(shown.text)) or end <= _CUT:
            return layout
        return self._layout(_cut(shown, end), font, width, lines)

    def _marks(self, shown: Excerpt) -> list[QTextLayout.FormatRange]:
        ranges = []
        for start, end in shown.marks:
            one = QTextLayout.FormatRange()
            one.start, one.length = (
                _utf16(shown.text, start),
                _utf16(shown.text[start:], end - start),
            )
            style = QTextCharFormat()
            style.setForeground(QBrush(self._theme.color("text")))
            style.setBackground(QBrush(self._theme.color("highlight_text")))
            style.setFontWeight(QFont.Weight.DemiBold)
            one.format = style
            ranges.append(one)
        return ranges


def _cut(shown: Excerpt, end: int) -> Excerpt:
    """The beginning that fits with an ellipsis behind it; it ends with a word if one is near."""
    text = shown.text[: end - _CUT]
    space = text.rfind(" ", len(text) - _WORD)
    text = (text[:space] if space > 0 else text).rstrip()
    marks = tuple((start, min(stop, len(text))) for start, stop in shown.marks if start < len(text))
    return Excerpt(f"{text} …", marks)


def _break(layout: QTextLayout, width: int, lines: int, spacing: int) -> int:
    """Lay out so many lines; returns how much of the text they hold."""
    end = 0
    layout.beginLayout()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(1, width))
        line.setPosition(QPointF(0, number * spacing))
        end = line.textStart() + line.textLength()
    layout.endLayout()
    return end


def _utf16(text: str, position: int) -> int:
    """Qt counts in units of UTF-16, in which some characters are two."""
    return position + sum(ord(char) > 0xFFFF for char in text[:position])


def _title_font(font: QFont) -> QFont:
    return sized(font, BODY_PX - 1, QFont.Weight.Medium)


def _small_font(font: QFont) -> QFont:
    return sized(font, SMALL_PX)
