"""Paints a chat in the list on the left."""

from __future__ import annotations

import unicodedata
from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.ui import icons, words
from desktop_rag.ui.models.conversations import ChatRole, ConversationModel
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, XS, S, Theme, scaled, sized
from desktop_rag.ui.translation import _

Index = QModelIndex | QPersistentModelIndex
_AROUND = 9
"""Above and below a title."""
_DOT = 7


class ChatRowDelegate(QStyledItemDelegate):
    """One line, rounded, with a heading above the first of a group; the open chat stands out."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._sizes: dict[tuple[bool, bool], QSize] = {}
        """By (has a heading, is the first): hundreds of rows are asked for at every resize."""
        theme.changed.connect(self._sizes.clear)

    # where things are
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the list happens to be: titles end in an ellipsis."""
        # Asked of the model itself: by way of Qt, other threads are let in for each of 500 rows.
        row = index.row()
        kind = (cast("ConversationModel", index.model()).has_heading(row), row == 0)
        if kind not in self._sizes:
            height = QFontMetrics(_title_font(option.font)).height() + 2 * _AROUND
            self._sizes[kind] = QSize(0, height + self._heading_height(index))
        return self._sizes[kind]

    def row_rect(self, rect: QRect, index: Index) -> QRect:
        """The row itself, without the heading."""
        return rect.adjusted(0, self._heading_height(index), 0, 0)

    def menu_rect(self, rect: QRect, index: Index) -> QRect:
        """The place of the button with three dots."""
        row = self.row_rect(rect, index)
        side = row.height() - 2 * XS
        made = QRect(row.right() - XS - side, row.top() + XS, side, side)
        return _mirrored(made, row, self._view)

    def _heading_height(self, index: Index) -> int:
        if not index.data(ChatRole.HEADING):
            return 0
        above = S if index.row() else 0
        return QFontMetrics(_heading_font(self._view.font())).height() + above + XS + 2

    # painting
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = self.row_rect(option.rect, index)
        if heading := index.data(ChatRole.HEADING):
            self._paint_heading(painter, option, row, str(heading))
        is_over = self._is_over(option, row)
        self._paint_ground(painter, option, row, is_over=is_over)
        room = row.adjusted(S + 2, 0, -S, 0)
        if is_over or option.state & QStyle.StateFlag.State_HasFocus:
            button = self.menu_rect(option.rect, index)
            self._paint_button(painter, button)
            room = _mirrored(room.adjusted(0, 0, -button.width(), 0), row, self._view)
        elif index.data(ChatRole.IS_ANSWERING):
            self._paint_dot(painter, row)
            room = _mirrored(room.adjusted(0, 0, -_DOT - S, 0), row, self._view)
        self._paint_title(painter, option, room, index)
        painter.restore()

    def _is_over(self, option: QStyleOptionViewItem, row: QRect) -> bool:
        if not option.state & QStyle.StateFlag.State_MouseOver:
            return False
        viewport = self._view.viewport()
        return row.contains(viewport.mapFromGlobal(self._view.cursor().pos()))

    def _paint_heading(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRect, heading: str
    ) -> None:
        font = _heading_font(option.font)
        room = QRect(
            row.left() + S + 2,
            option.rect.top(),
            row.width() - 2 * S,
            row.top() - option.rect.top() - XS,
        )
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        shown = QFontMetrics(font).elidedText(heading, Qt.TextElideMode.ElideRight, room.width())
        side = QStyle.visualAlignment(self._view.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignBottom), shown)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRect, *, is_over: bool
    ) -> None:
        is_open = bool(option.state & QStyle.StateFlag.State_Selected)
        ground = QRectF(row).adjusted(0.5, 1.5, -0.5, -1.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_open or is_over:
            painter.setBrush(self._theme.color("selected" if is_open else "hover"))
            painter.drawRoundedRect(ground, 8, 8)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 8, 8)

    def _paint_title(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, index: Index
    ) -> None:
        is_open = bool(option.state & QStyle.StateFlag.State_Selected)
        weight = QFont.Weight.Medium if is_open else QFont.Weight.Normal
        font = _title_font(option.font, weight)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        title = words.one_line(" ".join(str(index.data(Qt.ItemDataRole.DisplayRole)).split()))
        shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        side = QStyle.visualAlignment(self._view.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        painter.drawText(room, int(side | Qt.AlignmentFlag.AlignVCenter) | _direction(title), shown)

    def _paint_button(self, painter: QPainter, button: QRect) -> None:
        if button.contains(self._view.viewport().mapFromGlobal(self._view.cursor().pos())):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("border"))
            painter.drawRoundedRect(QRectF(button), 6, 6)
        size = scaled(16)
        picture = QRect(0, 0, size, size)
        picture.moveCenter(button.center())
        icons.icon("more", self._theme.colours.muted, 16).paint(painter, picture)

    def _paint_dot(self, painter: QPainter, row: QRect) -> None:
        dot = QRect(row.right() - S - _DOT, row.center().y() - _DOT // 2, _DOT, _DOT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawEllipse(_mirrored(dot, row, self._view))

    # editing
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A line to type another title in."""
        del option, index
        editor = QLineEdit(parent)
        editor.setObjectName("titleEdit")
        editor.setAccessibleName(_("Chat title"))
        editor.setMaxLength(200)
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """In the row, below the heading."""
        editor.setGeometry(self.row_rect(option.rect, index))


def _title_font(font: QFont, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    return sized(font, BODY_PX - 1, weight)


def _heading_font(font: QFont) -> QFont:
    return sized(font, SMALL_PX, QFont.Weight.DemiBold)


def _direction(text: str) -> int:
    """The direction its first letter asks for, so that the ellipsis ends it in any window."""
    for letter in text:
        if (kind := unicodedata.bidirectional(letter)) in ("L", "R", "AL"):
            flags = Qt.TextFlag
            return int(flags.TextForceLeftToRight if kind == "L" else flags.TextForceRightToLeft)
    return 0


def _mirrored(rect: QRect, within: QRect, view: QAbstractItemView) -> QRect:
    return QStyle.visualRect(view.layoutDirection(), within, rect)
