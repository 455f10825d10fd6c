"""The same for what opens over a page, and the focus of all of it can be seen."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.ui.chat.messages import AnswerMessage
from desktop_rag.ui.chat.scope_popup import ScopePopup
from desktop_rag.ui.chat.why_dialog import WhyDialog
from desktop_rag.ui.history.quick_switch import QuickSwitch
from desktop_rag.ui.library.folder_dialog import FolderDialog
from desktop_rag.ui.library.why_dialog import TraceDialog
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.models.places import PLACE_ROLE, Place, PlaceKind
from desktop_rag.ui.privacy.page import PrivacyPage
from desktop_rag.ui.shortcuts import ShortcutsSheet
from desktop_rag.ui.theme import Appearance, Theme
from tests.helpers.fake_app import FakeApp
from tests.ui.test_everyone import PAGES, turn
from tests.ui.walking import nameless, wait_until_all_fits, without_focus_mark, without_role

Kind = TypeVar("Kind", bound=QWidget)
pytestmark = pytest.mark.qt_log_ignore("does not support (propagateSizeHints|raise|grab)")


def answered(window: MainWindow, qtbot: QtBot) -> AnswerMessage:
    window.session.ask("How long is the coffee machine covered?")
    qtbot.waitUntil(lambda: bool(window.chat.messages.answers()))
    qtbot.waitUntil(lambda: not window.session.is_busy)
    made = window.chat.messages.answers()[-1]
    qtbot.waitUntil(made.footer.isVisible)
    return made


def answer(window: MainWindow, qtbot: QtBot) -> QWidget:
    answered(window, qtbot)
    return window


def why(window: MainWindow, qtbot: QtBot) -> QWidget:
    answered(window, qtbot).footer.why_button.click()
    dialog = found(window, WhyDialog)
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is not dialog.activity)
    return dialog


def rating(window: MainWindow, qtbot: QtBot) -> QWidget:
    verdict = answered(window, qtbot).verdict
    verdict.down.click()
    qtbot.waitUntil(lambda: verdict.is_form_open)
    return window


def scope(window: MainWindow, qtbot: QtBot) -> QWidget:
    window.chat.composer.scope.button.click()
    return found(window, ScopePopup)


def sheet(window: MainWindow, qtbot: QtBot) -> QWidget:
    qtbot.keyClick(window, Qt.Key.Key_F1)
    return found(window, ShortcutsSheet)


def switch(window: MainWindow, qtbot: QtBot) -> QWidget:
    window.history.switch()
    return found(window, QuickSwitch)


def erase(window: MainWindow, qtbot: QtBot) -> QWidget:
    turn(window, "privacy", qtbot)
    page = window.pages.page("privacy")
    assert isinstance(page, PrivacyPage)
    page.erase.begin.click()
    return window


def trace(window: MainWindow, qtbot: QtBot) -> QWidget:
    turn(window, "library", qtbot)
    window.library.tasks.ask_why("warranty")
    return found(window, TraceDialog)


def folder(window: MainWindow, qtbot: QtBot) -> QWidget:
    turn(window, "library", qtbot)
    model = window.library.places.model()
    places = [model.index(row, 0).data(PLACE_ROLE) for row in range(model.rowCount())]
    chosen: Place = next(one for one in places if one.kind is PlaceKind.FOLDER)
    window.library.tasks.show_options(chosen)
    return found(window, FolderDialog)


def paper(window: MainWindow, qtbot: QtBot) -> QWidget:
    """A page of a PDF beside the answer."""
    places = answered(window, qtbot).places
    window.show_place(places[0])
    qtbot.waitUntil(lambda: window.viewer.reading is not None)
    return window


def text(window: MainWindow, qtbot: QtBot) -> QWidget:
    """A text beside the answer, searched."""
    places = answered(window, qtbot).places
    window.show_place(places[-1])
    qtbot.waitUntil(lambda: window.viewer.reading is not None)
    window.viewer.body.begin_search()
    return window


def bars(window: MainWindow, qtbot: QtBot) -> QWidget:
    del qtbot
    window.tell("The disk is full. Free some room, then try again.")
    window.undoable("Removed “lease.pdf”.", lambda: None)
    return window


def failure(window: MainWindow, qtbot: QtBot) -> QWidget:
    del qtbot
    window.show_error(LibraryLocked("Another window has it open."))
    return window


def found(window: MainWindow, kind: type[Kind]) -> Kind:
    made = window.findChild(kind)
    assert made is not None
    return made


Open = Callable[[MainWindow, QtBot], QWidget]
PLACES: tuple[Open, ...] = (
    *(answer, why, rating, scope, sheet, switch, erase, paper, text, bars),
    failure,
)


REAL: tuple[Open, ...] = (trace, folder)
"""Over a library that can be followed."""


@pytest.fixture
def real(
    add_files: Callable[[dict[str, str]], Path], real_window: MainWindow, qtbot: QtBot
) -> MainWindow:
    add_files({"lease.md": "The notice period is three months."})
    real_window.refresh_library()
    turn(real_window, "library", qtbot)
    qtbot.waitUntil(lambda: real_window.library.places.model().rowCount() > 2)
    return real_window


@pytest.fixture(autouse=True)
def as_it_was(theme: Theme) -> Iterator[None]:
    yield
    theme.set_high_contrast(is_on=False)
    theme.set_text_scale(1.0)


@pytest.mark.parametrize("open_place", PLACES, ids=lambda one: one.__name__)
def test_every_control_has_a_name_a_role_and_a_visible_focus(
    window: MainWindow, open_place: Open, qtbot: QtBot
) -> None:
    shown = open_place(window, qtbot)
    qtbot.wait(120)
    assert nameless(shown) == []
    assert without_role(shown) == []
    shown.activateWindow()
    assert without_focus_mark(shown) == []


@pytest.mark.parametrize("open_place", REAL, ids=lambda one: one.__name__)
def test_dialogs_of_the_library(real: MainWindow, open_place: Open, qtbot: QtBot) -> None:
    shown = open_place(real, qtbot)
    qtbot.wait(300)
    assert nameless(shown) == []
    assert without_role(shown) == []
    shown.activateWindow()
    assert without_focus_mark(shown) == []


@pytest.mark.parametrize("open_place", PLACES, ids=lambda one: one.__name__)
def test_text_twice_as_large_is_not_cut(
    theme: Theme,
    app: FakeApp,
    open_window: Callable[[FakeApp], MainWindow],
    open_place: Open,
    qtbot: QtBot,
) -> None:
    theme.set_text_scale(2.0)
    shown = open_place(open_window(app), qtbot)
    qtbot.wait(120)
    QApplication.processEvents()
    wait_until_all_fits(shown, qtbot)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("contrast", [False, True], ids=["usual", "contrast"])
@pytest.mark.parametrize("look", [Appearance.LIGHT, Appearance.DARK])
def test_the_focus_is_seen_on_every_page(
    theme: Theme, window: MainWindow, page: str, look: Appearance, contrast: bool, qtbot: QtBot
) -> None:
    theme.choose(look)
    theme.set_high_contrast(is_on=contrast)
    turn(window, page, qtbot)
    window.activateWindow()
    assert without_focus_mark(window) == []
