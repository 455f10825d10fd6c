"""The picture in the tray: the program's own, within a ring that fills while files are read."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

from desktop_rag.ui import icons

_SIZES = (16, 22, 24, 32, 48, 64)
_STEPS = 20
"""The ring moves in so many steps: a new picture for every file would flicker."""
_RING, _TRACK, _PAUSED = QColor("#2fb5a5"), QColor(128, 128, 128, 110), QColor("#f0c263")
"""Seen on light and on dark panels; nobody knows which it is."""
_WHOLE_TURN = 360 * 16
_TOP = 90 * 16


def tray_picture(fraction: float | None, *, is_paused: bool = False) -> QIcon:
    """`fraction` of 1 is read; `None` when there is nothing to read."""
    step = None if fraction is None else round(min(max(fraction, 0.0), 1.0) * _STEPS)
    return _picture(step, is_paused)


@lru_cache(maxsize=2 * (_STEPS + 2))
def _picture(step: int | None, is_paused: bool) -> QIcon:  # noqa: FBT001 - a key of the cache
    made = QIcon()
    for size in _SIZES:
        made.addPixmap(_pixmap(size, step, is_paused=is_paused))
    return made


def _pixmap(size: int, step: int | None, *, is_paused: bool) -> QPixmap:
    made = QPixmap(size, size)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    is_plain = step is None and not is_paused
    inner = size if is_plain else size * 0.6
    edge = (size - inner) / 2
    whole = icons.pixmap("app", size=64)
    painter.drawPixmap(QRectF(edge, edge, inner, inner), whole, QRectF(whole.rect()))
    if not is_plain:
        _paint_ring(painter, size, step or 0, is_paused=is_paused)
    painter.end()
    return made


def _paint_ring(painter: QPainter, size: int, step: int, *, is_paused: bool) -> None:
    width = max(size / 10, 2.0)
    ring = QRectF(0, 0, size, size).adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.setPen(QPen(_TRACK, width))
    painter.drawEllipse(ring)
    if step:
        pen = QPen(_PAUSED if is_paused else _RING, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawArc(ring, _TOP, -_WHOLE_TURN * step // _STEPS)
    elif is_paused:
        painter.setPen(QPen(_PAUSED, width))
        painter.drawEllipse(ring)
