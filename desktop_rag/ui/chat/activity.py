"""A quiet sign that something is on its way: three dots and a few words."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.ui.theme import SMALL_PX, Theme, sized

_BEAT_MS = 260
_DOTS = 3


class Activity(QWidget):
    """Moves only while it is visible."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._beat = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_BEAT_MS)
        self._timer.timeout.connect(self._on_beat)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def say(self, text: str) -> None:
        """Show these words; screen readers get them as the widget's name."""
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(240, 24)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to move."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stand still."""
        super().hideEvent(event)
        self._timer.stop()

    def _on_beat(self) -> None:
        self._beat = (self._beat + 1) % (_DOTS + 1)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint dots and words."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for dot in range(_DOTS):
            is_lit = dot == self._beat
            painter.setBrush(self._theme.color("accent" if is_lit else "border_strong"))
            painter.drawEllipse(QPointF(5 + dot * 10, self.height() / 2), 3, 3)
        font = sized(self.font(), SMALL_PX + 1)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        room = self.width() - 40
        text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(40, 0, room, self.height(), int(Qt.AlignmentFlag.AlignVCenter), text)
        painter.end()
