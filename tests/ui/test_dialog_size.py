"""Nothing opens larger than the screen: a window without its lower end has no Settings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.ui.dialog_size import fitting


def test_what_is_larger_than_the_screen_leaves_room_for_the_task_bar(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    screen = widget.screen().availableSize()

    size = fitting(widget, screen.width() * 2, screen.height() * 2)

    assert size.width() < screen.width()
    assert size.height() < screen.height()


def test_what_fits_stays(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    size = fitting(widget, 400, 300)
    assert (size.width(), size.height()) == (400, 300)
