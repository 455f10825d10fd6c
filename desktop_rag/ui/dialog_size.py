"""How large a dialog or the window opens: as it likes, but never larger than the screen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QWidget

from desktop_rag.ui.theme import scaled

_SHARE = 0.9
"""Of the screen: its frame and the task bar need some, too."""


def open_at(dialog: QDialog, width: int, height: int) -> None:
    """Resize to this at the usual size of text, more with larger text."""
    dialog.resize(fitting(dialog, scaled(width), scaled(height)))


def fitting(widget: QWidget, width: int, height: int) -> QSize:
    """That size, or as much of it as the screen has room for."""
    return QSize(width, height).boundedTo(widget.screen().availableSize() * _SHARE)
