"""Typing: keys, questions asked before, drafts, and what is pasted or dropped."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.ui.chat.composer import Composer
from desktop_rag.ui.chat.question_edit import MOST_CHARS, QuestionEdit
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp


@pytest.fixture
def composer(window: MainWindow) -> Composer:
    window.chat.composer.edit.setFocus()
    return window.chat.composer


def ask(window: MainWindow, qtbot: QtBot, question: str) -> None:
    qtbot.keyClicks(window.chat.composer.edit, question)
    qtbot.keyClick(window.chat.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.session.is_busy)


def test_enter_sends_and_shift_enter_makes_a_line(
    window: MainWindow, composer: Composer, app: FakeApp, qtbot: QtBot
) -> None:
    qtbot.keyClicks(composer.edit, "One")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.edit, "two")
    assert composer.edit.toPlainText() == "One\ntwo"
    qtbot.keyClick(composer.edit, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    qtbot.waitUntil(lambda: "ask One\ntwo" in app.calls)
    assert composer.edit.toPlainText() == ""
    qtbot.waitUntil(lambda: not window.session.is_busy)


def test_up_brings_back_what_was_asked_and_down_goes_forth(
    window: MainWindow, composer: Composer, qtbot: QtBot
) -> None:
    for question in ("First?", "Second?"):
        ask(window, qtbot, question)
    edit = composer.edit
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(edit, key)
        seen.append(edit.toPlainText())
    assert seen == ["Second?", "First?", "First?", "Second?", ""]


def test_up_in_a_text_of_ones_own_only_moves_the_cursor(
    window: MainWindow, composer: Composer, qtbot: QtBot
) -> None:
    ask(window, qtbot, "First?")
    qtbot.keyClicks(composer.edit, "mine")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "mine"


def test_a_stored_chat_brings_its_questions_along(
    window: MainWindow, composer: Composer, app: FakeApp, qtbot: QtBot
) -> None:
    number = next(iter(app.chats))
    window.session.open(number)
    qtbot.waitUntil(lambda: bool(window.chat.messages.count))
    qtbot.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == app.chats[number][1][-2].text


def test_what_was_typed_waits_in_its_chat(
    window: MainWindow, composer: Composer, app: FakeApp, qtbot: QtBot
) -> None:
    first, second = list(app.chats)[:2]
    qtbot.keyClicks(composer.edit, "in a new chat")
    for number, text in ((first, "in the first"), (second, "in the second")):
        window.session.open(number)
        qtbot.waitUntil(lambda: composer.edit.toPlainText() == "")
        qtbot.keyClicks(composer.edit, text)
    window.session.open(first)
    qtbot.waitUntil(lambda: composer.edit.toPlainText() == "in the first")
    window.new_chat()
    qtbot.waitUntil(lambda: composer.edit.toPlainText() == "in a new chat")


def test_what_is_typed_while_a_new_chat_is_answered_belongs_to_it(
    window: MainWindow, composer: Composer, app: FakeApp, qtbot: QtBot
) -> None:
    ask(window, qtbot, "How long?")
    begun = window.session.conversation
    assert begun is not None
    qtbot.keyClicks(composer.edit, "and then")
    window.new_chat()
    qtbot.waitUntil(lambda: composer.edit.toPlainText() == "")
    window.session.open(begun)
    qtbot.waitUntil(lambda: composer.edit.toPlainText() == "and then")


def test_of_a_megabyte_the_beginning_is_pasted_with_a_kind_word(
    window: MainWindow, composer: Composer
) -> None:
    mime = QMimeData()
    mime.setText("All about the harbour. " * 50_000)
    begin = time.perf_counter()
    composer.edit.insertFromMimeData(mime)
    assert time.perf_counter() - begin < 1.0
    assert len(composer.edit.toPlainText()) == MOST_CHARS
    assert "1,150,000 characters" in window.notice.sentence.text()
    assert "add it to the library" in window.notice.sentence.text()
    composer.edit.insertFromMimeData(mime)
    assert len(composer.edit.toPlainText()) == MOST_CHARS, "nor by pasting twice"


def test_a_selection_makes_room_for_what_is_pasted(composer: Composer) -> None:
    mime = QMimeData()
    mime.setText("x" * MOST_CHARS)
    composer.edit.insertFromMimeData(mime)
    composer.edit.selectAll()
    mime.setText("y" * MOST_CHARS)
    composer.edit.insertFromMimeData(mime)
    assert composer.edit.toPlainText() == "y" * MOST_CHARS


def test_files_that_are_pasted_go_into_the_library(
    composer: Composer, app: FakeApp, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "lease.md"
    path.write_text("The rent is due.", encoding="utf-8")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    QApplication.clipboard().setMimeData(mime)
    composer.edit.paste()
    qtbot.waitUntil(lambda: any(call.startswith("add lease.md") for call in app.calls))
    assert composer.edit.toPlainText() == ""


@pytest.mark.parametrize("is_file", [True, False])
def test_dropped_text_is_typed_and_files_are_the_windows(
    window: MainWindow, composer: Composer, is_file: bool, tmp_path: Path
) -> None:
    mime = QMimeData()
    if is_file:
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "lease.md"))])
    else:
        mime.setText("a dropped sentence")
    edit: QuestionEdit = composer.edit
    at, copy, left = QPoint(5, 5), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    plain = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, copy, mime, left, plain)
    QApplication.sendEvent(edit.viewport(), enter)
    assert window.overlay.isVisible() is is_file
    if not is_file:
        assert enter.isAccepted()
        QApplication.sendEvent(edit.viewport(), QDropEvent(QPointF(at), copy, mime, left, plain))
        assert edit.toPlainText() == "a dropped sentence"


def test_page_keys_scroll_the_messages_while_one_types(
    window: MainWindow, composer: Composer, app: FakeApp, qtbot: QtBot
) -> None:
    app.answer_text = "\n\n".join(f"Paragraph {n}." for n in range(80))
    app.step_s = 0.0
    ask(window, qtbot, "How long?")
    bar = window.chat.messages.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 500)
    window.chat.messages.scroll_by(bar.SliderAction.SliderToMaximum)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    qtbot.keyClick(composer.edit, Qt.Key.Key_PageUp)
    assert bar.value() < bar.maximum() - 200
    assert composer.edit.hasFocus()
    qtbot.keyClick(composer.edit, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_tab_goes_from_the_composer_to_the_last_answer_and_then_out(
    window: MainWindow, composer: Composer, qtbot: QtBot
) -> None:
    for question in ("First?", "Second?"):
        ask(window, qtbot, question)
    qtbot.waitUntil(lambda: window.chat.changes.again.isVisible())
    chat, last = window.chat, window.chat.messages.answers()[-1]
    met: list[str] = []
    for _press in range(60):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        assert widget is not None
        for name, part in (("composer", composer), ("last", last), ("changes", chat.changes)):
            if part.isAncestorOf(widget) and (not met or met[-1] != name):
                met.append(name)
        if not chat.isAncestorOf(widget):
            met.append("out")
            break
    assert met[-3:] == ["last", "changes", "out"]
    assert met[0] in {"composer", "last"}


def test_shift_tab_goes_from_the_composer_to_the_earlier_messages_and_tab_comes_back(
    window: MainWindow, composer: Composer, qtbot: QtBot
) -> None:
    for question in ("First?", "Second?"):
        ask(window, qtbot, question)
    earlier = window.chat.messages.answers()[0]
    qtbot.keyClick(composer.edit, Qt.Key.Key_Backtab)
    widget = QApplication.focusWidget()
    assert widget is not None
    assert earlier.isAncestorOf(widget)
    assert not widget.visibleRegion().isEmpty(), "what has the focus is in view"
    qtbot.keyClick(widget, Qt.Key.Key_Tab)
    assert composer.edit.hasFocus()
