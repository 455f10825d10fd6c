"""The scrolling list of messages: of a long chat only what is near the view are widgets."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractSlider, QFrame, QScrollArea, QWidget

from desktop_rag.domain.answers import Answer, Citation, Message, MessageId, Passage
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.entries import Entry
from desktop_rag.ui.chat.message_column import MessageColumn
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.shortcuts import shortcut
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, Theme, scaled
from desktop_rag.ui.translation import _

_NEAR_END_PX = 48
_KEPT = 48
"""Widgets that stay made when they are out of view; more are dropped, the farthest first."""
_WANTED_AROUND = 24
"""Messages read from the store before and after those in view."""
_MANY = 20
"""Messages of a chat in which scrolling is worth preparing for."""
_SLICE_S = 0.004
"""Once a slice of work took that long, the rest waits until events were looked at."""


class MessageList(QScrollArea):
    """Messages, oldest first. Follows a growing answer until the person scrolls away.

    Everything has a place from the start: measured, or guessed from its length. What is near the
    view is made in small slices of time, what is far away is dropped again. Whatever turns out
    higher or lower than guessed, the message on top of the view stays where it is.

    Signals:
        opened (Citation | Passage): a place was clicked in any message.
        retry_requested (str): the question that failed shall be asked again.
        wanted (list[MessageId]): messages to be read from the store and given to `fill`.
    """

    opened = Signal(object)
    retry_requested = Signal(str)
    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_following = True
        self._holds_question = False
        self._held: tuple[Entry, int] | None = None
        self._is_arranging = False
        self._is_asked: set[MessageId] = set()
        self._build()
        self._connect()
        self._connect_keys()

    def _build(self) -> None:
        self.setObjectName("messageList")
        self.setAccessibleName(_("Conversation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab goes to the messages
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(XL)
        self._column = MessageColumn(self._theme)
        self.setWidget(self._column)
        self._work = QTimer(self)
        self._work.setSingleShot(True)
        self._work.setInterval(0)

    def _connect(self) -> None:
        self._work.timeout.connect(self._on_work)
        self._column.opened.connect(self.opened)
        self._column.retry_requested.connect(self.retry_requested)
        self._column.unfolded.connect(self._on_unfolded)
        self._column.asked_for_room.connect(self._arrange)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._theme.changed.connect(self._fit_anew)

    def _connect_keys(self) -> None:
        action = QAbstractSlider.SliderAction
        for keys, label, step in (
            ("PgUp", _("Chat: scroll up"), action.SliderPageStepSub),
            ("PgDown", _("Chat: scroll down"), action.SliderPageStepAdd),
            ("Home", _("Chat: to its beginning"), action.SliderToMinimum),
            ("End", _("Chat: to its end"), action.SliderToMaximum),
        ):
            shortcut(keys, label, partial(self.scroll_by, step), self, is_local=True)

    # content
    def clear(self) -> None:
        """Remove all messages."""
        self.show_transcript(Transcript())

    def show_transcript(self, transcript: Transcript) -> None:
        """Replace everything by a stored chat; its last messages are there at once."""
        self._is_asked.clear()
        self._is_following, self._holds_question, self._held = True, False, None
        self._column.show_transcript(transcript)
        for place in range(max(0, self.count - 2), self.count):
            self._column.make_now(place)
        self._arrange()

    def fill(self, messages: Sequence[Message]) -> None:
        """Messages that were `wanted`."""
        self._column.fill(messages)
        self._arrange()

    def add_question(self, text: str) -> QuestionMessage:
        """The person's question at the end."""
        self._is_following, self._holds_question, self._held = True, False, None
        question = self._column.add_question(text)
        self._arrange()
        return question

    def add_answer(self, question: str) -> AnswerMessage:
        """An answer to `question`, on its way, at the end."""
        answer = self._column.add_answer(question)
        self._arrange()
        return answer

    def settle(self, answer: Answer) -> None:
        """The running answer is complete; far from the view it needs no widget any more."""
        self._column.settle(answer)

    def hold_question(self) -> None:
        """Follow no further than to the last question: its whole answer comes at once."""
        self._holds_question = True

    @property
    def desk(self) -> AnswerDesk | None:
        """What the answers ask of the library; set before the first one."""
        return self._column.desk

    @desk.setter
    def desk(self, desk: AnswerDesk) -> None:
        self._column.desk = desk

    @property
    def count(self) -> int:
        """How many messages there are, widgets or not."""
        return len(self._column.entries)

    def widgets(self) -> list[QWidget]:
        """The messages that are widgets now, oldest first."""
        return [self._column.widget(place) for place in self._column.made()]

    def shown(self) -> list[QWidget]:
        """Of these, those at or near the view: Tab and screen readers come to them."""
        return [widget for widget in self.widgets() if not widget.isHidden()]

    def answers(self) -> list[AnswerMessage]:
        """The answers that are widgets now, oldest first."""
        return [widget for widget in self.widgets() if isinstance(widget, AnswerMessage)]

    def places_beside(self, place: Citation | Passage) -> tuple[Citation | Passage, ...]:
        """All that the answer cites which cites this; empty when none in view does."""
        return next((one.places for one in self.answers() if place in one.places), ())

    # places
    def _arrange(self) -> None:
        """Show what is near, at its place; what is still to be made is made soon."""
        if self._is_arranging or not self.isVisible():
            return
        self._is_arranging = True
        anchor = self._anchor()
        self._column.measure(self._near())
        self._place_all()
        self._return_to(anchor)
        self._column.hide_all_but(self._near())
        self._is_arranging = False
        self._work.start()

    def _place_all(self) -> None:
        # The scroll bar takes its room from the margin: the column stays above the composer.
        left = (self.width() - self._column.column_width) // 2 - self.viewport().x()
        self._column.place_all(self.viewport().width(), left)

    def _anchor(self) -> tuple[Entry, int] | None:
        """What stays where it is: a message, and how far its top is above the view's."""
        if self._held is not None or not self.count:
            return self._held
        heights, top = self._column.heights, self.verticalScrollBar().value()
        view = heights.between(top, top + self.viewport().height())
        made = (n for n in view if self._column.entries[n].widget is not None)
        first = next(made, view.start)
        return self._column.entries[first], top - heights.top(first)

    def _return_to(self, anchor: tuple[Entry, int] | None) -> None:
        bar, entries = self.verticalScrollBar(), self._column.entries
        if self._is_following:
            bar.setValue(self._furthest())
        elif anchor is not None and anchor[0] in entries:
            bar.setValue(self._column.heights.top(entries.index(anchor[0])) + anchor[1])

    def _near(self) -> range:
        """What is in view, and as much again above and below."""
        height, top = self.viewport().height(), self.verticalScrollBar().value()
        return self._column.heights.between(top - height, top + 2 * height)

    # work in slices
    def _on_work(self) -> None:
        if not self.isVisible():
            return
        self._ask_for_words()
        until = time.perf_counter() + _SLICE_S
        lacking = [n for n in self._from_middle() if self._column.entries[n].can_be_built]
        for place in lacking:
            self._column.make(place)
            if time.perf_counter() > until:
                break
        if lacking:
            self._arrange()
        elif self.count > _MANY and self._column.make_spare():
            self._work.start()
        else:
            self._drop_far()

    def _from_middle(self) -> list[int]:
        """What is near, what is in view first."""
        near, bar = self._near(), self.verticalScrollBar()
        middle = self._column.heights.at(bar.value() + self.viewport().height() // 2) if near else 0
        return sorted(near, key=lambda place: abs(place - middle))

    def _ask_for_words(self) -> None:
        near = self._near()
        if not any(self._lacks_words(place) for place in near):
            return
        first, last = max(0, near.start - _WANTED_AROUND), near.stop + _WANTED_AROUND
        around = range(first, min(self.count, last))
        wanted = [self._column.id_of(place) for place in around if self._lacks_words(place)]
        self._is_asked.update(wanted)
        self.wanted.emit(wanted)

    def _lacks_words(self, place: int) -> bool:
        entry = self._column.entries[place]
        is_stored_only = entry.outline is not None and entry.message is None
        return is_stored_only and self._column.id_of(place) not in self._is_asked

    def _drop_far(self) -> None:
        made, near = self._column.made(), self._near()
        middle = (near.start + near.stop) // 2
        farthest = sorted(made, key=lambda place: -abs(place - middle))
        for place in farthest[: max(0, len(made) - _KEPT)]:
            if place not in near and self._column.entries[place].can_be_dropped:
                self._column.drop(place)

    # what changes
    def showEvent(self, event: QShowEvent) -> None:
        """What was told while another page was shown gets its place now."""
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs other heights."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Another size of text needs other heights."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange}:
            self._fit_anew()

    def _fit(self) -> None:
        if self._fitting_width() != self._column.column_width:
            self._fit_anew()
        else:
            self._arrange()

    def _fitting_width(self) -> int:
        return max(1, min(scaled(COLUMN_WIDTH), self.width() - 2 * XL))

    def _fit_anew(self) -> None:
        anchor = self._anchor()
        self._is_arranging = True
        self._column.guess(self._fitting_width())
        self._place_all()
        self._return_to(anchor)
        self._is_arranging = False
        self._arrange()

    # going somewhere
    def scroll_by(self, step: QAbstractSlider.SliderAction) -> None:
        """As the key of that name does in any list."""
        self.verticalScrollBar().triggerAction(step)

    @property
    def place(self) -> MessageId | None:
        """The stored message at the top of the view; `None` at the end, which is followed."""
        anchor = None if self._is_following else self._anchor()
        return anchor[0].outline.id if anchor is not None and anchor[0].outline else None

    def go_to(self, message: MessageId) -> bool:
        """Bring a stored message to the top of the view, and keep it there until one scrolls.

        False when none is known by that number, as what was written in this window.
        """
        for place, entry in enumerate(self._column.entries):
            if entry.outline is not None and entry.outline.id == message:
                self.verticalScrollBar().setValue(self._column.heights.top(place) - XL)
                self._is_following, self._held = False, (entry, -XL)
                self._arrange()
                return True
        return False

    def bring_into_view(self, widget: QWidget) -> None:
        """Scroll as little as needed to show something of a message; its top if it is large."""
        top = widget.mapTo(self._column, QPoint(0, 0)).y()
        view, bar = self.viewport().height(), self.verticalScrollBar()
        lowest, highest = top - XL, top + widget.height() - view + XL
        if not min(lowest, highest) <= bar.value() <= lowest:
            bar.setValue(lowest if bar.value() > lowest else min(lowest, highest))

    # following
    def _furthest(self) -> int:
        if not self._holds_question:
            return self.verticalScrollBar().maximum()
        made = reversed(self._column.made())
        asked = (n for n in made if isinstance(self._column.widget(n), QuestionMessage))
        last = next(asked, None)
        return 0 if last is None else max(0, self._column.heights.top(last) - XL)

    def _on_unfolded(self) -> None:
        # What was pressed stays where it is; the new rows come below.
        self._is_following = False

    def _on_scrolled(self) -> None:
        """By whoever is not this list itself: a wheel, a key, a screen reader."""
        if self._is_arranging:
            return
        bar = self.verticalScrollBar()
        self._held = None
        self._is_following = bar.value() >= bar.maximum() - _NEAR_END_PX
        self._arrange()
