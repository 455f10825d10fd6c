"""Scenes of `make.py`: the pages Quality, Privacy and Settings."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from desktop_rag.app import App
from desktop_rag.ui.about.page import AboutPage
from desktop_rag.ui.preferences.page import SettingsPage
from desktop_rag.ui.preferences.surroundings import Surroundings
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.privacy.page import PrivacyPage
from desktop_rag.ui.quality.page import QualityPage
from desktop_rag.ui.scrolling_page import ScrollingPage
from tests.helpers.fake_app import with_sample_chats, with_sample_library
from tests.helpers.fakes import fake_engines

if TYPE_CHECKING:
    from make import Stage

_TALL = (1280, 1180)


def quality(stage: Stage) -> None:
    """Four weeks of searches, and none."""
    for name, is_empty in (("quality", False), ("quality-empty", True)):
        app = with_sample_chats(with_sample_library())
        app.quality.is_empty = is_empty
        window = stage.window(app, _TALL)
        window.show_page("quality")
        page = cast("QualityPage", window.pages.page("quality"))
        stage.wait(lambda: page.is_drawn, 5000)  # noqa: B023 - waited for at once
        stage.wait()
        stage.shoot(name, window)
        if not is_empty:
            _scroll(page)
            stage.wait()
            stage.shoot(f"{name}-end", window)
        stage.end(window, app)


def privacy(stage: Stage) -> None:
    """A window that has fetched a model, what is stored, and what a check-up found."""
    app = with_sample_chats(with_sample_library())
    app.connections.use_it()
    window = stage.window(app, _TALL)
    window.show_page("privacy")
    page = cast("PrivacyPage", window.pages.page("privacy"))
    stage.wait()
    stage.shoot("privacy", window)
    page.erase.begin.click()
    page.check.check.click()
    stage.wait()
    _scroll(page)
    stage.wait()
    stage.shoot("privacy-end", window)
    stage.end(window, app)


class _NeverAtLogin:
    """Nothing starts at log-in, and nothing may be changed about that."""

    def is_on(self) -> bool:
        return False

    def switch(self, *, is_on: bool) -> None:
        """Only for a picture."""


def settings(stage: Stage) -> None:
    """All choices, from the first and to the last."""
    with (
        tempfile.TemporaryDirectory() as name,
        App.open(Path(name) / "data", fake_engines()) as app,
    ):
        window = stage.window(app, _TALL)
        preferences = Preferences(Path(name))

        def surround(_key: str, page: QWidget) -> None:
            if isinstance(page, SettingsPage):
                page.surround(Surroundings(preferences, _NeverAtLogin(), is_tray_there=True))

        window.pages.made.connect(surround)
        window.show_page("settings")
        page = cast("SettingsPage", window.pages.page("settings"))
        stage.wait()
        stage.shoot("settings", window)
        _scroll(page)
        stage.wait()
        stage.shoot("settings-end", window)
        stage.end(window)


def about(stage: Stage) -> None:
    """The program and its parts, one of them chosen, and the end of the page."""
    app = with_sample_chats(with_sample_library())
    window = stage.window(app, _TALL)
    window.show_page("about")
    page = cast("AboutPage", window.pages.page("about"))
    stage.wait()
    page.parts.list.setCurrentRow(9)
    stage.wait()
    stage.shoot("about", window)
    stage.end(window, app)


def _scroll(page: ScrollingPage) -> None:
    bar = page.area.verticalScrollBar()
    bar.setValue(bar.maximum())
