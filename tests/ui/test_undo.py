"""What was done can be taken back for a while, and is final afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.undo_bar import UndoBar


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> Iterator[UndoBar]:
    window = QWidget()
    window.resize(600, 200)
    QVBoxLayout(window).addWidget(made := UndoBar(theme, offered_ms=50))
    qtbot.addWidget(window)
    window.show()
    yield made
    window.close()


def test_nothing_is_final_before_time_is_up(bar: UndoBar, qtbot: QtBot) -> None:
    happened: list[str] = []
    bar.offer("Removed.", lambda: happened.append("undo"), lambda: happened.append("commit"))
    assert bar.isVisible()
    assert happened == []
    qtbot.waitUntil(lambda: happened == ["commit"])
    assert bar.isHidden()
    assert not bar.take_back()


def test_undo_keeps_it_from_being_final(bar: UndoBar, qtbot: QtBot) -> None:
    happened: list[str] = []
    bar.offer("Removed.", lambda: happened.append("undo"), lambda: happened.append("commit"))
    bar.button.click()
    qtbot.wait(100)
    assert happened == ["undo"]


def test_another_offer_makes_the_first_final(bar: UndoBar) -> None:
    happened: list[str] = []
    bar.offer("One.", lambda: happened.append("undo 1"), lambda: happened.append("commit 1"))
    bar.offer("Two.", lambda: happened.append("undo 2"), lambda: happened.append("commit 2"))
    assert bar.take_back()
    assert happened == ["commit 1", "undo 2"]


def test_closing_the_window_makes_it_final(window: MainWindow) -> None:
    happened: list[str] = []
    window.undoable("Removed.", lambda: None, lambda: happened.append("commit"))
    window.close()
    assert happened == ["commit"]
