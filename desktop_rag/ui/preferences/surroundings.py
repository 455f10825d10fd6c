"""What the Settings page may change besides the library: the window and the system around it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.ui.autostart import Autostart
from desktop_rag.ui.preferences_store import Preferences


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Handed in by who starts the window."""

    preferences: Preferences
    autostart: Autostart
    is_tray_there: bool
    """Whether the desktop has a tray; without one nothing of it is offered."""
    is_login_offered: bool = True
    """Not with a portable program."""
