"""Puts another window in the place of one: for another language, or another size of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QByteArray

from desktop_rag.ui.bridge import Bridge
from desktop_rag.ui.session_memory import SessionMemory, SessionState

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.chat.drafts import Drafts
    from desktop_rag.ui.chat.session import Running
    from desktop_rag.ui.main_window import MainWindow
    from desktop_rag.ui.preferences.page import SettingsPage


@dataclass(slots=True)
class Remains:
    """What is left of a window: where it was, what it showed, and answers that are being written.

    `between` listens to events until another window does.
    """

    state: SessionState
    geometry: QByteArray
    is_shown: bool
    between: Bridge
    running: list[Running]
    dropped: list[Callable[[], Sequence[str]]]
    drafts: Drafts
    row: int
    """Of the settings, which had the focus; the next key must not change another one."""


def part_with(old: MainWindow, memory: SessionMemory, app: App | None) -> Remains:
    """End a window at once, and keep what another one needs to go on.

    It goes before the style changes: Qt would restyle all of it, for seconds.
    """
    state, geometry, is_shown = memory.state_of(old), old.saveGeometry(), old.isVisible()
    settings = _settings(old)
    row = settings.focused_row if settings is not None else -1
    between = Bridge()
    if app is not None:
        between.connect_to(app.bus)
        old.bridge.drain()
    running, dropped = old.session.give_up(), old.library_actions.give_up()
    drafts = old.chat.drafts
    old.retire()
    shiboken6.delete(old)
    return Remains(state, geometry, is_shown, between, running, dropped, drafts, row)


def go_on(
    window: MainWindow,
    remains: Remains,
    memory: SessionMemory,
    app: App | None,
    attach: Callable[[App], None],
) -> None:
    """Show in a new window what the old one showed."""
    window.restoreGeometry(remains.geometry)
    window.chat.drafts.take_over(remains.drafts)
    if app is not None:
        attach(app)
        window.session.adopt(remains.running)
        window.bridge.inherit(remains.between)
        memory.show(window, app, remains.state)
        window.library_actions.take_over(remains.dropped)
    window.setVisible(remains.is_shown)
    if (settings := _settings(window)) is not None:
        settings.focus_row(remains.row)


def _settings(window: MainWindow) -> SettingsPage | None:
    """The Settings page while it is shown."""
    from desktop_rag.ui.preferences.page import SettingsPage

    page = window.pages.currentWidget()
    return page if isinstance(page, SettingsPage) else None
