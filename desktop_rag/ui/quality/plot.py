"""Lines and bars over runs or days, drawn by pyqtgraph in the colours of the theme.

The library and numpy are imported by `load`, in the background, when the page is seen first; the
window's process has them only from then on. What a plot shows is in words beside it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.ui.card import words
from desktop_rag.ui.theme import SMALL_PX, S, Theme, sized

_HEIGHT = 190
_TICKS = 6
_BAR = 0.6
"""Width of a bar; 1 is the distance between two."""


@dataclass(frozen=True, slots=True)
class Series:
    """Values from left to right."""

    name: str
    values: tuple[float, ...]
    colour: str = "accent"
    """A token of the theme."""
    is_dashed: bool = False
    """Told apart from another line without its colour."""
    is_bars: bool = False
    around: tuple[tuple[float, float], ...] = ()
    """Lowest and highest for each value: a band behind the line."""


def load() -> None:
    """Import what draws; takes half a second. Called on a background thread."""
    import pyqtgraph  # noqa: F401


class Plot(QWidget):
    """Nothing in it can be dragged or zoomed. `load` was called before."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._series: tuple[Series, ...] = ()
        self._labels: tuple[str, ...] = ()
        self._build()
        theme.changed.connect(self._paint)

    def _build(self) -> None:
        import pyqtgraph

        self._graph: Any = pyqtgraph.PlotWidget(self)
        self._graph.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._graph.setMenuEnabled(False)
        self._graph.setMouseEnabled(x=False, y=False)
        self._graph.hideButtons()
        self._graph.setFrameShape(self._graph.Shape.NoFrame)
        # The wheel is the page's.
        self._graph.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._graph.setMinimumWidth(0)
        self._legend = QVBoxLayout()
        self._legend.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addLayout(self._legend)
        column.addWidget(self._graph)

    def show_series(self, series: Sequence[Series], labels: Sequence[str], spoken: str) -> None:
        """Draw them; `labels` stand below, `spoken` is what a screen reader says."""
        self._series, self._labels = tuple(series), tuple(labels)
        for widget in (self, self._graph):
            widget.setAccessibleName(spoken)
        self._paint()

    def _paint(self) -> None:
        self._graph.clear()
        self._graph.setBackground(self._theme.color("window"))
        self._graph.setFixedHeight(self._theme.px(_HEIGHT))
        self._paint_axes()
        for one in self._series:
            (self._paint_bars if one.is_bars else self._paint_line)(one)
        highest = max((top for one in self._series for top in _tops(one)), default=1.0) or 1.0
        self._graph.setYRange(0, highest * 1.08, padding=0)
        self._graph.setXRange(-0.5, max(len(self._labels) - 0.5, 0.5), padding=0)
        self._paint_legend()

    def _paint_axes(self) -> None:
        step = max(1, -(-len(self._labels) // _TICKS))
        ticks = [(place, text) for place, text in enumerate(self._labels)][::step]
        font = sized(self.font(), SMALL_PX)
        for name in ("left", "bottom"):
            axis = self._graph.getAxis(name)
            axis.setPen(self._theme.color("border_strong"))
            axis.setTextPen(self._theme.color("muted"))
            axis.setStyle(tickFont=font)
            axis.setZValue(-1)  # the grid, too, is behind bars
            axis.enableAutoSIPrefix(enable=False)
        self._graph.getAxis("bottom").setTicks([ticks, []])
        self._graph.showGrid(y=True, alpha=0.15)

    def _paint_line(self, one: Series) -> None:
        import pyqtgraph

        colour, places = self._theme.color(one.colour), list(range(len(one.values)))
        if one.around:
            self._paint_band(one, colour, places)
        style = Qt.PenStyle.DashLine if one.is_dashed else Qt.PenStyle.SolidLine
        pen = pyqtgraph.mkPen(colour, width=2, style=style)
        self._graph.plot(
            places,
            list(one.values),
            pen=pen,
            symbol="o",
            symbolSize=6,
            symbolBrush=self._theme.color("window") if one.is_dashed else colour,
            symbolPen=pyqtgraph.mkPen(colour, width=1.5),
            antialias=True,
        )

    def _paint_band(self, one: Series, colour: QColor, places: list[int]) -> None:
        import pyqtgraph

        soft = QColor(colour)
        soft.setAlpha(45)
        edges = [
            pyqtgraph.PlotCurveItem(places, [pair[side] for pair in one.around], pen=None)
            for side in (0, 1)
        ]
        for edge in edges:
            self._graph.addItem(edge)
        self._graph.addItem(pyqtgraph.FillBetweenItem(*edges, brush=soft))

    def _paint_bars(self, one: Series) -> None:
        import pyqtgraph

        colour = self._theme.color(one.colour)
        places = list(range(len(one.values)))
        self._graph.addItem(
            pyqtgraph.BarGraphItem(
                x=places, height=list(one.values), width=_BAR, brush=colour, pen=colour
            )
        )

    def _paint_legend(self) -> None:
        while (item := self._legend.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for one in self._series:
            mark = words(f"{_mark(one)} {one.name}", "smallText")
            mark.setStyleSheet(f"color: {self._theme.color(one.colour).name()};")
            self._legend.addWidget(mark)


def _mark(one: Series) -> str:
    if one.is_bars:
        return "■"
    return "┅" if one.is_dashed else "━"


def _tops(one: Series) -> Sequence[float]:
    return [high for _low, high in one.around] or one.values
