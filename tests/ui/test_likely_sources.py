"""Sources that are shown while a question is being typed, over the real façade."""

# mypy: disable-error-code="no-untyped-call"
# pytest-qt has no annotations on its mouse and keys.
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_rag.ui.main_window import MainWindow

QUESTION = "When did the harbour bridge open?"
FILES = {
    "harbour.md": "# Harbour bridge\n\nThe harbour bridge opened to traffic in 1932.\n",
    "<b>towers & bells.md": "# Towers\n\nThe harbour bridge has four towers that open.\n",
    "coffee.md": "# Coffee\n\nThe coffee machine is descaled every three months.\n",
}


@pytest.fixture
def window(
    add_files: Callable[[dict[str, str]], Path], real_window: MainWindow, qtbot: QtBot
) -> MainWindow:
    add_files(FILES)
    qtbot.waitUntil(real_window.chat.composer._can_send)
    return real_window


def typed(window: MainWindow, qtbot: QtBot, text: str = QUESTION) -> None:
    window.chat.composer.edit.setFocus()
    qtbot.keyClicks(window.chat.composer.edit, text)


def test_they_appear_in_a_pause_and_open_in_the_viewer(window: MainWindow, qtbot: QtBot) -> None:
    likely = window.chat.likely
    assert not likely.isVisible()
    typed(window, qtbot)
    qtbot.waitUntil(likely.isVisible)
    first = next(one for one in likely.buttons if "Harbour bridge" in one.accessibleName())
    assert first.isVisible()
    assert "Harbour bridge" in first.toolTip()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert window.viewer.isVisible()


def test_each_file_is_named_once(window: MainWindow, qtbot: QtBot) -> None:
    typed(window, qtbot)
    qtbot.waitUntil(window.chat.likely.isVisible)
    shown = [one for one in window.chat.likely.buttons if one.isVisible()]
    names = [one.accessibleName() for one in shown]
    assert len(set(names)) == len(names) <= 3


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_Backspace, Qt.Key.Key_Return])
def test_they_leave_with_the_next_key(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    typed(window, qtbot)
    qtbot.waitUntil(window.chat.likely.isVisible)
    qtbot.keyClick(window.chat.composer.edit, key)
    assert not window.chat.likely.isVisible()
    qtbot.waitUntil(lambda: not window.session.is_busy)


def test_what_was_found_for_another_text_is_not_shown(window: MainWindow, qtbot: QtBot) -> None:
    told: list[object] = []
    window.session.foreseen.connect(told.append)
    typed(window, qtbot)
    qtbot.waitUntil(window.chat.likely.isVisible)
    passages = told[-1]
    qtbot.keyClicks(window.chat.composer.edit, " x")
    assert told[-1] == ()
    assert passages
