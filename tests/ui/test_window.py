"""The window as a whole: chats, keys, appearance, closing."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.theme import DARK, LIGHT, Appearance, Colours, Theme, stylesheet
from tests.helpers.fake_app import FakeApp

Opener = Callable[[FakeApp], MainWindow]
CTRL = Qt.KeyboardModifier.ControlModifier


def titles(window: MainWindow) -> list[str]:
    model = window.sidebar.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def wait_for_chats(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(titles(window)) == 3)


def test_a_click_opens_a_chat(window: MainWindow, qtbot: QtBot) -> None:
    wait_for_chats(window, qtbot)
    view = window.sidebar.list
    rect = view.visualRect(window.sidebar.model.index(0))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    qtbot.waitUntil(lambda: len(window.chat.messages.widgets()) == 2)


def test_a_chat_is_renamed_in_place(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    wait_for_chats(window, qtbot)
    view = window.sidebar.list
    view.setCurrentIndex(window.sidebar.model.index(1))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_F2)
    editor = view.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "Another title")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "rename Another title" in app.calls)
    assert "Another title" in titles(window)


def test_a_chat_is_deleted_and_the_open_one_gives_way(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    wait_for_chats(window, qtbot)
    window.session.open(next(iter(app.chats)))
    qtbot.waitUntil(lambda: bool(window.chat.messages.widgets()))
    window.sidebar.mark(window.session.conversation)
    window.sidebar.list.setFocus()
    qtbot.keyClick(window.sidebar.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: len(titles(window)) == 2)
    assert window.session.conversation is None
    assert window.chat.messages.widgets() == []


def test_keys_reach_everything(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_L, CTRL)
    assert window.library.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_L, CTRL)
    assert window.chat.isVisible()
    window.session.open(next(iter(app.chats)))
    qtbot.waitUntil(lambda: bool(window.chat.messages.widgets()))
    qtbot.keyClick(window, Qt.Key.Key_N, CTRL)
    assert window.session.conversation is None
    assert window.chat.empty_chat.isVisible()
    assert QApplication.focusWidget() is window.chat.composer.edit


def test_tab_walks_through_the_controls(window: MainWindow, qtbot: QtBot) -> None:
    seen = set()
    for _ in range(12):
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        seen.add(QApplication.focusWidget())
    wanted = {window.sidebar.new_chat, window.sidebar.list, window.sidebar.library_button}
    assert wanted <= seen


def _is_outlined(rows: QListView) -> bool:
    if not rows.currentIndex().isValid():
        return False
    picture = rows.viewport().grab(rows.visualRect(rows.currentIndex())).toImage()
    middle = picture.width() // 2
    return LIGHT.accent in {picture.pixelColor(middle, y).name() for y in range(picture.height())}


def test_the_row_with_the_keys_is_outlined(window: MainWindow, qtbot: QtBot) -> None:
    wait_for_chats(window, qtbot)
    chats, files = window.sidebar.list, window.library.list
    for rows, show in ((files, window.show_library), (chats, window.show_chat)):
        show()
        rows.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(partial(_is_outlined, rows))


def test_enter_presses_the_button_with_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    window.sidebar.library_button.setFocus()
    qtbot.keyClick(window.sidebar.library_button, Qt.Key.Key_Return)
    assert window.library.isVisible()
    window.show_error(LibraryLocked("The library is open elsewhere."))
    with qtbot.waitSignal(window.retry_requested):
        qtbot.keyClick(window.error_page.retry, Qt.Key.Key_Enter)


def test_coming_back_to_the_window_looks_for_changed_files(
    window: MainWindow, app: FakeApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.calls.clear()
    back = QEvent(QEvent.Type.ActivationChange)
    QApplication.sendEvent(window, back)
    qtbot.wait(30)
    assert "start_indexing" not in app.calls
    monkeypatch.setattr("desktop_rag.ui.main_window._LOOK_MS", 0)
    qtbot.wait(5)
    QApplication.sendEvent(window, back)
    qtbot.waitUntil(lambda: "start_indexing" in app.calls)


def test_light_and_dark_paint_the_window(window: MainWindow, theme: Theme, qtbot: QtBot) -> None:
    def ground() -> QColor:
        return window.grab().toImage().pixelColor(700, 40)

    assert ground() == QColor(LIGHT.window)
    qtbot.mouseClick(window.sidebar.theme_button, Qt.MouseButton.LeftButton)
    assert theme.is_dark
    assert ground() == QColor(DARK.window)
    assert window.sidebar.theme_button.accessibleName() == "Light appearance"


def test_the_system_is_followed_unless_chosen(
    theme: Theme, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme.choose(Appearance.SYSTEM)
    # The offscreen platform has no scheme of its own to change.
    monkeypatch.setattr(theme, "_is_system_dark", lambda: True)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.is_dark
    theme.choose(Appearance.LIGHT)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not theme.is_dark


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_style_sheet_is_complete(colours: Colours) -> None:
    made = stylesheet(colours)
    assert "$" not in made.split("*/", 1)[1]
    assert colours.accent in made


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "window"), ("muted", "window"), ("faint", "window"), ("muted", "sidebar"),
        ("faint", "sidebar"), ("muted", "raised"), ("on_accent", "accent"),
        ("accent_text", "accent_soft"), ("danger", "danger_soft"), ("danger", "window"),
        ("warning", "warning_soft"), ("success", "success_soft"), ("text", "highlight_text"),
        ("text", "selected"),
    ],
)  # fmt: skip
def test_text_can_be_read_on_its_ground(colours: Colours, text: str, ground: str) -> None:
    """WCAG 2.2, 1.4.3: a contrast of at least 4.5 to 1."""

    def luminance(name: str) -> float:
        colour = QColor(getattr(colours, name))
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else math.pow((part + 0.055) / 1.055, 2.4)
            for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    one, two = sorted((luminance(text), luminance(ground)))
    assert (two + 0.05) / (one + 0.05) >= 4.5


def test_closing_while_answering_and_indexing_leaves_nothing_behind(
    open_window: Opener, app: FakeApp, qtbot: QtBot
) -> None:
    window = open_window(app)
    app.step_s = 0.01
    window.session.ask("How long?")
    qtbot.waitUntil(lambda: bool(app.running_text()))
    app.bus.publish(IndexingProgress(1, 9, 0, "a.pdf"))
    window.close()
    app.close()
    app.bus.publish(IndexingProgress(2, 9, 0, "b.pdf"))
    ours = ("ui-", "fake-app")
    qtbot.waitUntil(lambda: not [t for t in threading.enumerate() if t.name.startswith(ours)])


def test_size_and_appearance_are_remembered(
    theme: Theme, app: FakeApp, qtbot: QtBot, tmp_path: Path
) -> None:
    first = MainWindow(theme, Preferences(tmp_path))
    qtbot.addWidget(first)
    first.attach(app)  # type: ignore[arg-type]
    first.resize(780, 560)
    first.show()
    first.close()
    again = Preferences(tmp_path)
    assert again.appearance is Appearance.LIGHT
    second = MainWindow(theme, again)
    qtbot.addWidget(second)
    assert (second.width(), second.height()) == (780, 560)
    second.close()


def test_long_titles_never_push_anything_out_of_sight(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    long = "A very long title of a document that goes on " * 4
    answer = replace(app.answer("Q", "Not there."), found=False, nearest=(long, long))
    window.chat.messages.add_question("Who?")
    window.chat.messages.add_answer("Who?").complete(answer)
    window.chat.stack.setCurrentWidget(window.chat.messages)
    window.resize(window.minimumSize())
    qtbot.wait(60)
    page = window.chat.messages.widget()
    assert page is not None
    assert page.width() <= window.chat.messages.viewport().width()


def test_a_short_question_stays_on_one_line(window: MainWindow, qtbot: QtBot) -> None:
    question = window.chat.messages.add_question("What is the notice period of the lease?")
    window.chat.stack.setCurrentWidget(window.chat.messages)
    label = question._label
    qtbot.waitUntil(lambda: 0 < label.height() < 2 * label.fontMetrics().lineSpacing() + 20)


def test_narrow_windows_clip_nothing(window: MainWindow, app: FakeApp, qtbot: QtBot) -> None:
    window.session.open(next(iter(app.chats)))
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    window.resize(window.minimumSize())
    text = window.chat.messages.answers()[0].text
    qtbot.waitUntil(lambda: text.document().size().height() <= text.height() + 1)
    assert text.document().idealWidth() <= text.viewport().width() + 1
    assert window.chat.composer.geometry().right() <= window.chat.width()


def test_in_a_narrow_window_the_chats_give_way_to_the_viewer(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    window.show_place(app.citations()[0])
    assert window.sidebar.isVisible()
    for page in (window.show_chat, window.show_library):
        page()
        window.resize(window.minimumSize())
        qtbot.waitUntil(lambda: not window.sidebar.isVisible())
        qtbot.wait(30)
        assert window.pages.geometry().right() <= window.viewer.geometry().left()
        assert window.viewer.geometry().right() <= window.columns.width()
        assert window.library.minimumSizeHint().width() <= window.pages.width()
    window.columns.close_viewer()
    assert window.sidebar.isVisible()
