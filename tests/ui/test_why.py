"""Why these sources: the table, its states, and the way to a place."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from desktop_rag.domain.answers import Understood
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.domain.explanation import Fate, Verdict
from desktop_rag.domain.scope import Scope
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.why_dialog import WhyDialog
from desktop_rag.ui.chat.why_rows import Column, decision_words, rows_of
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fake_app import FakeApp

QUESTION = "How long is the cover?"
pytestmark = pytest.mark.qt_log_ignore("does not support (propagateSizeHints|raise)")


@pytest.fixture
def answer(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    window.session.ask(QUESTION)
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    qtbot.waitUntil(lambda: not window.session.is_busy)
    made = window.chat.messages.answers()[-1]
    qtbot.waitUntil(made.footer.isVisible)
    return made


def opened(window: MainWindow, answer: AnswerMessage, qtbot: QtBot) -> WhyDialog:
    qtbot.mouseClick(answer.footer.why_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(WhyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is not dialog.activity)
    return dialog


def column(dialog: WhyDialog, which: Column) -> list[str]:
    model = dialog.table.model()
    return [str(model.index(row, which).data()) for row in range(model.rowCount())]


def test_every_candidate_is_listed_with_ranks_scores_and_reason(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    dialog = opened(window, answer, qtbot)
    assert dialog.pages.currentWidget() is dialog.table
    assert column(dialog, Column.RANK) == ["1", "2", "3", "4", "5", "6"]
    assert column(dialog, Column.CITED) == ["[1]", "[2]", "[3]", "[4]", "", ""]
    assert column(dialog, Column.PLACE)[0] == "Coffee machine guide.pdf · page 2"
    assert column(dialog, Column.RELEVANCE)[0] == "85 %"
    assert column(dialog, Column.MEANING)[0] == "1 (0.65)"
    assert column(dialog, Column.MEANING)[5] == "–"
    assert column(dialog, Column.KEYWORDS)[1] == "2 (7.5)"
    assert column(dialog, Column.MATCHED)[0] == "coffee, machine"
    assert column(dialog, Column.DECISION)[3:] == [
        "Taken",
        "Left out: says the same as #1",
        "Left out: hardly about the question",
    ]
    assert dialog.table.isColumnHidden(Column.LATE)  # nothing was compared word by word
    assert "weights" in dialog.reading.text()


def test_the_search_is_that_of_the_answer_in_the_scope_of_the_chat(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    scope = Scope(files=("guide.pdf",))
    window.chat.desk.scope = lambda: scope
    whole = answer._answer
    assert whole is not None
    answer.complete(replace(whole, understood=Understood(rewritten="How long is it covered?")))
    opened(window, answer, qtbot)
    assert app.calls[-1] == f"search How long is it covered? in {scope}"


def test_what_the_search_does_not_show_is_said(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    whole = answer._answer
    assert whole is not None
    understood = Understood(inherited="file handbook.html")
    answer.complete(replace(whole, scope_note="Looked at all 12 pages.", understood=understood))
    dialog = opened(window, answer, qtbot)
    lines = dialog.reading.text().splitlines()
    assert lines[0] == "Looked at all 12 pages."
    assert "kept to file handbook.html from an earlier question" in lines[1]


def test_a_passage_opens_by_keyboard_and_one_that_was_left_out_does_not(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    dialog = opened(window, answer, qtbot)
    assert dialog.table.hasFocus() or dialog.focusWidget() is dialog.table
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.table.currentIndex().row() == 1
    with qtbot.waitSignal(window.chat.opened) as told:
        qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert told.args == [app.passages()[1]]
    qtbot.waitUntil(window.viewer.isVisible)
    qtbot.keyClick(dialog.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert not dialog.open_button.isEnabled()
    assert "Left out" in dialog.detail.text()


def test_a_screen_reader_hears_the_heading_of_a_cell(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    dialog = opened(window, answer, qtbot)
    cell = dialog.table.model().index(0, Column.MEANING)
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == "By meaning: 1 (0.65)"
    told = QAccessible.queryAccessibleInterface(dialog.table)
    assert told.role() is QAccessible.Role.Table
    assert told.text(QAccessible.Text.Name) == "Passages that were found"


def test_a_failure_is_told_and_can_be_tried_again(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    app.search_fails_with = RoleUnavailable("The search stopped; try again in a moment.")
    dialog = opened(window, answer, qtbot)
    assert dialog.failure.sentence.text() == "The search stopped; try again in a moment."
    assert dialog.failure.isVisible()
    app.search_fails_with = None
    qtbot.mouseClick(dialog.failure.retry, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.table)


def test_nothing_found_says_so(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    app.is_found = False
    dialog = opened(window, answer, qtbot)
    assert dialog.pages.currentWidget() is dialog.empty
    assert dialog.empty.isVisible()


def test_escape_closes_it_while_it_searches(
    window: MainWindow, answer: AnswerMessage, app: FakeApp, qtbot: QtBot
) -> None:
    qtbot.mouseClick(answer.footer.why_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(WhyDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.wait(50)


def test_small_talk_has_no_sources_to_explain(answer: AnswerMessage) -> None:
    whole = answer._answer
    assert whole is not None
    answer.complete(replace(whole, kind="chat"))
    assert not answer.footer.why_button.isVisible()


@pytest.mark.parametrize("fate", list(Fate))
def test_every_fate_has_words(app: FakeApp, fate: Fate) -> None:
    result = app.search(QUESTION, is_explained=True)
    one = replace(result.explanation.decisions[0], verdict=Verdict(fate))
    said = decision_words(one, result.explanation)
    assert said == "Taken" if fate is Fate.SHOWN else said.startswith("Left out: ")
    assert len(rows_of(result)) == 6


def test_the_name_of_the_file_keeps_room_beside_long_words_and_reasons(
    window: MainWindow, answer: AnswerMessage, qtbot: QtBot
) -> None:
    table = opened(window, answer, qtbot).table
    table.setColumnWidth(Column.DECISION, 2000)
    table.resize(table.width() - 100, table.height())
    readable = table.fontMetrics().averageCharWidth() * 20
    qtbot.waitUntil(lambda: table.columnWidth(Column.PLACE) >= readable)
