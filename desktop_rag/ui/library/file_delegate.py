"""Paints a file of the library: state, name, where it is, and what is wrong with it."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui import icons, words
from desktop_rag.ui.library.file_words import facts
from desktop_rag.ui.library.remedies import failure_of
from desktop_rag.ui.models.files import FILE_ROLE
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, XL, XS, L, M, S, Theme, scaled, sized
from desktop_rag.ui.translation import _

Index = QModelIndex | QPersistentModelIndex
_ICON = 20
_FACTS_SHARE = 0.4
"""The part of a row that facts may take before some of them give way to the name."""
_STATES = {
    FileState.READY: ("check", "success"),
    FileState.QUEUED: ("clock", "faint"),
    FileState.READING: ("reading", "accent"),
    FileState.FAILED: ("warning", "danger"),
    FileState.SKIPPED: ("info", "faint"),
}


class FileDelegate(QStyledItemDelegate):
    """A row of two lines; a failed file has its reason and two buttons.

    The buttons are for the mouse: the menu, the panel of details and the Delete key do the same.

    Signals:
        retry_requested (LibraryFile), remove_requested (LibraryFile)
    """

    retry_requested = Signal(object)
    remove_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All rows are alike: long lists stay quick."""
        del index
        return QSize(option.rect.width(), sum(_heights()) + 18)

    # geometry, for painting, clicking and tests
    def retry_rect(self, row: QRect) -> QRect:
        """The Retry button of a failed row."""
        remove = self._remove_rect(row)
        width = self._button_width(_("Retry"))
        rect = QRect(remove.left() - S - width, remove.top(), width, remove.height())
        return self._mirrored(row, rect)

    def remove_rect(self, row: QRect) -> QRect:
        """The Remove button of a failed row."""
        return self._mirrored(row, self._remove_rect(row))

    def _remove_rect(self, row: QRect) -> QRect:
        width, height = self._button_width(_("Remove")), scaled(SMALL_PX) + L
        return QRect(row.right() - M - width, row.center().y() - height // 2, width, height)

    def _mirrored(self, row: QRect, rect: QRect) -> QRect:
        view = self.parent()
        is_mirrored = getattr(view, "layoutDirection", lambda: None)()
        direction = is_mirrored or Qt.LayoutDirection.LeftToRight
        return QStyle.visualRect(direction, row, rect)

    def _button_width(self, label: str) -> int:
        return QFontMetrics(self._button_font()).horizontalAdvance(label) + XL

    @staticmethod
    def _button_font() -> QFont:
        return sized(QFont(), SMALL_PX, QFont.Weight.Medium)

    # painting
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        file: LibraryFile = index.data(FILE_ROLE)
        row: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, row, option)
        self._paint_state(painter, row, file)
        if file.state is FileState.FAILED:
            trailing = row.right() - self._remove_rect(row).left() + S
            right = row.right() - trailing - self._button_width(_("Retry")) - M
            self._paint_button(painter, self.retry_rect(row), _("Retry"))
            self._paint_button(painter, self.remove_rect(row), _("Remove"))
        else:
            right = self._paint_facts(painter, row, file)
        left = row.left() + L + scaled(_ICON) + L
        self._paint_lines(painter, row, left, right - left, file)
        painter.restore()

    def _paint_ground(self, painter: QPainter, row: QRect, option: QStyleOptionViewItem) -> None:
        ground = QRectF(row).adjusted(1.5, 2.5, -1.5, -2.5)
        state = option.state
        painter.setPen(Qt.PenStyle.NoPen)
        if state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self._theme.color("selected"))
            painter.drawRoundedRect(ground, 8, 8)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(ground, 8, 8)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground, 8, 8)

    def _paint_state(self, painter: QPainter, row: QRect, file: LibraryFile) -> None:
        name, colour = _STATES[file.state]
        density = painter.device().devicePixelRatioF()
        side = scaled(_ICON)
        picture = icons.pixmap(name, getattr(self._theme.colours, colour), side, density)
        rect = QRect(row.left() + L, row.center().y() - side // 2, side, side)
        painter.drawPixmap(self._mirrored(row, rect).topLeft(), picture)

    def _paint_lines(
        self, painter: QPainter, row: QRect, left: int, width: int, file: LibraryFile
    ) -> None:
        path = PurePath(file.path)
        body, small = _heights()
        second, colour = words.isolated(str(path.parent)), "muted"
        if file.failure:
            second = failure_of(file)
            colour = "muted" if file.state is FileState.SKIPPED else "danger"
        top = row.top() + (row.height() - body - small) // 2
        name_font = sized(painter.font(), BODY_PX, QFont.Weight.Medium)
        self._line(
            painter,
            row,
            QRect(left, top, width, body),
            name_font,
            "text",
            words.one_line(path.name),
        )
        mode = Qt.TextElideMode.ElideRight if file.failure else Qt.TextElideMode.ElideMiddle
        room = QRect(left, top + body, width, small)
        self._line(painter, row, room, sized(painter.font(), SMALL_PX), colour, second, mode)

    def _line(
        self,
        painter: QPainter,
        row: QRect,
        room: QRect,
        font: QFont,
        colour: str,
        text: str,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(colour))
        shown = QFontMetrics(font).elidedText(text, mode, room.width())
        place = self._mirrored(row, room)
        is_mirrored = place != room or getattr(self.parent(), "isRightToLeft", bool)()
        side = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
        flags = int(Qt.AlignmentFlag.AlignVCenter | side | Qt.AlignmentFlag.AlignAbsolute)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.drawText(place, flags, shown)

    def _paint_facts(self, painter: QPainter, row: QRect, file: LibraryFile) -> int:
        """Counts on the trailing side; returns where they begin."""
        font = sized(painter.font(), SMALL_PX)
        said = fitting(facts(file), QFontMetrics(font), round(row.width() * _FACTS_SHARE))
        width = QFontMetrics(font).horizontalAdvance(said)
        room = QRect(row.right() - L - width, row.top(), width + 2, row.height())
        self._line(painter, row, room, font, "muted", said)
        return room.left() - M

    def _paint_button(self, painter: QPainter, rect: QRect, label: str) -> None:
        painter.setPen(self._theme.color("border_strong"))
        painter.setBrush(self._theme.color("window"))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        painter.setFont(self._button_font())
        painter.setPen(self._theme.color("text"))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), label)

    # clicking
    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click on one of the painted buttons."""
        file: LibraryFile = index.data(FILE_ROLE)
        is_click = event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent)
        if is_click and file.state is FileState.FAILED:
            position = event.position().toPoint()  # type: ignore[attr-defined]
            if self.retry_rect(option.rect).contains(position):
                self.retry_requested.emit(file)
                return True
            if self.remove_rect(option.rect).contains(position):
                self.remove_requested.emit(file)
                return True
        return super().editorEvent(event, model, option, index)


def _heights() -> tuple[int, int]:
    """Of a name and of what stands below it, with some air."""
    body = QFontMetrics(sized(QFont(), BODY_PX, QFont.Weight.Medium)).height()
    return body + XS, QFontMetrics(sized(QFont(), SMALL_PX)).height() + XS


def fitting(parts: list[str], metrics: QFontMetrics, room: int) -> str:
    """As many facts as leave room for the name; at least one."""
    shown = list(parts)
    while len(shown) > 1 and metrics.horizontalAdvance(" · ".join(shown)) > room:
        shown.pop()
    return " · ".join(shown)
