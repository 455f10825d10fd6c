"""Windows over a library from memory. A Qt warning fails the test that caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.theme import Appearance, Theme
from desktop_rag.ui.translation import speak
from tests.helpers.fake_app import FakeApp, paint_pages, with_sample_chats, with_sample_library
from tests.helpers.fakes import fake_engines
from tests.helpers.model_shelf import Shelf

MARK = "#c8e6ff"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


@pytest.fixture(autouse=True)
def _english(qapp: QApplication) -> None:
    """Whatever the machine speaks, or the test before has spoken."""
    speak(qapp, "en")
    QLocale.setDefault(QLocale("en_GB"))


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
def open_window(theme: Theme, qtbot: QtBot) -> Iterator[Callable[[FakeApp | App], MainWindow]]:
    """Makes windows and closes them; nothing of them outlives the test."""
    made: list[MainWindow] = []

    def make(app: FakeApp | App) -> MainWindow:
        window = MainWindow(theme)
        made.append(window)
        window.resize(1280, 820)
        with qtbot.waitExposed(window):
            window.show()
        window.attach(cast("App", app))
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


@pytest.fixture
def real_app(tmp_path: Path) -> Iterator[App]:
    """The real façade over fake engines; its library is in `tmp_path / "data"`, and empty."""
    with App.open(tmp_path / "data", fake_engines()) as app:
        yield app


@pytest.fixture
def add_files(real_app: App, tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Writes files by name into a folder, adds it to `real_app` and reads them to the end."""

    def add(files: dict[str, str]) -> Path:
        folder = tmp_path / "documents"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        real_app.add([folder])
        real_app.start_indexing()
        assert real_app.wait_until_indexed(20)
        return folder

    return add


@pytest.fixture
def real_window(real_app: App, open_window: Callable[[FakeApp | App], MainWindow]) -> MainWindow:
    """A window over `real_app`."""
    return open_window(real_app)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Models of its own for `real_app`; ask for it before the library is opened."""
    made = Shelf(tmp_path / "shelf")
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    use_shelf(made, monkeypatch)
    return made


def use_shelf(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program find these models, and no others."""
    shipped = paths.shipped
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(shelf.models))
    monkeypatch.setattr(
        paths, "shipped", lambda *parts: shelf.shipped if parts == ("models",) else shipped(*parts)
    )
