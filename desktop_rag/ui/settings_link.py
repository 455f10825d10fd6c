"""Gives the Settings page what it may change besides the library, and hears what it wants done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop_rag import paths
from desktop_rag.ui.preferences_store import Preferences

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rag.ui.presence import Presence


def link_settings(
    page: QObject,
    data_dir: Path,
    preferences: Preferences,
    presence: Presence | None,
    rebuild: Callable[[], None],
    restart: Callable[[], None],
) -> None:
    """Called before the page is attached to a library."""
    from desktop_rag.ui.autostart import autostart
    from desktop_rag.ui.preferences.page import SettingsPage
    from desktop_rag.ui.preferences.surroundings import Surroundings

    assert isinstance(page, SettingsPage)
    is_tray_there = presence is not None and presence.is_there
    is_portable = paths.portable_dir() is not None
    page.surround(Surroundings(preferences, autostart(data_dir), is_tray_there, not is_portable))
    # After the control that was used has done its own work: it goes with its window.
    queued = Qt.ConnectionType.QueuedConnection
    page.rebuild_requested.connect(rebuild, queued)
    page.restart_requested.connect(restart, queued)
    if presence is not None:
        page.surroundings_changed.connect(presence.refresh)
