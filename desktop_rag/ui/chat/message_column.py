"""All messages of a chat, each at its place; widgets are made of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop_rag.domain.answers import Answer, ConversationId, Message, MessageId, Role
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.entries import Entry
from desktop_rag.ui.chat.heights import Heights
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.theme import XL, Theme

_SPARES = 4


class MessageColumn(QWidget):
    """Holds the messages at places of their own; no layout moves them.

    What to make, to show and to drop is decided by the list around it, which knows the view.

    Signals:
        opened (Citation | Passage), retry_requested (str): of any message.
        unfolded: a message became higher because the person wanted so.
        asked_for_room: a message wants another height.
    """

    opened = Signal(object)
    retry_requested = Signal(str)
    unfolded = Signal()
    asked_for_room = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messagePage")
        self._theme = theme
        self.entries: list[Entry] = []
        self.heights = Heights(XL, XL)
        self.column_width = 0
        self.desk: AnswerDesk | None = None
        """What the answers ask of the library."""
        self._made: set[int] = set()
        self._spares: list[AnswerMessage] = []
        """Made already, for whichever answers come next."""

    def event(self, event: QEvent) -> bool:
        """A message has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.asked_for_room.emit()
        return super().event(event)

    # content
    def show_transcript(self, transcript: Transcript) -> None:
        """Replace everything."""
        for place in self.made():
            self.drop(place)
        read = {message.id: message for message in transcript.read}
        self.entries = [Entry(one, read.get(one.id)) for one in transcript.outlines]
        self.guess(self.column_width)

    def fill(self, messages: Sequence[Message]) -> None:
        """The words of some; those of another chat have no place here."""
        read = {message.id: message for message in messages}
        for entry in self.entries:
            if entry.outline is not None and entry.message is None:
                entry.message = read.get(entry.outline.id)

    def add_question(self, text: str) -> QuestionMessage:
        """A question at the end."""
        question = _hidden(QuestionMessage(text, self))
        self._append(Entry(), question)
        return question

    def add_answer(self, question: str) -> AnswerMessage:
        """An answer at the end, on its way."""
        answer = self._blank_answer()
        self._append(Entry(asked=question), answer)
        return answer

    def settle(self, answer: Answer) -> None:
        """The last answer is complete: like a stored one, it can be made again from this."""
        said = ((Role.USER, answer.question, None), (Role.ASSISTANT, answer.text, answer))
        for entry, (role, text, whole) in zip(self.entries[-2:], said, strict=False):
            if entry.message is None and entry.outline is None:
                entry.message = Message(MessageId(0), ConversationId(0), role, text, "", whole)

    def id_of(self, place: int) -> MessageId:
        """The number of a stored message; 0 for one that was written in this window."""
        outline = self.entries[place].outline
        return outline.id if outline is not None else MessageId(0)

    def made(self) -> list[int]:
        """Places of the messages that are widgets, oldest first."""
        return sorted(self._made)

    def widget(self, place: int) -> QWidget:
        """Of a message that is one."""
        widget = self.entries[place].widget
        assert widget is not None
        return widget

    # making widgets
    def make(self, place: int) -> None:
        """Take one step towards a widget for a message; answers take two, so that each is short."""
        entry = self.entries[place]
        if not entry.can_be_built or entry.message is None:
            return
        if entry.message.role is not Role.USER and not self._spares:
            self._spares.append(self._blank_answer())
        else:
            self._adopt(place, self._widget_of(entry.message))

    def make_now(self, place: int) -> None:
        """Take all steps."""
        while self.entries[place].can_be_built:
            self.make(place)

    def make_spare(self) -> bool:
        """Use a quiet moment to make half of an answer; false when there are enough."""
        if len(self._spares) >= _SPARES:
            return False
        self._spares.append(self._blank_answer())
        return True

    def drop(self, place: int) -> None:
        """Only its place stays."""
        self._made.discard(place)
        widget = self.widget(place)
        self.entries[place].widget = None
        widget.hide()
        widget.deleteLater()

    def _append(self, entry: Entry, widget: QWidget) -> None:
        self.entries.append(entry)
        self.heights.append(entry.guess(self.column_width))
        self._adopt(len(self.entries) - 1, widget)

    def _adopt(self, place: int, widget: QWidget) -> None:
        self._made.add(place)
        self.entries[place].widget = widget

    def _widget_of(self, message: Message) -> QWidget:
        if message.role is Role.USER:
            return _hidden(QuestionMessage(message.text, self))
        answer = self._spares.pop() if self._spares else self._blank_answer()
        if message.id:
            answer.identify(message.id)
        if message.answer is not None:
            answer.complete(message.answer)
        elif message.role is Role.SYSTEM:
            answer.fail(message.text)
        else:
            answer.show_text(message.text)
        return answer

    def _blank_answer(self) -> AnswerMessage:
        answer = AnswerMessage(self._theme, self.desk, self)
        answer.opened.connect(self.opened)
        answer.unfolded.connect(lambda: self._on_unfolded(answer))
        answer.retry_requested.connect(lambda: self._on_retry(answer))
        return _hidden(answer)

    def _on_retry(self, answer: QWidget) -> None:
        place = next(n for n in self._made if self.entries[n].widget is answer)
        before = self.entries[place - 1].message if place else None
        stored = before.text if before is not None else ""
        self.retry_requested.emit(self.entries[place].asked or stored)

    def _on_unfolded(self, answer: QWidget) -> None:
        for entry in self.entries:
            entry.is_touched = entry.is_touched or entry.widget is answer
        self.unfolded.emit()

    # places
    def guess(self, width: int) -> None:
        """In another width every height is a guess again."""
        self.column_width = width
        self.heights.replace(entry.guess(width) for entry in self.entries)

    def measure(self, places: Iterable[int]) -> None:
        """Show these, as far as they are widgets, and learn their heights."""
        for place in places:
            widget = self.entries[place].widget
            if widget is None:
                continue
            widget.show()
            if widget.width() != self.column_width:
                widget.resize(self.column_width, self.heights[place])
            self.heights.set(place, _height_of(widget, self.column_width))

    def place_all(self, width: int, left: int) -> None:
        """Be as wide as the view and as high as all messages; put what is shown in its place."""
        self.resize(width, max(1, self.heights.total))
        for place in self._made:
            widget = self.widget(place)
            if not widget.isHidden():
                top, height = self.heights.top(place), self.heights[place]
                widget.setGeometry(left, top, self.column_width, height)

    def hide_all_but(self, near: range) -> None:
        """What is far away costs nothing, whatever happens to the window; the focus stays."""
        focus = QApplication.focusWidget()
        for place in self._made:
            widget = self.widget(place)
            if place not in near and not (focus is not None and widget.isAncestorOf(focus)):
                widget.hide()


_W = TypeVar("_W", bound=QWidget)


def _hidden(widget: _W) -> _W:
    """Until it has its place."""
    widget.hide()
    return widget


def _height_of(widget: QWidget, width: int) -> int:
    """How high it wants to be in that width, now."""
    layout = widget.layout()
    assert layout is not None
    layout.activate()
    if layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return layout.totalSizeHint().height()
