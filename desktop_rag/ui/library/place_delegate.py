"""Paints a folder, a collection or a tag in the list of places."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.domain.library import Tier
from desktop_rag.ui import icons, words
from desktop_rag.ui.models.places import PLACE_ROLE, Place, PlaceKind
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, XS, M, S, Theme, scaled, sized
from desktop_rag.ui.translation import _, numeral

Index = QModelIndex | QPersistentModelIndex
_ICONS = {
    PlaceKind.ALL: "library",
    PlaceKind.FOLDER: "folder",
    PlaceKind.SINGLE: "file",
    PlaceKind.COLLECTION: "collection",
    PlaceKind.TAG: "tag",
}


class PlaceDelegate(QStyledItemDelegate):
    """One line for names, two for folders; everything mirrored where people read that way."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines."""
        place: Place = index.data(PLACE_ROLE)
        body, small = self._heights()
        if place.kind is PlaceKind.HEADING:
            return QSize(40, small + M + S)
        if place.kind is PlaceKind.HINT:
            width = self._view_width() - 2 * M
            return QSize(40, self._hint_bounds(place, width).height() + S)
        lines = body + small if place.kind is PlaceKind.FOLDER else body
        return QSize(40, lines + M)

    def _view_width(self) -> int:
        view = self.parent()
        return max(view.viewport().width(), 80) if isinstance(view, QAbstractItemView) else 200

    def _hint_bounds(self, place: Place, width: int) -> QRect:
        flags = int(Qt.TextFlag.TextWordWrap)
        metrics = QFontMetrics(sized(QFont(), SMALL_PX))
        return metrics.boundingRect(QRect(0, 0, width, 1000), flags, place.name)

    @staticmethod
    def _heights() -> tuple[int, int]:
        return (
            QFontMetrics(sized(QFont(), BODY_PX)).height(),
            QFontMetrics(sized(QFont(), SMALL_PX)).height(),
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        place: Place = index.data(PLACE_ROLE)
        row: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if place.can_be_chosen:
            self._paint_ground(painter, row, option)
            self._paint_place(painter, option, place)
        else:
            self._paint_words(painter, option, place)
        painter.restore()

    def _paint_ground(self, painter: QPainter, row: QRect, option: QStyleOptionViewItem) -> None:
        ground = QRectF(row).adjusted(1, 1, -1, -1)
        flag = QStyle.StateFlag
        painter.setPen(Qt.PenStyle.NoPen)
        if option.state & flag.State_Selected:
            painter.setBrush(self._theme.color("selected"))
            painter.drawRoundedRect(ground, 8, 8)
        elif option.state & flag.State_MouseOver:
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(ground, 8, 8)
        if option.state & flag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, place: Place) -> None:
        is_heading = place.kind is PlaceKind.HEADING
        weight = QFont.Weight.DemiBold if is_heading else QFont.Weight.Normal
        painter.setFont(sized(painter.font(), SMALL_PX, weight))
        painter.setPen(self._theme.color("muted"))
        room = option.rect.adjusted(S, 0, -S, -XS)
        vertical = Qt.AlignmentFlag.AlignBottom if is_heading else Qt.AlignmentFlag.AlignTop
        flags = int(vertical | self._leading(option) | Qt.TextFlag.TextWordWrap)
        painter.drawText(room, flags, place.name)

    @staticmethod
    def _leading(option: QStyleOptionViewItem) -> Qt.AlignmentFlag:
        flag = Qt.AlignmentFlag
        return QStyle.visualAlignment(option.direction, flag.AlignLeft)

    def _paint_place(self, painter: QPainter, option: QStyleOptionViewItem, place: Place) -> None:
        row, side = option.rect, scaled(18)
        body, small = self._heights()
        icon = QRect(row.left() + S, row.center().y() - side // 2, side, side)
        shown = QStyle.visualRect(option.direction, row, icon)
        density = painter.device().devicePixelRatioF()
        colour = self._theme.colours.muted
        painter.drawPixmap(shown.topLeft(), icons.pixmap(_ICONS[place.kind], colour, side, density))
        count = numeral(place.files)
        font = sized(painter.font(), SMALL_PX)
        count_width = QFontMetrics(font).horizontalAdvance(count)
        trailing = QRect(row.right() - S - count_width, row.top(), count_width + 1, row.height())
        self._line(painter, option, trailing, font, "muted", count)
        left = icon.right() + 1 + S
        room = trailing.left() - S - left
        top = row.top() + (row.height() - body) // 2
        if place.kind is PlaceKind.FOLDER:
            top = row.top() + (row.height() - body - small) // 2
            colour_name, second = self._second_line(place)
            self._line(
                painter, option, QRect(left, top + body, room, small), font, colour_name, second
            )
        name = sized(painter.font(), BODY_PX)
        self._line(painter, option, QRect(left, top, room, body), name, "text", place.title)

    @staticmethod
    def _second_line(place: Place) -> tuple[str, str]:
        source = place.source
        if source is not None and not source.is_online:
            return "warning", _("Offline")
        if source is not None and source.tier is not Tier.NORMAL:
            is_more = source.tier is Tier.PRIMARY
            return "accent_text", _("Counts more") if is_more else _("Counts less")
        return "muted", words.isolated(str(PurePath(place.name).parent))

    def _line(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        room: QRect,
        font: QFont,
        colour: str,
        text: str,
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(colour))
        shown = QStyle.visualRect(option.direction, option.rect, room)
        fitting = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        flags = int(Qt.AlignmentFlag.AlignVCenter | self._leading(option))
        painter.drawText(shown, flags, fitting)
