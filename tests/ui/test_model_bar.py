"""The bar above the composer: no language model, one that is loaded, one that does not work."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.domain.events import EngineState
from desktop_rag.ui.chat import model_bar
from desktop_rag.ui.chat.model_bar import ModelBar
from desktop_rag.ui.main_window import MainWindow
from tests.helpers.fakes import fake_engines
from tests.helpers.model_shelf import Shelf


@pytest.fixture
def app(shelf: Shelf, tmp_path: Path) -> Iterator[App]:
    """A library with one file and no language model."""
    (tmp_path / "notes.txt").write_text("Apples are red.", encoding="utf-8")
    with App.open(tmp_path / "data", fake_engines()) as opened:
        opened.add([tmp_path / "notes.txt"])
        yield opened


@pytest.fixture
def window(app: App, open_window: Callable[[App], MainWindow]) -> MainWindow:
    return open_window(app)


@pytest.fixture
def bar(window: MainWindow, qtbot: QtBot) -> ModelBar:
    window.show_chat()
    shown: ModelBar = window.chat.no_model
    qtbot.waitUntil(shown.isVisible)
    return shown


def test_without_a_model_it_leads_to_the_models_page(
    bar: ModelBar, window: MainWindow, qtbot: QtBot
) -> None:
    assert "No language model" in bar.sentence.text()
    assert not bar.restart.isVisible()
    qtbot.mouseClick(bar.add_model, Qt.MouseButton.LeftButton)
    assert window.pages.current == "models"


def test_it_is_gone_as_soon_as_a_model_is_there(
    bar: ModelBar, shelf: Shelf, app: App, qtbot: QtBot
) -> None:
    bar._work.add(shelf.write(shelf.small))
    qtbot.waitUntil(lambda: not bar.isVisible())
    assert app.status().llm


def test_dismissed_it_stays_away_until_something_changes(
    bar: ModelBar, window: MainWindow, qtbot: QtBot
) -> None:
    bar.close_button.click()
    window.refresh_library()
    qtbot.wait(100)
    assert not bar.isVisible()
    bar.show_status(has_model=True, has_files=True)
    bar.show_engine(EngineState("llm", "unavailable", "It crashed repeatedly."))
    assert bar.isVisible()


def test_a_model_that_does_not_work_is_restarted(
    bar: ModelBar, app: App, shelf: Shelf, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.models.add(shelf.write(shelf.small))
    bar.show_status(has_model=True, has_files=True)
    restarted: list[str] = []
    monkeypatch.setattr(app, "_engines", replace(app._engines, restart=restarted.append))
    app.bus.publish(EngineState("llm", "unavailable", "The language model crashed repeatedly."))
    qtbot.waitUntil(bar.restart.isVisible)
    assert "crashed repeatedly" in bar.sentence.text()
    assert not bar.add_model.isVisible()
    bar.restart.setFocus()
    qtbot.keyClick(bar.restart, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: restarted == ["llm"])
    app.bus.publish(EngineState("llm", "ready"))
    qtbot.waitUntil(lambda: not bar.isVisible())


def test_loading_is_told_when_it_takes_long(
    bar: ModelBar, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar.show_status(has_model=True, has_files=True)
    bar.show_engine(EngineState("llm", "starting"))
    assert not bar.isVisible()
    monkeypatch.setattr(model_bar, "_PATIENCE_MS", -1)
    bar._refresh()
    assert bar.isVisible()
    assert "is being loaded, 0 s so far" in bar.sentence.text()
    bar.show_engine(EngineState("llm", "ready"))
    assert not bar.isVisible()
