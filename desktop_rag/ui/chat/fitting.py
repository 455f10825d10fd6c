"""A row of buttons that shows as many as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget


def show_what_fits(room: int, widgets: Sequence[QWidget], gap: int) -> None:
    """Show the first of them, and others while they fit into so many pixels."""
    for place, widget in enumerate(widgets):
        widget.ensurePolished()
        room -= widget.sizeHint().width() + gap
        widget.setVisible(place == 0 or room >= 0)
