"""Brings part of a message into view."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

_MARGIN = 24
_LAID_OUT_MS = 60
"""What was just shown has its place a moment later."""


def scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """The list that a widget is scrolled by."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent


def reveal_soon(widget: QWidget) -> None:
    """Scroll so far that all of a widget is seen, as soon as it has its place."""

    def reveal() -> None:
        area = scroll_area_of(widget)
        if area is not None and widget.isVisible():
            area.ensureWidgetVisible(widget, 0, _MARGIN)

    QTimer.singleShot(_LAID_OUT_MS, widget, reveal)
