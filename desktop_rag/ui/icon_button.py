"""A button that shows only an icon: what it does is its tip, and what a screen reader says."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton


def icon_button(label: str) -> QToolButton:
    """Without its icon: that is coloured, and coloured again, by who made the button."""
    button = QToolButton()
    button.setToolTip(label)
    button.setAccessibleName(label)
    return button
