"""A glide ends with the scroll bar it moves."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollBar, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from desktop_rag.ui.viewer.motion import Glide


def test_a_glide_whose_bar_is_gone_does_nothing(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = QScrollBar(window)
    glide = Glide(bar, window)
    glide.setParent(window)  # outlives the bar, as in a window that is taken apart
    delete(bar)
    glide.valueChanged.emit(3)
