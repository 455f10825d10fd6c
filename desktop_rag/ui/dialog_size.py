"""How large a dialog opens: as it likes, but never larger than the screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from desktop_rag.ui.theme import scaled

_SHARE = 0.9
"""Of the screen: its frame and the task bar need some, too."""


def open_at(dialog: QDialog, width: int, height: int) -> None:
    """Resize to this at the usual size of text, more with larger text."""
    room = dialog.screen().availableSize() * _SHARE
    dialog.resize(QSize(scaled(width), scaled(height)).boundedTo(room))
