"""The text of an answer: citation chips under mouse and keyboard, and marks that explain."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCursor,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_rag.ui import plain
from desktop_rag.ui.chat import outside_links
from desktop_rag.ui.chat.answer_places import Stop
from desktop_rag.ui.chat.markdown_text import ROUND, MarkdownText
from desktop_rag.ui.chat.revealing import scroll_area_of
from desktop_rag.ui.chat.typesetter import Chip
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})
_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
}
_BY_KEYBOARD = True


class AnswerText(MarkdownText):
    """Tab goes from chip to chip, Enter opens; a chip pointed at is told, so that a card can show.

    A link to the web is opened only after a click and a question that shows where it leads; other
    links are text.

    Signals:
        citation_clicked (int): the number of a citation was clicked, or Enter pressed on it.
        pointed (int, QRectF, bool): mouse or keyboard came to a chip; its number, where it is in
            this widget, and whether it was the keyboard.
        unpointed: they left it, or Esc was pressed.
    """

    citation_clicked = Signal(int)
    pointed = Signal(int, QRectF, bool)
    unpointed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._focused: int | None = None
        self._hovered: int | None = None
        self._is_card_shown = False
        self._is_tabbed = False
        self.setAccessibleName(_("Answer"))
        self.anchorClicked.connect(self._on_anchor)

    def _render(self) -> None:
        super()._render()
        self._point_at(None)

    # painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame around the chip that has the focus, or around a text without any."""
        super().paintEvent(event)
        if not self._is_tabbed or not self.hasFocus():
            return
        stops = self._stops()
        if not stops:
            rect = QRectF(self.viewport().rect()).adjusted(2, 2, -2, -2)
        elif self._focused is not None and self._focused < len(stops):
            rect = self._rect_of(stops[self._focused])
        else:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), 2))
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), ROUND, ROUND)
        painter.end()

    # chips under mouse and keyboard
    def _stops(self) -> list[Stop]:
        return self._places.stops(self._chips)

    def _rect_of(self, stop: Stop) -> QRectF:
        return self._places.rect(stop.start, stop.end)

    def _point_at(self, index: int | None) -> None:
        """The keyboard is at this stop now."""
        stops = self._stops() if index is not None else []
        self._focused = index if index is not None and index < len(stops) else None
        self.viewport().update()
        if self._focused is None:
            self._leave()
            return
        stop = stops[self._focused]
        rect = self._rect_of(stop)
        self._scroll_to(rect)
        if stop.number is None:
            self._leave()
        else:
            self._is_card_shown = True
            self.pointed.emit(stop.number, rect, _BY_KEYBOARD)

    def _leave(self) -> None:
        if self._is_card_shown:
            self._is_card_shown = False
            self.unpointed.emit()

    def _scroll_to(self, rect: QRectF) -> None:
        area = scroll_area_of(self)
        page = area.widget() if area is not None else None
        if area is not None and page is not None:
            spot = self.viewport().mapTo(page, rect.center().toPoint())
            area.ensureVisible(spot.x(), spot.y(), 40, 60)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tab comes to the first chip, Shift+Tab to the last."""
        super().focusInEvent(event)
        reasons = Qt.FocusReason
        self._is_tabbed = event.reason() in {reasons.TabFocusReason, reasons.BacktabFocusReason}
        if event.reason() == reasons.TabFocusReason:
            self._point_at(0)
        elif event.reason() == reasons.BacktabFocusReason:
            self._point_at(len(self._stops()) - 1 if self._stops() else None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The card goes with the focus."""
        super().focusOutEvent(event)
        self._point_at(None)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 -- Qt's signature
        """Tab goes through the chips before it leaves."""
        target = self._next_stop(forward=forward)
        if target is not None:
            self._is_tabbed = True
            self._point_at(target)
            return True
        return QWidget.focusNextPrevChild(self, forward)

    def _next_stop(self, *, forward: bool) -> int | None:
        """Where Tab leads to within the text, also from where the mouse was."""
        count = len(self._stops())
        if self._focused is not None:
            target = self._focused + (1 if forward else -1)
        elif self._is_tabbed:
            return None
        else:
            target = 0 if forward else count - 1
        return target if 0 <= target < count else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from chip to chip, Enter opens, Esc closes the card."""
        step = _STEPS.get(Qt.Key(event.key())) if not event.modifiers() else None
        if self._focused is not None and step is not None:
            self._point_at(min(max(self._focused + step, 0), len(self._stops()) - 1))
        elif self._focused is not None and event.key() in _ENTER:
            self._open_focused()
        elif event.key() == Qt.Key.Key_Escape and self._is_card_shown:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _open_focused(self) -> None:
        stops = self._stops()
        if self._focused is not None and self._focused < len(stops):
            self._on_anchor(QUrl(stops[self._focused].href))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Notice chips under the mouse."""
        super().mouseMoveEvent(event)
        self._hover(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        """No chip is under the mouse any more."""
        super().leaveEvent(event)
        self._hover(QPointF(-1, -1))

    def _hover(self, point: QPointF) -> None:
        chip = next((one for one in self._chips if self._is_at(one, point)), None)
        start = chip.start if chip else None
        if start == self._hovered:
            return
        self._hovered = start
        if chip is not None:
            self._is_card_shown = True
            rect = self._places.rect(chip.start, chip.end)
            self.pointed.emit(chip.number, rect, not _BY_KEYBOARD)
        else:
            self._leave()

    def _is_at(self, chip: Chip, point: QPointF) -> bool:
        return self._places.rect(chip.start, chip.end).contains(point)

    # behaviour
    def event(self, event: QEvent) -> bool:
        """Tool tips say why a stretch is underlined; Esc belongs to an open card first."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tip_at(self.viewport().mapFromGlobal(event.globalPos()))
            QToolTip.showText(event.globalPos(), plain.tip(tip), self)
            return True
        if isinstance(event, QKeyEvent) and self._is_for_card(event):
            event.accept()
            return True
        return super().event(event)

    def _is_for_card(self, event: QKeyEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        return is_override and event.key() == Qt.Key.Key_Escape and self._is_card_shown

    def tip_at(self, position: QPoint) -> str:
        """The tool tip for a place in the text, or empty; a chip has its card instead."""
        href = self.anchorAt(position)
        if href:
            return "" if href.startswith("cite:") else href
        cursor = self.cursorForPosition(position)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        return cursor.charFormat().toolTip()

    def _on_anchor(self, url: QUrl) -> None:
        if url.scheme() == "cite":
            self._leave()  # what is opened takes room: the chip will not stay where it is
            self.citation_clicked.emit(int(url.path()))
        else:
            outside_links.offer(self, url)
