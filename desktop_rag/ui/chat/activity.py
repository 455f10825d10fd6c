"""A quiet sign that something is on its way: three dots and a few words."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from desktop_rag.ui.theme import SMALL_PX, Theme, sized

_BEAT_MS = 260
_DOTS = 3
_WORDS_AT = 40


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
        return QSize(240, self._theme.px(24))

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
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for dot in range(_DOTS):
            is_lit = dot == self._beat
            painter.setBrush(self._theme.color("accent" if is_lit else "border_strong"))
            x = 5 + dot * 10
            centre = QPointF(self.width() - x if is_mirrored else x, self.height() / 2)
            painter.drawEllipse(centre, 3, 3)
        font = sized(self.font(), SMALL_PX + 1)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        room = self.width() - _WORDS_AT
        text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        leading = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignLeading)
        place = QRect(0 if is_mirrored else _WORDS_AT, 0, room, self.height())
        painter.drawText(place, leading | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
