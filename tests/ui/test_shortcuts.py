"""The keys of the window, and the sheet that tells them."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.shortcuts import ShortcutsSheet, listed
from tests.helpers.fake_app import FakeApp


def test_no_key_means_two_things(window: MainWindow) -> None:
    everywhere = [
        one.key().toString()
        for one in window.findChildren(QShortcut)
        if one.context() == Qt.ShortcutContext.WindowShortcut
    ]
    assert sorted(everywhere) == sorted(set(everywhere))


def test_every_key_of_the_window_is_on_the_sheet(window: MainWindow) -> None:
    silent = [one.key().toString() for one in window.findChildren(QShortcut) if not one.whatsThis()]
    assert silent == []


def test_f1_shows_them_and_escape_closes_the_sheet(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    [sheet] = window.findChildren(ShortcutsSheet)
    assert sheet.isVisible()
    [area] = sheet.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.horizontalScrollBar().maximum() == 0
    shown = {label.text() for label in sheet.findChildren(PlainLabel)}
    assert {meaning for _keys, meaning in listed(window)} <= shown
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ShortcutsSheet))


def test_f6_goes_around_the_parts_of_the_window(
    window: MainWindow, app: FakeApp, qtbot: QtBot
) -> None:
    window.activateWindow()
    window.chat.composer.edit.setFocus()
    seen = []
    for _press in range(3):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.append(window.sidebar.isAncestorOf(focused))
    assert seen in ([True, False, True], [False, True, False])


def test_f6_leads_from_the_sidebar_to_the_question(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    window.sidebar.new_chat.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.chat.composer.edit.hasFocus()
