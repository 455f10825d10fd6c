"""Collections, folders and files a chat asks, over the real façade."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.choices import Choice
from desktop_rag.ui.chat.scope_bar import ScopeBar
from desktop_rag.ui.main_window import MainWindow

QUESTION = "When did the harbour bridge open?"
FILES = {
    "harbour/bridge.md": "# The bridge\n\nThe harbour bridge opened to traffic in 1932.\n",
    "harbour/other.md": "# Another bridge\n\nThe harbour bridge opened to trains in 1940.\n",
    "kitchen/coffee.md": "# Coffee machine\n\nThe coffee machine has a warranty of two years.\n",
}


@pytest.fixture
def folder(add_files: Callable[[dict[str, str]], Path], real_app: App) -> Path:
    folder = add_files(FILES)
    real_app.organising.collect("Drinks", [folder / "kitchen"])
    return folder


@pytest.fixture
def window(folder: Path, real_window: MainWindow, qtbot: QtBot) -> MainWindow:
    qtbot.waitUntil(real_window.chat.composer._can_send)
    return real_window


@pytest.fixture
def bar(window: MainWindow) -> ScopeBar:
    return window.chat.composer.scope


def open_list(bar: ScopeBar, qtbot: QtBot) -> None:
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.popup.model.rowCount() > 0)


def tick(bar: ScopeBar, qtbot: QtBot, *titles: str) -> None:
    open_list(bar, qtbot)
    model = bar.popup.model
    rows = {str(model.index(n).data()): model.index(n) for n in range(model.rowCount())}
    for title in titles:
        rect = bar.popup.list.visualRect(rows[title])
        qtbot.mouseClick(bar.popup.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    bar.popup.close()
    qtbot.waitUntil(lambda: len(bar.chips) == len(titles))


def ask(window: MainWindow, qtbot: QtBot, question: str = QUESTION) -> set[str]:
    """Names of the files that are cited."""
    window.chat.composer.edit.setPlainText(question)
    window.chat.composer.send()
    qtbot.waitUntil(lambda: bool(window.session.is_busy))
    qtbot.waitUntil(lambda: not window.session.is_busy)
    sources = window.chat.messages.answers()[-1].sources
    return {row.accessibleName() for row in sources.rows}


def test_everything_is_asked_until_something_is_ticked(
    window: MainWindow, bar: ScopeBar, qtbot: QtBot
) -> None:
    assert bar.button.text() == "All documents"
    open_list(bar, qtbot)
    titles = [str(bar.popup.model.index(n).data()) for n in range(bar.popup.model.rowCount())]
    assert titles[0] == "Drinks"
    assert {"harbour", "kitchen", "The bridge", "Coffee machine"} <= set(titles)
    bar.popup.close()
    assert not bar.chips


def test_only_what_is_ticked_is_asked_and_it_stays_with_the_chat(
    window: MainWindow, bar: ScopeBar, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    tick(bar, qtbot, "Another bridge")
    names = ask(window, qtbot)
    assert names
    assert all("Another bridge" in name for name in names)
    chat = window.session.conversation
    assert chat is not None
    path = str(folder / "harbour" / "other.md")
    assert real_app.scopes.of(chat).choice == Choice(paths=(path,))
    window.new_chat()
    qtbot.waitUntil(lambda: not bar.chips)
    assert bar.button.text() == "All documents"
    window.session.open(chat)
    qtbot.waitUntil(lambda: len(bar.chips) == 1)
    window.session.answer_again()
    qtbot.waitUntil(lambda: not window.session.is_busy)


def test_a_chip_is_taken_off_by_a_click(window: MainWindow, bar: ScopeBar, qtbot: QtBot) -> None:
    tick(bar, qtbot, "Drinks", "The bridge")
    assert "Drinks" in bar.chips[0].text()
    qtbot.mouseClick(bar.chips[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(bar.chips) == 1)
    assert window.session.scope.choice.collections == ()
    assert len(window.session.scope.choice.paths) == 1


def test_what_is_likely_while_typing_keeps_to_the_choice(
    window: MainWindow, bar: ScopeBar, qtbot: QtBot
) -> None:
    tick(bar, qtbot, "Another bridge")
    window.chat.composer.edit.setFocus()
    qtbot.keyClicks(window.chat.composer.edit, QUESTION)
    qtbot.waitUntil(window.chat.likely.isVisible)
    shown = [one.accessibleName() for one in window.chat.likely.buttons if one.isVisible()]
    assert shown == ["Likely source: Another bridge"]


def test_the_list_is_searched_and_ticked_with_keys_alone(
    window: MainWindow, bar: ScopeBar, qtbot: QtBot
) -> None:
    open_list(bar, qtbot)
    popup = bar.popup
    qtbot.keyClicks(popup.search, "coffee")
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert popup.model.rowCount() == 1
    qtbot.keyClicks(popup.search, "xyz")
    qtbot.waitUntil(lambda: popup.stack.currentWidget() is popup.told)
    assert "called like that" in popup.told.text()
    popup.search.clear()
    qtbot.waitUntil(lambda: popup.model.rowCount() > 3)
    qtbot.keyClick(popup.search, Qt.Key.Key_Down)
    assert popup.list.hasFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Space)
    qtbot.keyClick(popup.list, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(bar.chips) == 2)
    assert not popup.isVisible()


def test_words_typed_before_the_list_is_read_choose_nothing(
    window: MainWindow,
    bar: ScopeBar,
    real_app: App,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tick(bar, qtbot, "Coffee machine")
    window.new_chat()
    assert not bar.chips
    gate, options = threading.Event(), real_app.scopes.options
    monkeypatch.setattr(real_app.scopes, "options", lambda: options() if gate.wait(5) else None)
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    bar.popup.search.setText("bridge")
    qtbot.keyClick(bar.popup.search, Qt.Key.Key_Return)
    bar.popup.close()
    assert window.session.scope.choice.is_everything
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    bar.popup.search.setText("coffee")
    gate.set()
    qtbot.waitUntil(lambda: bar.popup.stack.currentWidget() is bar.popup.list)
    assert bar.popup.model.rowCount() == 1, "what was typed meanwhile counts"
    bar.popup.close()
    qtbot.wait(50)  # what is not to come
    assert window.session.scope.choice.is_everything


def test_the_whole_library_is_asked_only_when_the_person_agrees(
    window: MainWindow, bar: ScopeBar, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    tick(bar, qtbot, "Coffee machine")
    (folder / "kitchen" / "coffee.md").unlink()
    real_app.remove([folder / "kitchen" / "coffee.md"])
    window.chat.composer.edit.setPlainText(QUESTION)
    window.chat.composer.send()
    qtbot.waitUntil(window.chat.nothing_left.isVisible)
    assert window.chat.composer.edit.toPlainText() == QUESTION, "nothing was lost"
    assert window.chat.messages.count == 0
    assert bar.chips[0].property("gone")
    assert QApplication.focusWidget() is window.chat.nothing_left.everything
    qtbot.mouseClick(window.chat.nothing_left.everything, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.chat.messages.count == 2)
    qtbot.waitUntil(lambda: not window.session.is_busy)
    assert window.chat.messages.answers()[-1].sources.rows
    assert not window.chat.nothing_left.isVisible()
    assert not bar.chips
    assert window.chat.composer.edit.toPlainText() == ""


def test_an_empty_chat_suggests_files_and_works_without_a_model(
    window: MainWindow, qtbot: QtBot
) -> None:
    empty = window.chat.empty_chat
    qtbot.waitUntil(lambda: len(empty.suggestions) == 4)
    assert "3 files can be asked" in empty.lead.text()
    titles = [one.accessibleName() for one in empty.suggestions[:3]]
    assert "What does “The bridge” say about " in titles
    qtbot.mouseClick(empty.suggestions[0], Qt.MouseButton.LeftButton)
    edit = window.chat.composer.edit
    assert edit.toPlainText() == titles[0]
    assert edit.hasFocus()
    assert edit.textCursor().atEnd()
    assert not window.session.is_busy, "the person finishes and sends it"


def test_a_narrow_composer_leaves_chips_out_and_counts_them(
    window: MainWindow, bar: ScopeBar, qtbot: QtBot
) -> None:
    tick(bar, qtbot, "Drinks", "The bridge", "Another bridge")
    assert [chip.isVisible() for chip in bar.chips] == [True, True, True]
    bar.resize(bar.button.sizeHint().width() + bar.chips[0].sizeHint().width() + 30, bar.height())
    assert [chip.isVisible() for chip in bar.chips] == [True, False, False]
    assert bar.button.text() == "3 chosen"


def test_a_question_asked_at_once_waits_for_its_chat_and_what_that_searches(
    window: MainWindow, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    narrow = real_app._conversations.begin("Coffee")
    real_app.scopes.choose(narrow, Choice(paths=(str(folder / "kitchen"),)))
    window.session.open(narrow)
    window.session.ask(QUESTION)
    qtbot.waitUntil(lambda: len(real_app.messages(narrow)) == 2)
    answer = real_app.messages(narrow)[1].answer
    assert answer is not None
    assert answer.figures.searched_documents == 1, "not the whole library"


def test_of_two_questions_at_once_the_second_is_given_back(
    window: MainWindow, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    session, edit = window.session, window.chat.composer.edit
    narrow = real_app._conversations.begin("Coffee")
    real_app.scopes.choose(narrow, Choice(paths=(str(folder / "kitchen"),)))
    session.open(narrow)
    session.ask(QUESTION)
    session.ask("And the second one, while the chat is being read?")
    assert edit.toPlainText() == "And the second one, while the chat is being read?"
    qtbot.waitUntil(lambda: len(real_app.messages(narrow)) == 2)


def test_a_question_whose_chat_is_left_at_once_is_given_back(
    window: MainWindow, real_app: App, folder: Path, qtbot: QtBot
) -> None:
    session = window.session
    narrow = real_app._conversations.begin("Coffee")
    real_app.scopes.choose(narrow, Choice(paths=(str(folder / "kitchen"),)))
    session.open(narrow)
    qtbot.waitUntil(lambda: not session.scope.choice.is_everything)
    session.ask(QUESTION)
    window.new_chat()
    qtbot.waitUntil(lambda: window.chat.composer.edit.toPlainText() == QUESTION)
    assert not session.is_busy


def test_a_question_is_not_asked_in_a_chat_that_is_only_being_opened(
    window: MainWindow,
    real_app: App,
    folder: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = window.session
    narrow, other = (real_app._conversations.begin(title) for title in ("Coffee", "Other"))
    real_app.scopes.choose(narrow, Choice(paths=(str(folder / "kitchen"),)))
    session.open(narrow)
    qtbot.waitUntil(lambda: not session.scope.choice.is_everything)
    gate, read = threading.Event(), real_app.transcripts.open
    monkeypatch.setattr(
        real_app.transcripts, "open", lambda chat: read(chat) if gate.wait(5) else None
    )
    with qtbot.waitSignal(session.unasked) as told:
        session.ask(QUESTION)
        session.open(other)
    assert told.args == [QUESTION]
    with qtbot.waitSignal(session.opened):
        gate.set()
    assert not session.is_busy
    assert not real_app.messages(other)


def test_a_chat_that_was_deleted_meanwhile_is_told_and_a_new_one_begun(
    window: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    gone = real_app._conversations.begin("Gone")
    real_app._conversations.delete(gone)
    window.session.open(gone)
    window.session.ask(QUESTION)
    qtbot.waitUntil(lambda: "does not exist" in window.notice.sentence.text())
    assert window.session.conversation is None
    assert window.chat.composer.edit.toPlainText() == QUESTION
