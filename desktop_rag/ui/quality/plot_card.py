"""A card with figures, a plot, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui.card import Card, Grid, Row, buttons
from desktop_rag.ui.quality.figure import Figures
from desktop_rag.ui.quality.plot import Plot, Series
from desktop_rag.ui.theme import L, M, Theme
from desktop_rag.ui.translation import _

_FEWEST = 2
"""Points that make a line."""


class PlotCard(Card):
    """Empty until there is something to show, which `empty` says in its words."""

    def __init__(
        self,
        theme: Theme,
        heading: str,
        names: Sequence[str],
        nothing: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(heading, parent)
        self._theme = theme
        self._name = heading
        self.plot: Plot | None = None
        self._has_plot = False
        self.empty = Row("", nothing)
        self.add(self.empty)
        self.figures = Figures(names)
        self.add(self.figures)
        is_first = True  # the row before it is never shown with it
        self.figures.setProperty("isFirst", is_first)
        self._holder = QWidget()
        self._inside = QVBoxLayout(self._holder)
        self._inside.setContentsMargins(L, M, L, M)
        self.add(self._holder)
        self.add(self._build_table())
        self.show_nothing()

    def _build_table(self) -> QWidget:
        self.toggle = QPushButton(_("Show as a table"))
        self.toggle.setObjectName("quietButton")
        self.toggle.setCheckable(True)
        self.toggle.setAccessibleName(_("{card}: show as a table").format(card=self._name))
        self.toggle.toggled.connect(self._on_toggled)
        self.table = Grid()
        self.table.hide()
        self._below = QWidget()
        column = QVBoxLayout(self._below)
        column.setContentsMargins(0, 0, 0, M)
        column.addWidget(buttons(self.toggle))
        column.addWidget(self.table)
        return self._below

    def show_nothing(self, sentence: str = "") -> None:
        """There is nothing yet; why, if `sentence` knows better."""
        if sentence:
            self.empty.say("", sentence)
        self.empty.show()
        for widget in (self.figures, self._holder, self._below):
            widget.hide()

    def show_all(
        self,
        values: Sequence[str],
        series: Sequence[Series],
        labels: Sequence[str],
        lines: Sequence[tuple[str, str]],
    ) -> None:
        """Figures, a plot from two points on, and the table. `plot.load` was called before."""
        self.empty.hide()
        self.figures.show_values(values)
        self.figures.show()
        self.table.show_lines(lines)
        self._below.show()
        self._has_plot = len(labels) >= _FEWEST
        self._holder.setVisible(self._has_plot and not self.toggle.isChecked())
        if self._has_plot:
            self._show_plot(series, labels, lines)

    def _show_plot(
        self,
        series: Sequence[Series],
        labels: Sequence[str],
        lines: Sequence[tuple[str, str]],
    ) -> None:
        if self.plot is None:
            self.plot = Plot(self._theme)
            self._inside.addWidget(self.plot)
        newest = f"{lines[0][0]}: {lines[0][1]}" if lines else ""
        self.plot.show_series(series, labels, f"{self._name}. {newest}")

    def _on_toggled(self, is_table: bool) -> None:  # noqa: FBT001 - Qt's way
        self.toggle.setText(_("Show as a plot") if is_table else _("Show as a table"))
        self.table.setVisible(is_table)
        self._holder.setVisible(self._has_plot and not is_table)
