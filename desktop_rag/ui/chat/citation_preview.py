"""Shows the card of a citation while mouse or keyboard is at its chip."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.ui.announce import announce
from desktop_rag.ui.background import Task
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.answer_text import AnswerText
from desktop_rag.ui.chat.citation_card import CitationCard, spoken
from desktop_rag.ui.chat.cited_words import sentence_of
from desktop_rag.ui.theme import Theme

HOVER_MS = 250
"""A mouse that merely crosses a chip opens nothing."""
LEAVE_MS = 250
"""Time to get from the chip to the card."""


class CitationPreview(QObject):
    """Of one answer; the card itself is shared by all answers of the window.

    Signals:
        opened (int): the card of this citation was clicked.
    """

    opened = Signal(int)

    def __init__(self, theme: Theme, text: AnswerText, desk: AnswerDesk | None) -> None:
        super().__init__(text)
        self._theme = theme
        self._text = text
        self._desk = desk
        self.places: Mapping[int, Citation | Passage] = {}
        self._number = 0
        self._chip = QRectF()
        self._by_keyboard = False
        self._card: CitationCard | None = None
        self._task: Task | None = None
        self._show_soon = self._timer(HOVER_MS, self._show)
        self._hide_soon = self._timer(LEAVE_MS, self.hide)
        text.pointed.connect(self._on_pointed)
        text.unpointed.connect(self._on_unpointed)

    def _timer(self, interval_ms: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(slot)
        return timer

    @property
    def card(self) -> CitationCard | None:
        """The card, while it is this answer's."""
        return self._card

    def _on_pointed(self, number: int, chip: QRectF, by_keyboard: bool) -> None:  # noqa: FBT001
        self._hide_soon.stop()
        self._number, self._chip, self._by_keyboard = number, chip, by_keyboard
        if by_keyboard:
            self._show()
        else:
            self._show_soon.start()

    def _on_unpointed(self) -> None:
        self._show_soon.stop()
        if self._by_keyboard:
            self.hide()
        elif self._card is not None:
            self._hide_soon.start()

    def _show(self) -> None:
        source = self.places.get(self._number)
        if source is None or not self._text.isVisible():
            return
        self.hide()
        card = self._card = _card_of(self._theme, self._text.window())
        said = sentence_of(self._text.source, self._number)
        card.show_source(self._number, source, said, by_keyboard=self._by_keyboard)
        card.pressed.connect(self._on_pressed)
        card.entered.connect(self._hide_soon.stop)
        card.left.connect(self._hide_soon.start)
        for area in self._scrolled():
            area.verticalScrollBar().valueChanged.connect(self._place)
        if not self._place():
            return  # since the mouse came, the text moved away from under it
        card.show()
        card.raise_()
        if self._by_keyboard:
            announce(self._text, spoken(self._number, source))
        self._look_at(source)

    def _look_at(self, source: Citation | Passage) -> None:
        if self._desk is not None and isinstance(source, Citation):
            self._task = self._desk.look_at(self, source, self._on_state)

    def _on_state(self, state: CitationState) -> None:
        if self._card is None:
            return
        sentence = self._card.show_state(state)
        self._place()
        if sentence and self._by_keyboard:
            announce(self._text, sentence)

    def hide(self) -> None:
        """Take the card away, if it is this answer's."""
        self._show_soon.stop()
        self._hide_soon.stop()
        if self._task is not None:
            self._task.forget()
            self._task = None
        card, self._card = self._card, None
        if card is None:
            return
        card.pressed.disconnect(self._on_pressed)
        card.entered.disconnect(self._hide_soon.stop)
        card.left.disconnect(self._hide_soon.start)
        for area in self._scrolled():
            area.verticalScrollBar().valueChanged.disconnect(self._place)
        card.hide()

    def _place(self) -> bool:
        """Follow the chip when the chat scrolls; without the chip in sight there is no card."""
        if self._card is None:
            return False
        viewport, window = self._text.viewport(), self._text.window()
        chip = self._chip.toAlignedRect()
        if not viewport.visibleRegion().intersects(chip):
            self.hide()
            return False
        corner = viewport.mapTo(window, chip.topLeft())
        self._card.place_at(chip.translated(corner - chip.topLeft()))
        return True

    def _scrolled(self) -> list[QAbstractScrollArea]:
        found, widget = [], self._text.parentWidget()
        while widget is not None:
            if isinstance(widget, QAbstractScrollArea):
                found.append(widget)
            widget = widget.parentWidget()
        return found

    def _on_pressed(self) -> None:
        number = self._number
        self.hide()
        self.opened.emit(number)


def _card_of(theme: Theme, window: QWidget) -> CitationCard:
    options = Qt.FindChildOption.FindDirectChildrenOnly
    found = window.findChild(CitationCard, options=options)
    return found or CitationCard(theme, window)
