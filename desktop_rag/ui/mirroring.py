"""What Qt leaves as it is when a window runs from right to left."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLayout


def set_margins(layout: QLayout, leading: int, top: int, trailing: int, bottom: int) -> None:
    """Margins of a layout: Qt mirrors what is in it, but not these."""
    if QGuiApplication.isRightToLeft():
        leading, trailing = trailing, leading
    layout.setContentsMargins(leading, top, trailing, bottom)
