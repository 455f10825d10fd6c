"""Makes what the first screen does not show in a quiet moment after the start.

The first document and the first look at the library are then there at once; the start itself does
not wait for them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

if TYPE_CHECKING:
    from desktop_rag.ui.main_window import MainWindow

_QUIET_MS = 1000
_MODULES = ("desktop_rag.ui.library.library_page", "desktop_rag.ui.viewer.viewer_panel")


def make_soon(window: MainWindow) -> None:
    """Import the modules on another thread first: that takes longer than making the widgets."""

    def read() -> None:
        window.background.run(lambda: [importlib.import_module(name) for name in _MODULES], made)

    def made(_modules: object) -> None:
        window.library  # noqa: B018 - making it is what is wanted
        QTimer.singleShot(0, window, lambda: window.viewer)

    QTimer.singleShot(_QUIET_MS, window, read)
