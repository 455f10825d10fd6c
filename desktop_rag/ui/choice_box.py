"""A drop-down list whose arrow has the colour of the theme; a style sheet cannot colour it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_rag.ui.theme import M, Theme

_HALF, _DEPTH = 4, 4


class ChoiceBox(QComboBox):
    """Everything else of it is in the style sheet."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box as Qt paints it, and an arrow at its trailing end."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self._theme.color("muted" if self.isEnabled() else "faint")
        pen = QPen(colour, 1.6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        edge = M + _HALF
        x = edge if is_mirrored else self.width() - edge
        y = self.height() / 2
        points = [QPointF(x + dx, y + dy) for dx, dy in _ARROW]
        painter.drawPolyline(QPolygonF(points))


_ARROW = ((-_HALF, -_DEPTH / 2), (0, _DEPTH / 2), (_HALF, -_DEPTH / 2))
