"""Paints a chat in the list on the left."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.ui.theme import BODY_PX, S, Theme, sized

Index = QModelIndex | QPersistentModelIndex
_ROW_HEIGHT = 36


class ChatRowDelegate(QStyledItemDelegate):
    """One line, rounded; the open chat stands out."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line."""
        del index
        return QSize(option.rect.width(), _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        is_open = bool(state & QStyle.StateFlag.State_Selected)
        ground = QRectF(option.rect).adjusted(0.5, 1.5, -0.5, -1.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_open or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._theme.color("selected" if is_open else "hover"))
            painter.drawRoundedRect(ground, 8, 8)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 8, 8)
        weight = QFont.Weight.Medium if is_open else QFont.Weight.Normal
        font = sized(option.font, BODY_PX - 1, weight)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        room = option.rect.adjusted(S + 2, 0, -S, 0)
        title = str(index.data(Qt.ItemDataRole.DisplayRole)).replace("\n", " ")
        shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line to type another title in."""
        del option, index
        editor = QLineEdit(parent)
        editor.setObjectName("titleEdit")
        editor.setAccessibleName("Chat title")
        editor.setMaxLength(200)
        return editor
