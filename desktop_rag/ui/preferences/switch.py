"""A switch: on or off, with the keyboard and for screen readers like a check box."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from desktop_rag.ui.theme import Theme

_HEIGHT, _WIDTH, _MARGIN = 20, 36, 3


class Switch(QCheckBox):
    """Painted, because a style sheet has no such thing. Its label is another widget."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Goes with the size of text; there is room for the ring of the focus."""
        return QSize(
            self._theme.px(_WIDTH) + 2 * _MARGIN,
            self._theme.px(_HEIGHT) + 2 * _MARGIN,
        )

    def minimumSizeHint(self) -> QSize:
        """As large as it wants to be."""
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A track and a knob, which is at the end when it is on."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        self._paint_track(painter, track)
        self._paint_knob(painter, track)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 1.5))
            ring = track.adjusted(-2, -2, 2, 2)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

    def _paint_track(self, painter: QPainter, track: QRectF) -> None:
        is_on = self.isChecked()
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        painter.setPen(QPen(self._theme.color("accent" if is_on else "faint"), 1.5))
        painter.setBrush(self._theme.color("accent" if is_on else "window"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)

    def _paint_knob(self, painter: QPainter, track: QRectF) -> None:
        is_at_right = self.isChecked() != (self.layoutDirection() == Qt.LayoutDirection.RightToLeft)
        half = track.height() / 2
        x = track.right() - half if is_at_right else track.left() + half
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("on_accent" if self.isChecked() else "faint"))
        painter.drawEllipse(QPointF(x, track.center().y()), half - 4, half - 4)
        painter.setOpacity(1.0)
