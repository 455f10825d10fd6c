"""A chat of thousands of messages: only what is near the view are widgets, and nobody notices."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its keys.
from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Message, MessageId, Role
from desktop_rag.ui.chat.message_list import MessageList
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp

LENGTH = 2000


def long_chat(app: FakeApp, length: int = LENGTH) -> list[Message]:
    number = next(iter(app.chats))
    title, said = app.chats[number]
    words = "Nothing more is said about this in the files. " * 9
    many = []
    for n in range(length):
        one = replace(said[n % 2], id=MessageId(n + 1))
        if one.role is Role.USER:
            one = replace(one, text=f"Question {n + 1}?")
        elif n % 3 == 0 and one.answer is not None:
            text = f"{one.text}\n\n{words}"
            one = replace(one, text=text, answer=replace(one.answer, text=text))
        many.append(one)
    app.chats[number] = (title, many)
    return many


@pytest.fixture
def messages(window: MainWindow, app: FakeApp, qtbot: QtBot) -> MessageList:
    long_chat(app)
    window.session.open(next(iter(app.chats)))
    found = window.chat.messages
    qtbot.waitUntil(lambda: found.count == LENGTH and bool(found.shown()))
    settle(found, qtbot)
    return found


def settle(messages: MessageList, qtbot: QtBot) -> None:
    """Until everything near is made and measured."""
    qtbot.waitUntil(lambda: is_full(messages) and not messages._work.isActive())


def is_full(messages: MessageList) -> bool:
    entries = messages._column.entries
    return all(entries[place].widget is not None for place in messages._near())


def top_of(messages: MessageList, widget: QWidget) -> int:
    return widget.mapTo(messages.viewport(), QPoint(0, 0)).y()


def in_view(messages: MessageList) -> list[QWidget]:
    return [one for one in messages.shown() if not one.visibleRegion().isEmpty()]


def texts(messages: MessageList) -> list[str]:
    return [one._label.text() for one in in_view(messages) if isinstance(one, QuestionMessage)]


def wheel(messages: MessageList, notches: int) -> None:
    at = QPointF(200, 200)
    event = QWheelEvent(
        at,
        messages.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(messages.viewport(), event)


def test_it_opens_at_its_end_with_few_widgets(messages: MessageList) -> None:
    bar = messages.verticalScrollBar()
    assert bar.value() == bar.maximum() > 100_000
    assert len(messages.widgets()) < 60
    assert "Question 1999?" in texts(messages)


def test_messages_do_not_overlap_and_leave_no_hole(messages: MessageList, qtbot: QtBot) -> None:
    for _ in range(12):
        wheel(messages, 5)
        settle(messages, qtbot)
    boxes = [one.geometry() for one in messages.shown()]
    gaps = {below.y() - (above.y() + above.height()) for above, below in pairwise(boxes)}
    assert gaps == {24}


def test_what_is_in_view_stays_while_heights_become_known(
    messages: MessageList, qtbot: QtBot
) -> None:
    messages.verticalScrollBar().setValue(messages.verticalScrollBar().maximum() // 2)
    settle(messages, qtbot)
    for _ in range(15):
        first = in_view(messages)[0]
        before = top_of(messages, first)
        value = messages.verticalScrollBar().value()
        wheel(messages, 2)
        settle(messages, qtbot)
        moved = top_of(messages, first) - before
        assert moved == 2 * 3 * messages.verticalScrollBar().singleStep(), value


def test_far_away_messages_are_read_from_the_store_when_one_looks(
    messages: MessageList, app: FakeApp, qtbot: QtBot
) -> None:
    assert messages._column.entries[0].message is None
    messages.scroll_by(messages.verticalScrollBar().SliderAction.SliderToMinimum)
    settle(messages, qtbot)
    assert "Question 1?" in texts(messages)
    assert len(messages.widgets()) < 60


@pytest.mark.parametrize(("key", "is_at_end"), [(Qt.Key.Key_Home, False), (Qt.Key.Key_End, True)])
def test_home_and_end_work_from_inside_a_message(
    messages: MessageList, qtbot: QtBot, key: Qt.Key, is_at_end: bool
) -> None:
    bar = messages.verticalScrollBar()
    wheel(messages, 3)
    settle(messages, qtbot)
    answer = next(one for one in in_view(messages) if isinstance(one, AnswerMessage))
    answer.text.setFocus()
    qtbot.keyClick(answer.text, key)
    qtbot.waitUntil(lambda: bar.value() == (bar.maximum() if is_at_end else 0))
    settle(messages, qtbot)
    assert bar.value() == (bar.maximum() if is_at_end else 0), "sizes became known meanwhile"


def test_a_page_up_and_down_come_back_to_the_same_place(
    messages: MessageList, qtbot: QtBot
) -> None:
    wheel(messages, 30)
    settle(messages, qtbot)
    answer = next(one for one in in_view(messages) if isinstance(one, AnswerMessage))
    answer.text.setFocus()
    before = top_of(messages, answer)
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        qtbot.keyClick(QApplication.focusWidget(), key)
        settle(messages, qtbot)
    assert top_of(messages, answer) == before


def test_a_selection_survives_a_long_way(messages: MessageList, qtbot: QtBot) -> None:
    answer = messages.answers()[-1]
    answer.text.selectAll()
    selected = answer.text.textCursor().selectedText()
    for share in (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
        messages.verticalScrollBar().setValue(int(messages.verticalScrollBar().maximum() * share))
        settle(messages, qtbot)
    messages.scroll_by(messages.verticalScrollBar().SliderAction.SliderToMaximum)
    settle(messages, qtbot)
    assert messages.answers()[-1] is answer
    assert answer.text.textCursor().selectedText() == selected


def test_a_message_can_be_gone_to(messages: MessageList, qtbot: QtBot) -> None:
    messages.go_to(MessageId(901))
    settle(messages, qtbot)
    assert texts(messages)[0] == "Question 901?"
    assert top_of(messages, in_view(messages)[0]) == 24


def test_another_width_keeps_what_is_in_view(
    messages: MessageList, window: MainWindow, qtbot: QtBot
) -> None:
    messages.go_to(MessageId(901))
    settle(messages, qtbot)
    window.resize(900, 700)
    settle(messages, qtbot)
    assert texts(messages)[0] == "Question 901?"
    for one in messages.shown():
        assert one.width() <= messages.viewport().width()


def test_a_question_asked_from_the_middle_is_shown_at_the_end(
    messages: MessageList, window: MainWindow, qtbot: QtBot
) -> None:
    messages.go_to(MessageId(901))
    settle(messages, qtbot)
    window.session.ask("And at last?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    settle(messages, qtbot)
    assert "And at last?" in texts(messages)
    bar = messages.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_an_answer_of_this_sitting_is_made_again_when_one_comes_back(
    messages: MessageList, window: MainWindow, qtbot: QtBot
) -> None:
    window.session.ask("And at last?")
    qtbot.waitUntil(lambda: not window.session.is_busy)
    settle(messages, qtbot)
    written = messages.answers()[-1].text.source
    for share in (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1):
        messages.verticalScrollBar().setValue(int(messages.verticalScrollBar().maximum() * share))
        settle(messages, qtbot)
    assert messages._column.entries[-1].widget is None
    messages.scroll_by(messages.verticalScrollBar().SliderAction.SliderToMaximum)
    settle(messages, qtbot)
    assert messages.answers()[-1].text.source == written
    assert "And at last?" in texts(messages)


def test_words_are_found_in_messages_that_were_never_on_screen(
    messages: MessageList, window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    window.chat.composer.edit.setFocus()
    qtbot.keyClick(window.chat.composer.edit, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = window.chat.find_bar
    assert bar.isVisible()
    qtbot.keyClicks(bar.edit, "question 70")
    qtbot.waitUntil(lambda: bar.count.text() == "5 of 5")
    settle(messages, qtbot)
    assert texts(messages)[0] == "Question 709?"
    qtbot.keyClick(bar.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    settle(messages, qtbot)
    assert texts(messages)[0] == "Question 707?"
    qtbot.keyClick(bar.edit, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    window.new_chat()
    assert not bar.isVisible()
