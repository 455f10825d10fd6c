"""The scrolling column of messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Message, Role
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, Theme

_SHOWN_AT_FIRST = 40
_NEAR_END_PX = 48


class MessageList(QScrollArea):
    """Messages, oldest first. Follows a growing answer until the person scrolls away.

    Of a long chat only the last messages are built; a button on top adds the earlier ones, so
    opening and resizing stay quick however long it has become.

    Signals:
        opened (Citation | Passage): a place was clicked in any message.
        retry_requested (str): the question that failed shall be asked again.
    """

    opened = Signal(object)
    retry_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_following = True
        self._holds_question = False
        self._earlier: list[Message] = []
        self.desk: AnswerDesk | None = None
        """What the answers ask of the library; set before the first one."""
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("messageList")
        self.setAccessibleName("Conversation")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._more = QPushButton("Show earlier messages")
        self._more.setObjectName("quietButton")
        self._more.hide()
        self._column = QWidget()
        self._column.setMaximumWidth(COLUMN_WIDTH)
        self._messages = QVBoxLayout(self._column)
        self._messages.setContentsMargins(0, XL, 0, XL)
        self._messages.setSpacing(XL)
        self._messages.addWidget(self._more, 0, Qt.AlignmentFlag.AlignHCenter)
        self._messages.addStretch(1)
        page = QWidget()
        page.setObjectName("messagePage")
        self._row = row = QHBoxLayout(page)
        row.setContentsMargins(XL, 0, XL, 0)
        row.addStretch(1)
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        self.setWidget(page)

    def _connect(self) -> None:
        self._more.clicked.connect(self._on_more)
        self.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self.verticalScrollBar().actionTriggered.connect(self._on_scrolled_by_hand)

    # content
    def clear(self) -> None:
        """Remove all messages."""
        for widget in self.widgets():
            self._messages.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._earlier = []
        self._more.hide()
        self._is_following, self._holds_question = True, False

    def show_messages(self, messages: Sequence[Message]) -> None:
        """Replace everything by a stored chat."""
        self.clear()
        self._earlier = list(messages[:-_SHOWN_AT_FIRST])
        self._more.setVisible(bool(self._earlier))
        for widget in self._widgets(messages[-_SHOWN_AT_FIRST:]):
            self._insert(self._messages.count() - 1, widget)

    def add_question(self, text: str) -> QuestionMessage:
        """The person's question at the end."""
        self._is_following, self._holds_question = True, False
        question = QuestionMessage(text)
        self._insert(self._messages.count() - 1, question)
        return question

    def add_answer(self, question: str) -> AnswerMessage:
        """An answer to `question`, on its way, at the end."""
        answer = self._new_answer(question)
        self._insert(self._messages.count() - 1, answer)
        return answer

    def hold_question(self) -> None:
        """Follow no further than to the last question: its whole answer comes at once."""
        self._holds_question = True

    def widgets(self) -> list[QWidget]:
        """The message widgets, oldest first."""
        items = (self._messages.itemAt(n) for n in range(1, self._messages.count()))
        found = (item.widget() for item in items if item is not None)
        return [widget for widget in found if widget is not None]

    def answers(self) -> list[AnswerMessage]:
        """The answers, oldest first."""
        return [widget for widget in self.widgets() if isinstance(widget, AnswerMessage)]

    def _insert(self, position: int, widget: QWidget) -> None:
        self._messages.insertWidget(position, widget)

    def _widgets(self, messages: Sequence[Message]) -> Iterator[QWidget]:
        question = ""
        for message in messages:
            if message.role is Role.USER:
                question = message.text
                yield QuestionMessage(question)
            else:
                yield self._stored_answer(message, question)

    def _stored_answer(self, message: Message, question: str) -> AnswerMessage:
        answer = self._new_answer(question)
        answer.identify(message.id)
        if message.answer is not None:
            answer.complete(message.answer)
        elif message.role is Role.SYSTEM:
            answer.fail(message.text)
        else:
            answer.show_text(message.text)
        return answer

    def _new_answer(self, question: str) -> AnswerMessage:
        answer = AnswerMessage(self._theme, self.desk)
        answer.opened.connect(self.opened)
        answer.sources.unfolded.connect(self._on_unfolded)
        answer.retry_requested.connect(lambda: self.retry_requested.emit(question))
        return answer

    def _on_more(self) -> None:
        batch, self._earlier = self._earlier[-_SHOWN_AT_FIRST:], self._earlier[:-_SHOWN_AT_FIRST]
        self._is_following = False
        bar = self.verticalScrollBar()
        from_end = bar.maximum() - bar.value()
        for position, widget in enumerate(self._widgets(batch), 1):
            self._insert(position, widget)
        self._more.setVisible(bool(self._earlier))
        # What was in view stays in view: the new messages push it down by their height.
        QTimer.singleShot(0, self, lambda: bar.setValue(bar.maximum() - from_end))

    # following
    def resizeEvent(self, event: QResizeEvent) -> None:
        """The scroll bar takes its room from the margin: the column stays above the composer."""
        super().resizeEvent(event)
        taken = self.width() - self.viewport().width()
        self._row.setContentsMargins(XL, 0, max(0, XL - taken), 0)

    def _on_range_changed(self) -> None:
        if self._is_following:
            self.verticalScrollBar().setValue(self._furthest())

    def _furthest(self) -> int:
        questions = [one for one in self.widgets() if isinstance(one, QuestionMessage)]
        if not self._holds_question or not questions:
            return self.verticalScrollBar().maximum()
        return max(0, questions[-1].y() - XL)

    def _on_unfolded(self) -> None:
        # What was pressed stays where it is; the new rows come below.
        self._is_following = False

    def _on_scrolled_by_hand(self) -> None:
        bar = self.verticalScrollBar()
        self._is_following = bar.sliderPosition() >= bar.maximum() - _NEAR_END_PX
