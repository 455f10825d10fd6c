"""Walking along the widgets of a window must not change whose they are."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from desktop_rag.ui.chat import tab_order


@pytest.mark.parametrize("is_answer_last", [False, True])  # then the window is the next of it
def test_what_is_deleted_takes_nothing_of_its_neighbours_along(
    qtbot: QtBot, *, is_answer_last: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    answer, viewer = QWidget(), QAbstractScrollArea()
    row = QHBoxLayout(window)
    for widget in (viewer, answer) if is_answer_last else (answer, viewer):
        row.addWidget(widget)
    bar = viewer.verticalScrollBar()
    tab_order.leave(answer, is_forward=True)
    tab_order.leave(answer, is_forward=False)
    tab_order.stops(answer)
    delete(answer)
    assert isValid(bar)
    assert viewer.parentWidget() is window
    assert not viewer.isHidden()
