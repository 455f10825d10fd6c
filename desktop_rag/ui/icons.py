"""Line icons from `resources/icons`, drawn in the colour of the theme at any pixel density."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop_rag.paths import shipped
from desktop_rag.ui.theme import scaled

_DENSITIES = (1, 2)


def icon(name: str, colour: str = "#000000", size: int = 18) -> QIcon:
    """The icon `name` in `colour` (`#rrggbb`), as large beside text of any size.

    Args:
        size: its side in device-independent pixels, beside text that is not enlarged.
    """
    return _icon(name, colour, scaled(size))


def picture(name: str, colour: str = "#000000", size: int = 18) -> QPixmap:
    """The same for a label, which shows it as large as it is."""
    side = scaled(size)
    return icon(name, colour, size).pixmap(side, side)


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, size: int) -> QIcon:
    made = QIcon()
    for density in _DENSITIES:
        made.addPixmap(pixmap(name, colour, size, density))
    return made


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str = "#000000", size: int = 18, density: float = 1.0) -> QPixmap:
    """An icon of exactly `size`, for widgets that paint themselves."""
    source = shipped("resources", "icons", f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    made = QPixmap(QSize(round(size * density), round(size * density)))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    renderer.render(painter, QRectF(0, 0, made.width(), made.height()))
    painter.end()
    made.setDevicePixelRatio(density)
    return made
