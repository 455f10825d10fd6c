"""Windows over a library from memory. A Qt warning fails the test that caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme
from tests.helpers.fake_app import FakeApp, paint_pages, with_sample_chats, with_sample_library

MARK = "#c8e6ff"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


@pytest.fixture(scope="session")
def session_theme(qapp: QApplication) -> Theme:
    return Theme(qapp, Appearance.LIGHT)


@pytest.fixture
def theme(session_theme: Theme) -> Theme:
    session_theme.choose(Appearance.LIGHT)
    return session_theme


@pytest.fixture
def app(qapp: QApplication) -> Iterator[FakeApp]:
    made = with_sample_chats(with_sample_library(FakeApp(pages=paint_pages(MARK))))
    yield made
    made.close()


@pytest.fixture
def empty_app() -> Iterator[FakeApp]:
    made = FakeApp()
    yield made
    made.close()


@pytest.fixture
def open_window(theme: Theme, qtbot: QtBot) -> Iterator[Callable[[FakeApp], MainWindow]]:
    """Makes windows and closes them; nothing of them outlives the test."""
    made: list[MainWindow] = []

    def make(app: FakeApp) -> MainWindow:
        window = MainWindow(theme)
        made.append(window)
        window.resize(1280, 820)
        with qtbot.waitExposed(window):
            window.show()
        window.attach(app)  # type: ignore[arg-type]
        qtbot.waitUntil(lambda: bool(window.sidebar.counts.text()))
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def window(app: FakeApp, open_window: Callable[[FakeApp], MainWindow]) -> MainWindow:
    return open_window(app)
