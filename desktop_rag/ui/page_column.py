"""A column that is no wider than is good to read, in the middle of a page that may be wide."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget

_NO_MARGINS = QMargins()


def in_the_middle(
    column: QWidget, name: str = "pageContent", margins: QMargins = _NO_MARGINS
) -> QWidget:
    """`column` as wide as its maximum allows, with what is left on both sides.

    Args:
        column: has a maximum width.
        name: the look of the room around it.
        margins: around all of it.
    """
    holder = QWidget()
    holder.setObjectName(name)
    row = QHBoxLayout(holder)
    row.setContentsMargins(margins)
    row.addStretch(1)
    row.addWidget(column, 1000)
    row.addStretch(1)
    return holder


def scrolled(content: QWidget) -> QScrollArea:
    """Scrolls a page whose controls are reached by Tab themselves."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area
