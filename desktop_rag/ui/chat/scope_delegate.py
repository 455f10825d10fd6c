"""Paints a row of the list that a chat's part of the library is chosen from."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.ui import icons
from desktop_rag.ui.theme import BODY_PX, M, S, Theme, scaled, sized

_Index = QModelIndex | QPersistentModelIndex
_ICONS = {"collection": "library", "folder": "folder", "file": "file"}


class ScopeDelegate(QStyledItemDelegate):
    """A box to tick, a picture of the kind, and the title."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One line."""
        del option, index
        return QSize(scaled(200), scaled(34))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint the row."""
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        direction: Qt.LayoutDirection = option.direction
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, state)
        side = scaled(17)
        box = QRect(rect.left() + S, rect.center().y() - side // 2, side, side)
        picture = QRect(box.right() + M, rect.center().y() - side // 2, side, side)
        words = rect.adjusted(picture.right() - rect.left() + M, 0, -S, 0)
        places = [QStyle.visualRect(direction, rect, one) for one in (box, picture, words)]
        self._paint_box(painter, places[0], is_on=_is_ticked(index))
        name = _ICONS[str(index.data(Qt.ItemDataRole.UserRole))]
        icons.icon(name, self._theme.colours.muted).paint(painter, places[1])
        painter.setFont(sized(option.font, BODY_PX))
        painter.setPen(self._theme.color("text"))
        title = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideMiddle, places[2].width()
        )
        lead = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(places[2], int(QStyle.visualAlignment(direction, lead)), title)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        ground = QRectF(rect).adjusted(1, 1, -1, -1)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("accent"), 1.4))
        if state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus):
            painter.setBrush(self._theme.color("hover"))
            painter.drawRoundedRect(ground, 7, 7)

    def _paint_box(self, painter: QPainter, box: QRect, *, is_on: bool) -> None:
        painter.setPen(QPen(self._theme.color("accent" if is_on else "border_strong"), 1.4))
        painter.setBrush(self._theme.color("accent" if is_on else "window"))
        painter.drawRoundedRect(QRectF(box), 4, 4)
        if is_on:
            painter.setPen(QPen(self._theme.color("on_accent"), 1.9))
            left, top, side = box.left(), box.top(), box.width()
            points = ((0.25, 0.52), (0.43, 0.7), (0.76, 0.32))
            ends = [(left + x * side, top + y * side) for x, y in points]
            for (x, y), (to_x, to_y) in pairwise(ends):
                painter.drawLine(round(x), round(y), round(to_x), round(to_y))


def _is_ticked(index: _Index) -> bool:
    return bool(index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked)
