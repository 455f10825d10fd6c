"""Pages besides chat and library: made late, filled once, marked in the sidebar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.ui.background import Background
from desktop_rag.ui.bridge import Bridge
from desktop_rag.ui.main_window import MainWindow
from desktop_rag.ui.page import Page
from desktop_rag.ui.pages import PageKind, PageStack
from desktop_rag.ui.theme import Theme


class NotedPage(Page):
    """Notes what happens to it."""

    def __init__(self, theme: Theme, background: Background) -> None:
        super().__init__(theme, background)
        self.seen: list[str] = []

    def attach(self, app: App) -> None:
        super().attach(app)
        self.seen.append("attach")

    def activate(self) -> None:
        self.seen.append("activate")


KIND = PageKind("noted", "info", lambda: "Noted", NotedPage)


@pytest.fixture
def stack(theme: Theme, qtbot: QtBot) -> PageStack:
    background = Background()
    made = PageStack(theme, background, Bridge(), (KIND,))
    qtbot.addWidget(made, before_close_func=lambda _: background.close())
    return made


def test_a_page_is_made_when_it_is_turned_to(stack: PageStack, real_app: App) -> None:
    stack.attach(real_app)
    assert stack.count() == 0
    stack.turn_to("noted")
    page = stack.page("noted")
    assert isinstance(page, NotedPage)
    assert page.seen == ["attach", "activate"]
    stack.turn_to("noted")
    assert page.seen == ["attach", "activate", "activate"]
    assert stack.current == "noted"


def test_a_page_turned_to_too_early_is_filled_later(stack: PageStack, real_app: App) -> None:
    stack.turn_to("noted")
    page = stack.page("noted")
    assert isinstance(page, NotedPage)
    assert page.seen == []
    stack.attach(real_app)
    assert page.seen == ["attach", "activate"]


def test_what_a_page_says_reaches_the_window(stack: PageStack, qtbot: QtBot) -> None:
    stack.turn_to("noted")
    shown = stack.page("noted")
    assert isinstance(shown, Page)
    with qtbot.waitSignal(stack.told) as told:
        shown.told.emit("Done.", "info")
    assert told.args == ["Done.", "info"]


def test_a_window_over_the_real_library_shows_its_files(
    real_window: MainWindow, add_files: Callable[[dict[str, str]], Path], qtbot: QtBot
) -> None:
    add_files({"a.txt": "Apples are red.", "b.txt": "Pears are green."})
    qtbot.waitUntil(lambda: real_window.sidebar.counts.text().startswith("2 files"))
