"""Nobody is locked out: screen readers, keyboard alone, large text, right-to-left."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.ui import translation
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.pages import KINDS
from desktop_rag.ui.quality.page import QualityPage
from desktop_rag.ui.theme import Theme
from tests.helpers.fake_app import FakeApp
from tests.ui.walking import controls, described, nameless, told, wait_until_all_fits, without_role

PAGES = ("chat", "library", *(kind.key for kind in KINDS))


@pytest.fixture(autouse=True)
def as_it_was(theme: Theme, qapp: QApplication) -> Iterator[None]:
    yield
    theme.set_text_scale(1.0)
    translation.speak(qapp, "en")


def turn(window: MainWindow, page: str, qtbot: QtBot) -> None:
    window.show_page(page)
    qtbot.wait(120)
    QApplication.processEvents()  # what arrived last is laid out, too
    if page == "quality":  # plots are drawn one after the other
        shown = window.pages.page(page)
        assert isinstance(shown, QualityPage)
        qtbot.waitUntil(lambda: shown.is_drawn, timeout=15_000)
        qtbot.wait(120)


@pytest.mark.parametrize("page", PAGES)
def test_every_control_has_a_name_and_a_role(window: MainWindow, page: str, qtbot: QtBot) -> None:
    turn(window, page, qtbot)
    assert nameless(window) == []
    assert without_role(window) == []


@pytest.mark.parametrize("page", PAGES)
def test_tab_reaches_every_control_and_comes_back(
    window: MainWindow, page: str, qtbot: QtBot
) -> None:
    turn(window, page, qtbot)
    window.activateWindow()
    wanted = controls(window)
    wanted[0].setFocus(Qt.FocusReason.TabFocusReason)
    seen: list[QWidget] = []
    for _press in range(3 * len(wanted) + 10):
        focused = QApplication.focusWidget()
        if focused is None:
            break
        seen.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is focused:  # a list or a table keeps Tab to itself
            break
    missed = [described(one) for one in wanted if one not in seen]
    assert missed == []


@pytest.mark.parametrize("page", PAGES)
def test_text_twice_as_large_is_not_cut(
    theme: Theme,
    app: FakeApp,
    open_window: Callable[[FakeApp], MainWindow],
    page: str,
    qtbot: QtBot,
) -> None:
    theme.set_text_scale(2.0)
    window = open_window(app)
    turn(window, page, qtbot)
    wait_until_all_fits(window, qtbot)


def test_arabic_turns_the_window_around(
    theme: Theme,
    app: FakeApp,
    open_window: Callable[[FakeApp], MainWindow],
    qapp: QApplication,
) -> None:
    translation.speak(qapp, "ar")
    window = open_window(app)
    side = window.sidebar.mapTo(window, window.sidebar.rect().center()).x()
    middle = window.chat.mapTo(window, window.chat.rect().center()).x()
    assert side > middle


@pytest.mark.parametrize("page", PAGES)
def test_arabic_words_lead_from_the_right_and_fit(
    theme: Theme,
    app: FakeApp,
    open_window: Callable[[FakeApp], MainWindow],
    page: str,
    qapp: QApplication,
    qtbot: QtBot,
) -> None:
    translation.speak(qapp, "ar")
    theme.set_text_scale(1.5)
    window = open_window(app)
    turn(window, page, qtbot)
    wait_until_all_fits(window, qtbot)
    sides = Qt.AlignmentFlag
    labels = [one for one in window.findChildren(QLabel) if one.isVisible() and one.text()]
    assert labels
    wrong = [
        one.text()
        for one in labels
        if not one.alignment() & (sides.AlignHCenter | sides.AlignTrailing | sides.AlignRight)
    ]
    assert wrong == []


@pytest.mark.parametrize("text", ["咖啡机保修多久？", "ما مدة ضمان آلة القهوة؟", "Wie lange? 多久"])
def test_questions_of_any_script_are_sent_as_typed(
    window: MainWindow, text: str, qtbot: QtBot
) -> None:
    typed = QInputMethodEvent()
    typed.setCommitString(text)  # as input methods of these scripts write
    QApplication.sendEvent(window.chat.composer.edit, typed)
    qtbot.keyClick(window.chat.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.session.is_busy and bool(window.chat.messages.answers()))
    shown = window.chat.messages.findChildren(QLabel)
    assert text in [one.text() for one in shown]
    assert window.chat.composer.edit.toPlainText() == ""


@pytest.mark.parametrize("page", PAGES)
def test_lists_and_fields_are_told_apart(window: MainWindow, page: str, qtbot: QtBot) -> None:
    turn(window, page, qtbot)
    names = [
        told(one) for one in controls(window) if isinstance(one, QLineEdit | QAbstractItemView)
    ]
    assert sorted(names) == sorted(set(names))
