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

from desktop_rag.domain.coverage import waiting_words
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui import icons, words
from desktop_rag.ui.models.files import FILE_ROLE
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, L, M, S, Theme, sized

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 60
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
        return QSize(option.rect.width(), ROW_HEIGHT)

    # geometry, for painting, clicking and tests
    def retry_rect(self, row: QRect) -> QRect:
        """The Retry button of a failed row."""
        remove = self.remove_rect(row)
        width = self._button_width("Retry")
        return QRect(remove.left() - S - width, remove.top(), width, remove.height())

    def remove_rect(self, row: QRect) -> QRect:
        """The Remove button of a failed row."""
        width = self._button_width("Remove")
        return QRect(row.right() - M - width, row.center().y() - 14, width, 28)

    def _button_width(self, label: str) -> int:
        return QFontMetrics(self._button_font()).horizontalAdvance(label) + 24

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
        right = row.right() - M
        if file.state is FileState.FAILED:
            right = self.retry_rect(row).left() - M
            self._paint_button(painter, self.retry_rect(row), "Retry")
            self._paint_button(painter, self.remove_rect(row), "Remove")
        else:
            right = self._paint_facts(painter, row, file)
        self._paint_lines(
            painter, QRect(row.left() + 52, row.top(), right - row.left() - 52, ROW_HEIGHT), file
        )
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
        picture = icons.pixmap(name, getattr(self._theme.colours, colour), _ICON, density)
        painter.drawPixmap(row.left() + L, row.center().y() - _ICON // 2, picture)

    def _paint_lines(self, painter: QPainter, room: QRect, file: LibraryFile) -> None:
        path = PurePath(file.path)
        second, colour = (file.failure, "danger") if file.failure else (str(path.parent), "muted")
        if file.state is FileState.SKIPPED:
            second, colour = f"Left out: {file.failure}", "muted"
        name_font = sized(painter.font(), BODY_PX, QFont.Weight.Medium)
        self._line(
            painter,
            QRect(room.left(), room.top() + 9, room.width(), 22),
            name_font,
            "text",
            path.name,
        )
        mode = Qt.TextElideMode.ElideRight if file.failure else Qt.TextElideMode.ElideMiddle
        small = sized(painter.font(), SMALL_PX)
        self._line(
            painter,
            QRect(room.left(), room.top() + 31, room.width(), 20),
            small,
            colour,
            second,
            mode,
        )

    def _line(
        self,
        painter: QPainter,
        room: QRect,
        font: QFont,
        colour: str,
        text: str,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(colour))
        shown = QFontMetrics(font).elidedText(text, mode, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), shown)

    def _paint_facts(self, painter: QPainter, row: QRect, file: LibraryFile) -> int:
        """Counts on the right; returns where they begin."""
        font = sized(painter.font(), SMALL_PX)
        facts = _fitting(_facts(file), QFontMetrics(font), round(row.width() * _FACTS_SHARE))
        width = QFontMetrics(font).horizontalAdvance(facts)
        room = QRect(row.right() - L - width, row.top(), width + 2, row.height())
        self._line(painter, room, font, "muted", facts)
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


def _facts(file: LibraryFile) -> list[str]:
    """The most telling one first."""
    waiting = waiting_words(file.coverage)
    if file.state is FileState.SKIPPED:
        return [words.size(file.size)]
    if file.state is FileState.QUEUED:
        return [_capitalised(waiting) or "Waiting"]
    if file.state is FileState.READING:
        return ["Recognising text …" if waiting else "Reading …"]
    pages = [words.count(file.pages, "page")] if file.pages else []
    if waiting:
        pages = [waiting]
    return [*pages, words.count(file.chunks, "passage"), words.size(file.size)]


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fitting(facts: list[str], metrics: QFontMetrics, room: int) -> str:
    """As many facts as leave room for the name; at least one."""
    shown = list(facts)
    while len(shown) > 1 and metrics.horizontalAdvance(" · ".join(shown)) > room:
        shown.pop()
    return " · ".join(shown)
