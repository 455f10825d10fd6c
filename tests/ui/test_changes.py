"""Second thoughts in the window: another answer, another question, more, one step back."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.errors import InvalidInput, RoleUnavailable
from desktop_rag.ui.chat.messages import AnswerMessage, QuestionMessage
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import ANSWER, FakeApp

QUESTION = "How long is the cover?"


def ask(window: MainWindow, qtbot: QtBot, question: str = QUESTION) -> None:
    window.chat.composer.edit.setPlainText(question)
    window.chat.composer.send()
    assert window.session.is_busy


def settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.session.is_busy)
    qtbot.waitUntil(window.chat.changes.again.isVisible)


def last(window: MainWindow) -> AnswerMessage:
    return window.chat.messages.answers()[-1]


def count(window: MainWindow) -> tuple[int, int]:
    """Questions and answers on screen."""
    shown = window.chat.messages.widgets()
    return (
        sum(isinstance(one, QuestionMessage) for one in shown),
        sum(isinstance(one, AnswerMessage) for one in shown),
    )


def test_nothing_can_be_changed_before_a_question_or_while_it_is_answered(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    assert not window.chat.changes.isVisible()
    app.after_first_word.clear()
    ask(window, qtbot)
    qtbot.waitUntil(lambda: last(window).text.source != "")
    assert not window.chat.changes.isVisible()
    app.after_first_word.set()
    settle(window, qtbot)
    assert not window.chat.changes.go_on.isVisible()
    assert not window.chat.changes.undo.isVisible()


def test_every_button_can_be_reached_and_is_told(window: MainWindow) -> None:
    changes = window.chat.changes
    for button in (changes.go_on, changes.again, changes.edit, changes.undo):
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_another_answer_takes_the_place_of_the_last_until_undone(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    app.answer_text = "Two years [1]."
    qtbot.keyClick(window.chat.changes.again, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "regenerate" in app.calls)
    settle(window, qtbot)
    assert count(window) == (1, 1)
    assert last(window).text.source == "Two years [1]."
    qtbot.mouseClick(window.chat.changes.undo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: last(window).text.source == ANSWER)
    assert count(window) == (1, 1)


def test_a_stopped_answer_goes_on_below_what_it_had(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.after_first_word.clear()
    ask(window, qtbot)
    qtbot.waitUntil(lambda: last(window).text.source == "The")
    window.session.stop()
    app.after_first_word.set()
    settle(window, qtbot)
    qtbot.waitUntil(window.chat.changes.go_on.isVisible)
    app.after_first_word.clear()
    window.chat.changes.go_on.click()
    qtbot.waitUntil(lambda: last(window).text.source.startswith("The") and window.session.is_busy)
    app.after_first_word.set()
    settle(window, qtbot)
    assert count(window) == (1, 1)
    assert last(window).text.source == ANSWER


def test_a_step_back_that_comes_late_leaves_the_other_chat_alone(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    window.chat.changes.again.click()
    qtbot.waitUntil(lambda: "regenerate" in app.calls)
    settle(window, qtbot)
    session, undo, gate = window.session, app.undo, threading.Event()
    monkeypatch.setattr(app, "undo", lambda chat: gate.wait(5) and undo(chat))
    session.undo()
    with qtbot.waitSignal(session.opened):
        session.open(next(chat for chat in app.chats if chat != session.conversation))
    shown = [one.text for one in window.chat.messages.answers()]
    gate.set()
    qtbot.waitUntil(lambda: "undo" in app.calls)
    qtbot.wait(50)  # what is not to come
    assert [one.text for one in window.chat.messages.answers()] == shown


def test_a_step_back_that_is_refused_blames_no_answer(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)

    def refuse(*_: object) -> None:
        raise InvalidInput("There is no earlier version in this chat to bring back.")

    monkeypatch.setattr(app, "undo", refuse)
    window.session.undo()
    qtbot.waitUntil(lambda: "no earlier version" in window.notice.sentence.text())
    assert not last(window).failure.isVisible()


def test_stopped_before_the_first_word_the_quotation_stays(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    answer = app.answer(QUESTION, "", is_stopped=True)
    last(window).complete(replace(answer, extract=app.citations()[0]))
    assert last(window).extract.isVisible()
    last(window).complete(app.answer(QUESTION, ANSWER))
    assert not last(window).extract.isVisible()


def test_the_quotation_stays_below_an_answer_of_low_confidence(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    quoted, other = app.citations()[0], replace(app.citations()[0], quote="Every two hours.")
    answer = replace(app.answer(QUESTION, ANSWER), confidence=Confidence.LOW)
    last(window).complete(replace(answer, extract=other))
    assert last(window).extract.isVisible()
    assert "Every two hours." in last(window).extract.quote.text()
    last(window).complete(replace(answer, extract=quoted))  # it is cited: no need to say it twice
    assert not last(window).extract.isVisible()
    last(window).complete(replace(answer, extract=other, confidence=Confidence.MEDIUM))
    assert not last(window).extract.isVisible()


def test_the_last_question_is_edited_in_the_composer(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    composer = window.chat.composer
    composer.edit.setPlainText("half a thought")
    window.chat.changes.edit.click()
    assert composer.edit.toPlainText() == QUESTION
    assert composer.edit_bar.isVisible()
    qtbot.keyClicks(composer.edit, " Of the machine?")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: f"edit {QUESTION} Of the machine?" in app.calls)
    settle(window, qtbot)
    assert count(window) == (1, 1)
    assert composer.edit.toPlainText() == "half a thought"
    assert not composer.is_editing


def test_escape_leaves_the_question_as_it_was(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    window.chat.changes.edit.click()
    window.escape()
    assert not window.chat.composer.is_editing
    assert window.chat.composer.edit.toPlainText() == ""
    assert not any(call.startswith("edit") for call in app.calls)


def test_what_failed_is_asked_again_without_a_second_question(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    app.fail_with = RoleUnavailable("The language model is not available; ask again later.")
    ask(window, qtbot)
    settle(window, qtbot)
    app.fail_with = None
    qtbot.mouseClick(last(window).failure.retry, Qt.MouseButton.LeftButton)
    settle(window, qtbot)
    assert app.calls[-1] == "regenerate"
    assert count(window) == (1, 1)
    assert last(window).text.source == ANSWER


def test_a_change_that_is_refused_is_told_and_nothing_is_lost(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(window, qtbot)
    settle(window, qtbot)

    def refuse(*_: object) -> None:
        raise InvalidInput("This chat is still being answered; wait until it is done.")

    monkeypatch.setattr(app, "regenerate", refuse)
    window.chat.changes.again.click()
    qtbot.waitUntil(lambda: "still being answered" in last(window).failure.sentence.text())
    settle(window, qtbot)
    assert last(window).text.source == ANSWER


def test_a_question_refused_while_another_chat_is_shown_is_told_and_given_back(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()

    def refuse(*_: object) -> None:
        gate.wait(5)
        raise InvalidInput("The disk is full; make room first.")

    monkeypatch.setattr(app, "ask", refuse)
    ask(window, qtbot)
    window.new_chat()
    gate.set()
    qtbot.waitUntil(lambda: "disk is full" in window.notice.sentence.text())
    assert window.chat.composer.edit.toPlainText() == QUESTION
    assert not window.session.is_busy


def test_another_chat_leaves_editing(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    ask(window, qtbot)
    settle(window, qtbot)
    window.chat.changes.edit.click()
    window.session.begin_new()
    assert not window.chat.composer.is_editing
    assert not window.chat.changes.isVisible()


def test_the_buttons_are_called_what_they_show(window: MainWindow) -> None:
    changes = window.chat.changes
    for button in (changes.go_on, changes.again, changes.edit, changes.undo):
        assert button.accessibleName() == button.text()
        assert button.accessibleDescription() == button.toolTip() != button.text()
