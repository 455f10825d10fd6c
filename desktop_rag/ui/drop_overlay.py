"""Says that whatever is dropped will join the library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.models_page.bundle_dialogs import holds_models
from desktop_rag.ui.theme import BODY_PX, HERO_PX, XL, S, Theme, scaled, sized
from desktop_rag.ui.translation import _, counted

_ICON = 56


class DropOverlay(QWidget):
    """Lies over the whole window during a drag; the mouse passes through it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self.heading = self.sentence = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self, given: Sequence[str] = (), number: int = 0) -> None:
        """Show over the parent what is dragged: paths and addresses, at least the first of many."""
        self.heading, self.sentence = _words(given, number)
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()
        announce(self, self.heading)

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
        """Picture, heading and sentence, one below the other around the middle."""
        hero = sized(self.font(), HERO_PX, QFont.Weight.DemiBold)
        body = sized(self.font(), BODY_PX)
        room = self.rect().adjusted(2 * XL, 0, -2 * XL, 0)
        heights = [_height(hero, self.heading, room), _height(body, self.sentence, room)]
        side = scaled(_ICON)
        top = self.rect().center().y() - (side + XL + sum(heights) + S) // 2
        density = self.devicePixelRatioF()
        picture = icons.pixmap("drop", self._theme.colours.accent, side, density)
        painter.drawPixmap(self.rect().center().x() - side // 2, top, picture)
        top += side + XL
        flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
        painter.setPen(self._theme.color("text"))
        painter.setFont(hero)
        painter.drawText(QRect(room.left(), top, room.width(), heights[0]), flags, self.heading)
        painter.setPen(self._theme.color("muted"))
        painter.setFont(body)
        top += heights[0] + S
        painter.drawText(QRect(room.left(), top, room.width(), heights[1]), flags, self.sentence)


def _height(font: QFont, text: str, room: QRect) -> int:
    flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
    return QFontMetrics(font).boundingRect(room, flags, text).height() + 2


def _words(given: Sequence[str], number: int) -> tuple[str, str]:
    paths = [one for one in given if "://" not in one]
    if given and not paths:
        return (
            _("Web pages are not fetched"),
            _("Nothing leaves this computer: save the page as a file and drop that."),
        )
    sentence = _("Files and folders join your library and can be asked right away.")
    if len(paths) == 1:
        name = PurePath(paths[0]).name or paths[0]
        if holds_models(name):
            return (
                _("Drop to import the models of “{name}”").format(name=name),
                _("They are checked first; what is installed already stays as it is."),
            )
        return _("Drop to add “{name}”").format(name=name), sentence
    if paths:
        things = len(paths) if number <= len(given) else number
        return counted("Drop to add {n} thing", "Drop to add {n} things", things), sentence
    return _("Drop to add"), sentence
