"""Paints pages, and marks on them as a text marker would: the letters below stay black."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer.marking import between

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.page_view import PageView

_PADDING_POINTS = 1.5
_HIT = "#bfe3ff"
_HIT_NOW = "#7cc4ff"
_SELECTED = "#c9d7ff"
"""On paper, which is white in any appearance."""

RectsOn = Callable[[int], list[QRectF]]
"""Places on a page (its number) in coordinates of the viewport."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked besides the selection."""

    cited: RectsOn
    hits: RectsOn
    current_hit: RectsOn


def paint(view: PageView, theme: Theme, marks: Marks) -> None:
    """Paint what the view shows now."""
    painter = QPainter(view.viewport())
    painter.fillRect(view.viewport().rect(), theme.color("canvas"))
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for number in view.pages_in_view():
        _paint_page(painter, view, theme, number)
        _paint_marks(painter, view, theme, marks, number)
    painter.end()


def _paint_page(painter: QPainter, view: PageView, theme: Theme, number: int) -> None:
    page = view.page_rect(number)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.fillRect(page, Qt.GlobalColor.white)
    picture = view.pictures.picture(number)
    if picture is not None:
        painter.drawImage(page, picture)
    painter.setPen(QPen(theme.color("border_strong"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(page)


def _paint_marks(
    painter: QPainter, view: PageView, theme: Theme, marks: Marks, number: int
) -> None:
    pad = _PADDING_POINTS * view.pixels_per_point
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    cited = theme.color("highlight")
    if view.flash.strength:
        cited = between(cited, theme.color("highlight_edge"), view.flash.strength)
    _fill(painter, marks.hits(number), QColor(_HIT), 0)
    _fill(painter, marks.cited(number), cited, pad)
    _fill(painter, marks.current_hit(number), QColor(_HIT_NOW), 0)
    _fill(painter, view.selection.rects_on(number), QColor(_SELECTED), 0)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _fill(painter: QPainter, rects: Iterable[QRectF], colour: QColor, pad: float) -> None:
    painter.setBrush(colour)
    for rect in rects:
        painter.drawRoundedRect(rect.adjusted(-pad, 0, pad, 0), 2, 2)
