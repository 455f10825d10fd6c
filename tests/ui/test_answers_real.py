"""Answers over the real library: verdicts outlive the window, cards know the disk."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.feedback import Rating, Reason
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.why_dialog import WhyDialog
from desktop_rag.ui.chat.why_rows import Column
from desktop_rag.ui.main_window import MainWindow

QUESTION = "When did the harbour bridge open?"
TEXTS = {
    "bridge.txt": "The harbour bridge opened in 1932 after eight years of work.",
    "tea.txt": "Green tea is picked in spring and steamed on the same day.",
}
pytestmark = pytest.mark.qt_log_ignore("does not support (propagateSizeHints|raise)")


@pytest.fixture
def folder(add_files: Callable[[dict[str, str]], Path]) -> Path:
    return add_files(TEXTS)


@pytest.fixture
def answer(folder: Path, real_window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    real_window.session.ask(QUESTION)
    qtbot.waitUntil(lambda: bool(real_window.chat.messages.answers()))
    qtbot.waitUntil(lambda: not real_window.session.is_busy, timeout=10_000)
    made = real_window.chat.messages.answers()[-1]
    qtbot.waitUntil(lambda: made.text.isVisible() and bool(made.text.chip_rects()))
    return made


def test_a_verdict_is_in_the_library_and_on_the_screen_when_the_chat_is_opened_again(
    real_window: MainWindow, real_app: App, answer: AnswerMessage, qtbot: QtBot
) -> None:
    qtbot.mouseClick(answer.verdict.down, Qt.MouseButton.LeftButton)
    form = answer.verdict.form
    form.reasons[Reason.NOT_IN_SOURCE].click()
    form.comment.setText("Another bridge")
    qtbot.mouseClick(form.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(real_app.feedback.all()))
    kept = real_app.feedback.all()[0]
    assert kept.question == QUESTION
    assert kept.rating == Rating(False, Reason.NOT_IN_SOURCE, "Another bridge")
    conversation = real_window.session.conversation
    assert conversation is not None
    real_window.new_chat()
    real_window.session.open(conversation)
    qtbot.waitUntil(lambda: bool(real_window.chat.messages.answers()))
    again = real_window.chat.messages.answers()[-1]
    qtbot.waitUntil(again.verdict.down.isChecked)
    assert "Another bridge" in again.verdict.down.toolTip()
    qtbot.mouseClick(again.verdict.up, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: real_app.feedback.all()[0].rating == Rating(is_good=True))


def test_the_card_says_that_the_file_vanished(
    answer: AnswerMessage, folder: Path, qtbot: QtBot
) -> None:
    (folder / "bridge.txt").unlink()
    answer.text.setFocus(Qt.FocusReason.TabFocusReason)
    card = answer.preview.card
    assert card is not None
    assert "opened in 1932" in card.quote.text
    qtbot.waitUntil(card.state.isVisible)
    assert card.state_text.text() == "The file is not where it was; the quote was kept."


def test_why_these_sources_shows_what_the_search_really_found(
    real_window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    qtbot.mouseClick(answer.footer.why_button, Qt.MouseButton.LeftButton)
    dialog = real_window.findChild(WhyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.table)
    model = dialog.table.model()
    first = [str(model.index(0, column).data()) for column in Column]
    assert first[Column.PLACE].startswith("bridge.txt")
    assert first[Column.CITED] == "[1]"
    assert "harbour" in first[Column.MATCHED]
    assert first[Column.MEANING].startswith("1 (")
    dialog.close()
