"""The history of chats over the real façade: find, open, rename, pin, delete, bring back."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.answers import Conversation, ConversationId, Role
from desktop_rag.domain.chats import ChatHit
from desktop_rag.ui.history import dates
from desktop_rag.ui.history.chat_menu import ChatMenu
from desktop_rag.ui.history.hit_list import HitList
from desktop_rag.ui.history.quick_switch import QuickSwitch
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models.conversations import ChatRole, ConversationModel
from desktop_rag.ui.theme import LIGHT
from tests.helpers.fake_app import FakeApp
from tests.helpers.fakes import fake_engines

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
AddFiles = Callable[[dict[str, str]], Path]


@pytest.fixture
def chats(real_app: App, add_files: AddFiles) -> list[ConversationId]:
    """Two chats of questions that were really asked, and a long one; the last used first."""
    add_files(
        {
            "pump.md": "# Pump\n\nThe pump holds four litres of oil.",
            "köln.md": "# Köln\n\nDie Brücke in Köln ist zwölf Meter breit.",
        }
    )
    asked = [
        real_app.ask(question)
        for question in ("How much oil does the pump hold?", "Wie breit ist die Brücke in Köln?")
    ]
    for handle in asked:
        assert handle.result(10).found
    store = real_app._conversations
    long = store.begin("A long talk")
    for number in range(60):
        store.add(long, Role.USER, f"Question number {number} about zebras")
        store.add(long, Role.ASSISTANT, f"Answer {number}. " + "More words. " * 40)
    return [long, *(handle.conversation for handle in reversed(asked))]


@pytest.fixture
def shown(real_window: MainWindow, chats: list[ConversationId], qtbot: QtBot) -> MainWindow:
    real_window.history.refresh()
    qtbot.waitUntil(lambda: len(listed(real_window)) == 3)
    return real_window


def listed(window: MainWindow) -> list[str]:
    return [chat.title for chat in window.sidebar.model.chats()]


def search(window: MainWindow, qtbot: QtBot, words: str) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F, CTRL | SHIFT)
    panel = window.sidebar.history
    assert QApplication.focusWidget() is panel.field
    with qtbot.waitSignal(window.history.search.found):
        qtbot.keyClicks(panel.field, words)


def row_rect(window: MainWindow, row: int) -> QRect:
    view = window.sidebar.list
    index = window.sidebar.model.index(row)
    return view._rows.row_rect(view.visualRect(index), index)


def test_a_word_leads_to_the_message_it_stands_in(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    search(shown, qtbot, "number 17 zebras")
    panel = shown.sidebar.history
    assert panel.stack.currentWidget() is panel.hits
    hit = panel.hits.hits.hit(panel.hits.hits.index(0))
    assert hit.snippet is not None
    assert hit.snippet.text == "Question number 17 about zebras"
    assert [hit.snippet.text[a:b] for a, b in hit.snippet.marks] == ["number", "17", "zebras"]
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.session.conversation == chats[0])
    qtbot.waitUntil(lambda: _is_in_view(shown, "Question number 17 about zebras"))
    assert panel.stack.currentWidget() is panel.hits


def test_another_place_of_the_open_chat_is_gone_to(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    shown.history.open(chats[0])
    qtbot.waitUntil(lambda: _is_in_view(shown, "Answer 59."))
    search(shown, qtbot, "number 3 zebras")
    hits = shown.sidebar.history.hits
    row = next(n for n in range(hits.hits.rowCount()) if "number 3 " in snippet(hits, n))
    place = hits.visualRect(hits.hits.index(row)).center()
    qtbot.mouseClick(hits.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: _is_in_view(shown, "Question number 3 about zebras"))


def test_what_was_just_answered_is_gone_to(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    shown.history.open(chats[0])
    qtbot.waitUntil(lambda: _is_in_view(shown, "Answer 59."))
    shown.session.ask("How much oil does the marvellous pump hold?")
    qtbot.waitUntil(lambda: not shown.session.is_busy, timeout=10_000)
    bar = shown.chat.messages.verticalScrollBar()
    bar.setValue(0)
    qtbot.waitUntil(lambda: not _is_in_view(shown, "marvellous"))
    search(shown, qtbot, "marvellous")
    qtbot.keyClick(shown.sidebar.history.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _is_in_view(shown, "marvellous"))


def snippet(hits: HitList, row: int) -> str:
    shown = hits.hits.hit(hits.hits.index(row)).snippet
    assert shown is not None
    return shown.text


def _is_in_view(window: MainWindow, text: str) -> bool:
    """Whether a message that says so is really within the view of the list of messages."""
    view = window.chat.messages.viewport()
    for widget in window.chat.messages.shown():
        if text in _said(widget):
            top = widget.mapTo(view, QPoint(0, 0)).y()
            return top + widget.height() >= 0 and top < view.height()
    return False


def _said(widget: QWidget) -> str:
    labels = [label.text() for label in widget.findChildren(QLabel)]
    return "\n".join([*labels, *(one.toPlainText() for one in widget.findChildren(QTextEdit))])


def test_accents_and_case_do_not_matter_and_esc_leads_back(shown: MainWindow, qtbot: QtBot) -> None:
    search(shown, qtbot, "BRUCKE koln")
    panel = shown.sidebar.history
    assert panel.hits.hits.rowCount() >= 2
    assert "Köln" in panel.hits.hits.hit(panel.hits.hits.index(0)).title.text
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    assert panel.field.text() == ""
    assert panel.stack.currentWidget() is panel.list
    qtbot.keyClick(panel.field, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is shown.chat.composer.edit


def test_what_is_nowhere_is_said(shown: MainWindow, qtbot: QtBot) -> None:
    search(shown, qtbot, "walrus")
    panel = shown.sidebar.history
    assert panel.stack.currentWidget() is panel.nothing
    assert "walrus" in panel.nothing.text()


def test_the_marked_words_are_painted(shown: MainWindow, qtbot: QtBot) -> None:
    search(shown, qtbot, "zebras")
    hits = shown.sidebar.history.hits
    assert LIGHT.highlight_text in colours(hits.viewport().grab().toImage())


def colours(picture: QImage) -> set[str]:
    return {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 2)
        for y in range(0, min(picture.height(), 200), 2)
    }


def test_a_few_letters_lead_to_another_chat(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    qtbot.keyClick(shown, Qt.Key.Key_K, CTRL)
    switch = shown.findChild(QuickSwitch)
    assert switch is not None
    assert switch.hits.hits.rowCount() == 3
    with qtbot.waitSignal(switch.searched):
        qtbot.keyClicks(switch.field, "long talk")
    qtbot.waitUntil(lambda: switch.hits.hits.rowCount() == 1)
    qtbot.keyClick(switch.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.session.conversation == chats[0])
    assert not switch.isVisible()


def test_a_title_is_typed_anew_after_a_double_click(
    shown: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    view = shown.sidebar.list
    place = row_rect(shown, 1).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(view.viewport(), LEFT, pos=place)
    editor = view.findChild(QLineEdit)
    assert editor is not None
    qtbot.wait(150)  # the chat of the first click has been opened by now, and may not take the keys
    editor.selectAll()
    qtbot.keyClicks(editor, "Bridges")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Bridges" in [chat.title for chat in real_app.history.all()])
    assert listed(shown)[1] == "Bridges"


def test_a_pinned_chat_goes_to_the_top(
    shown: MainWindow, real_app: App, chats: list[ConversationId], qtbot: QtBot
) -> None:
    panel = shown.sidebar.history
    last = shown.sidebar.model.chats()[2]
    panel.menu_for([last]).actions()[0].trigger()
    qtbot.waitUntil(lambda: listed(shown)[0] == last.title)
    model = shown.sidebar.model
    assert [model.index(row).data(ChatRole.HEADING) for row in range(3)] == ["Pinned", "Today", ""]
    assert real_app.history.all()[0].is_pinned
    action = panel.menu_for([model.chats()[0]]).actions()[0]
    assert action.text() == "Unpin"
    action.trigger()
    qtbot.waitUntil(lambda: listed(shown)[2] == last.title)


def test_a_deleted_chat_is_brought_back(
    shown: MainWindow, real_app: App, chats: list[ConversationId], qtbot: QtBot
) -> None:
    before = listed(shown)
    shown.history.open(chats[0])
    qtbot.waitUntil(lambda: shown.chat.messages.count > 0)
    shown.sidebar.list.setFocus()
    qtbot.keyClick(shown.sidebar.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(listed(shown)) == 2)
    assert shown.session.conversation is None
    assert "A long talk" in shown.undo_bar.sentence.text()
    qtbot.mouseClick(shown.undo_bar.button, LEFT)
    qtbot.waitUntil(lambda: listed(shown) == before)
    qtbot.waitUntil(lambda: shown.session.conversation == chats[0])
    assert len(real_app.messages(chats[0])) == 120


def test_the_keys_of_undo_bring_a_chat_back_unless_something_typed_is_undone(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    before, edit = listed(shown), shown.chat.composer.edit
    shown.sidebar.list.setFocus()
    qtbot.keyClick(shown.sidebar.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(listed(shown)) == 2)
    edit.setFocus()
    qtbot.keyClicks(edit, "a")
    qtbot.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert (edit.toPlainText(), len(listed(shown))) == ("", 2)
    qtbot.keyClick(edit, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: listed(shown) == before)


def test_several_chats_are_deleted_at_once_and_for_good(
    shown: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    view = shown.sidebar.list
    qtbot.mouseClick(view.viewport(), LEFT, pos=row_rect(shown, 0).center())
    qtbot.mouseClick(view.viewport(), LEFT, CTRL, pos=row_rect(shown, 2).center())
    menu = shown.sidebar.history.menu_for(view.marked())
    assert [one.text() for one in menu.actions() if one.text()] == ["Pin", "Delete 2 chats"]
    menu.actions()[-1].trigger()
    qtbot.waitUntil(lambda: len(listed(shown)) == 1)
    assert len(real_app._conversations.hidden()) == 2
    shown.undo_bar.settle()
    qtbot.waitUntil(lambda: real_app._conversations.hidden() == [])
    assert len(real_app.history.all()) == 1


def test_what_was_deleted_before_closing_is_gone_at_the_next_start(
    tmp_path: Path, open_window: Callable[[App], MainWindow], qtbot: QtBot
) -> None:
    data = tmp_path / "other"
    with App.open(data, fake_engines()) as app:
        chat = app._conversations.begin("Old")
        window = open_window(app)
        qtbot.waitUntil(lambda: listed(window) == ["Old"])
        window.history.remove(window.sidebar.model.chats())
        qtbot.waitUntil(lambda: listed(window) == [])
        window.close()
    with App.open(data, fake_engines()) as app:
        assert app.history.all() == []
        app.history.bring_back([chat])
        assert app.history.all() == []


def test_what_was_deleted_just_before_closing_is_gone_even_when_everything_is_busy(
    tmp_path: Path, open_window: Callable[[App], MainWindow], qtbot: QtBot
) -> None:
    data = tmp_path / "other"
    with App.open(data, fake_engines()) as app:
        app._conversations.begin("Old")
        window = open_window(app)
        qtbot.waitUntil(lambda: listed(window) == ["Old"])
        for _ in range(3):
            window.background.run(lambda: time.sleep(0.3))
        window.history.remove(window.sidebar.model.chats())
        window.close()
    with App.open(data, fake_engines()) as app:
        assert app.history.all() == []


def test_what_is_brought_back_at_once_is_not_removed_after_all(
    shown: MainWindow, real_app: App, qtbot: QtBot
) -> None:
    everything = len(real_app.history.all())
    for _ in range(10):
        for _ in range(3):
            shown.background.run(lambda: time.sleep(0.01))
        shown.history.remove(shown.sidebar.model.chats())
        shown.undo_bar.take_back()
    qtbot.waitUntil(lambda: not shown.history._changes)
    qtbot.waitUntil(lambda: len(listed(shown)) == everything)
    assert real_app._conversations.hidden() == []


def test_an_answer_on_its_way_has_a_dot_in_the_list(
    shown: MainWindow, chats: list[ConversationId], qtbot: QtBot
) -> None:
    model = shown.sidebar.model
    shown.sidebar.history.show_answering({chats[1]})
    assert [model.index(row).data(ChatRole.IS_ANSWERING) for row in range(3)] == [
        False,
        True,
        False,
    ]
    described = model.index(1).data(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "An answer is being written" in described
    rect = row_rect(shown, 1)
    picture = shown.sidebar.list.viewport().grab(rect).toImage()
    place = picture.pixelColor(picture.width() - 12, picture.height() // 2)
    assert place == QColor(LIGHT.accent)


def test_the_dot_comes_with_the_question_and_goes_with_the_answer(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    def dots() -> list[object]:
        model = window.sidebar.model
        return [model.index(row).data(ChatRole.IS_ANSWERING) for row in range(model.rowCount())]

    qtbot.waitUntil(lambda: dots() == [False] * 3)
    app.answer_gate.clear()
    window.session.ask("How long?")
    qtbot.waitUntil(lambda: dots().count(True) == 1)
    window.new_chat()
    assert dots().count(True) == 1
    app.answer_gate.set()
    qtbot.waitUntil(lambda: dots() == [False] * 4)


def test_the_button_of_a_row_opens_its_menu_and_the_heading_does_nothing(
    shown: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QPoint] = []
    # The offscreen platform has no menus of its own and says so.
    monkeypatch.setattr(ChatMenu, "popup", lambda _menu, place: opened.append(place))
    view, model = shown.sidebar.list, shown.sidebar.model
    index = model.index(0)
    button = view._rows.menu_rect(view.visualRect(index), index)
    qtbot.mouseClick(view.viewport(), LEFT, pos=button.center())
    assert opened == [view.viewport().mapToGlobal(button.center())]
    heading = view.visualRect(index).topLeft() + QPoint(20, 4)
    qtbot.mouseClick(view.viewport(), LEFT, pos=heading)
    assert shown.session.conversation is None


def test_the_menu_of_a_chat(shown: MainWindow) -> None:
    menu = shown.sidebar.history.menu_for([shown.sidebar.model.chats()[0]])
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == ["Pin", "Rename", "Export as", "Delete"]
    kinds = [action.text() for action in menu.export.actions()]
    assert kinds == ["Markdown", "Web page (HTML)", "PDF", "JSON, for programs"]


def test_hundreds_of_chats_are_shown_at_once(shown: MainWindow, qtbot: QtBot) -> None:
    when = "2026-01-05T09:00:00+00:00"
    many = [Conversation(ConversationId(n), f"Chat {n}", when) for n in range(1000, 1500)]
    panel = shown.sidebar.history
    panel.show_chats(many, None)
    assert shown.sidebar.model.rowCount() == 500
    assert len(panel.list.viewport().children()) == 0
    assert panel.list.horizontalScrollBar().maximum() == 0


def test_long_titles_end_in_an_ellipsis_at_any_width(shown: MainWindow, qtbot: QtBot) -> None:
    panel = shown.sidebar.history
    title = "A title that is far too long for any list of chats on the left side of a window"
    panel.show_chats([Conversation(ConversationId(1), title, "2026-01-05T09:00:00+00:00")], None)
    for width in (340, 208):
        shown.sidebar.setFixedWidth(width)
        view, first = panel.list, shown.sidebar.model.index(0)
        qtbot.waitUntil(
            lambda: view.visualRect(first).width() <= view.viewport().width() < width  # noqa: B023
        )
    tip = shown.sidebar.model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith(title)
    assert "2026" in tip or "26" in tip.removeprefix(title)


def _chat(number: int, moment: str, *, is_pinned: bool = False) -> Conversation:
    return Conversation(ConversationId(number), f"Chat {number}", moment, is_pinned)


def test_chats_stand_in_groups() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.German))  # its weeks begin on Monday
    today = date(2026, 11, 26)  # a Thursday
    rows = [
        _chat(1, "2026-01-01T12:00:00+00:00", is_pinned=True),
        _chat(2, "2026-11-26T10:00:00+00:00"),
        _chat(3, "2026-11-26T09:00:00+00:00"),
        _chat(4, "2026-11-25T12:00:00+00:00"),
        _chat(5, "2026-11-23T12:00:00+00:00"),
        _chat(6, "2026-11-22T12:00:00+00:00"),
        _chat(7, "nonsense"),
    ]
    try:
        assert dates.headings(rows, today) == [
            "Pinned", "Today", "", "Yesterday", "This week", "Earlier", "",
        ]  # fmt: skip
    finally:
        QLocale.setDefault(QLocale(QLocale.Language.English))


def test_an_empty_list_is_not_a_stop_on_the_way_of_the_focus(shown: MainWindow) -> None:
    panel, chats = shown.sidebar.history, shown.sidebar.model.chats()
    panel.show_chats([], None)
    assert panel.list.focusPolicy() is Qt.FocusPolicy.NoFocus
    panel.show_chats(chats, None)
    assert panel.list.focusPolicy() is Qt.FocusPolicy.StrongFocus


def test_a_list_that_changes_keeps_what_is_marked() -> None:
    model = ConversationModel(today=lambda: date(2026, 11, 26))
    moment = "2026-11-26T10:00:00+00:00"
    a, b, c, d = (_chat(n, moment) for n in range(1, 5))
    model.replace([a, b, c])
    held = QPersistentModelIndex(model.index(1))
    model.replace([d, c, b])
    assert [chat.id for chat in model.chats()] == [4, 3, 2]
    assert held.row() == 2
    model.replace([d, c])
    assert not held.isValid()
    assert [model.index(row).data(ChatRole.HEADING) for row in range(2)] == ["Today", ""]


def test_what_was_looked_for_in_a_closed_dialogue_is_forgotten(
    shown: MainWindow, real_app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slowly(query: str) -> list[ChatHit]:
        begun.set()
        may_end.wait(10)
        return []

    monkeypatch.setattr(real_app.history, "search", slowly)
    shown.history.switch()
    switch = shown.findChild(QuickSwitch)
    assert switch is not None
    switch.field.setText("oil")
    qtbot.waitUntil(begun.is_set)
    with qtbot.waitSignal(switch.destroyed):
        switch.close()
    may_end.set()
    answered: list[object] = []
    together = threading.Barrier(3)  # all threads are at it: none is at the search any more
    for _ in range(3):
        shown.background.run(together.wait, answered.append)
    qtbot.waitUntil(lambda: len(answered) == 3)
