"""Says that whatever is dropped will join the library."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.theme import BODY_PX, HERO_PX, Theme, sized

_ICON = 56


class DropOverlay(QWidget):
    """Lies over the whole window during a drag; the mouse passes through it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self) -> None:
        """Show over the parent."""
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint veil, frame and words."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(self._theme.color("window"))
        veil.setAlpha(246)
        painter.fillRect(self.rect(), veil)
        pen = QPen(self._theme.color("accent"), 2)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(20, 20, -20, -20), 18, 18)
        self._paint_words(painter)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        centre = self.rect().center()
        density = self.devicePixelRatioF()
        picture = icons.pixmap("drop", self._theme.colours.accent, _ICON, density)
        painter.drawPixmap(centre.x() - _ICON // 2, centre.y() - 88, picture)
        flags = int(Qt.AlignmentFlag.AlignHCenter)
        painter.setPen(self._theme.color("text"))
        painter.setFont(sized(self.font(), HERO_PX, QFont.Weight.DemiBold))
        painter.drawText(0, centre.y() - 18, self.width(), 40, flags, "Drop to add")
        painter.setPen(self._theme.color("muted"))
        painter.setFont(sized(self.font(), BODY_PX))
        words = "Files and folders join your library and can be asked right away."
        painter.drawText(0, centre.y() + 26, self.width(), 30, flags, words)
