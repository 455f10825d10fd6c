"""Spreadsheets and tables as a grid: a tab for each sheet, the file's row numbers, cells marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer import text_pieces
from desktop_rag.ui.viewer.motion import Flash
from desktop_rag.ui.viewer.sheet_delegate import PADDING_PX, SheetDelegate
from desktop_rag.ui.viewer.sheet_model import SheetModel
from desktop_rag.ui.viewer.sheet_rows import SheetRows, Span
from desktop_rag.ui.viewer.text_segments import CELL

_SAMPLE = 200
"""Rows that decide how wide columns are."""
_WIDTHS_PX = (56, 280)
_MAX_COPIED = 20_000
_MAX_CELL_SHOWN = 600


class GridView(QWidget):
    """Sheets of one document.

    Signals:
        selection_changed: other cells are selected.
    """

    selection_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._models: list[SheetModel] = []
        self._span: Span | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("gridView")
        self.cell = PlainLabel()
        self.cell.setObjectName("cellText")
        self.cell.setWordWrap(True)
        self.cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cell.setAccessibleName(_("Selected cell"))
        self.table = _Table()
        self.delegate = SheetDelegate(self._theme, self)
        self.table.setItemDelegate(self.delegate)
        self.tabs = QTabBar()
        self.tabs.setObjectName("sheetTabs")
        self.tabs.setAccessibleName(_("Sheets"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setShape(QTabBar.Shape.RoundedSouth)
        self.flash = Flash(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.cell)
        column.addWidget(self.table, 1)
        column.addWidget(self.tabs)
        self.cell.setContentsMargins(M, S, M, S)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._turn_to)
        self.flash.changed.connect(self._on_flash)
        self._theme.changed.connect(self.table.viewport().update)

    # content
    def show_sheets(self, sheets: Sequence[SheetRows], span: Span | None = None) -> None:
        """Show a document and mark `span`."""
        for model in self._models:
            model.deleteLater()
        self._models = [SheetModel(sheet, self) for sheet in sheets]
        with QSignalBlocker(self.tabs):
            while self.tabs.count():
                self.tabs.removeTab(0)
            for number, sheet in enumerate(sheets, 1):
                name = sheet.name or _("Sheet {n}").format(n=number)
                self.tabs.addTab(name.replace("&", "&&"))
        self.tabs.setVisible(len(sheets) > 1)
        self._turn_to(0)
        self.show_mark(span)

    def show_mark(self, span: Span | None) -> None:
        """Mark cells and bring the first into view."""
        self._span = span
        for model in self._models:
            model.mark = span
        if span is not None:
            self.reveal(*span)
            self.flash.begin()
        self.table.viewport().update()

    def show_hits(self, spans: Sequence[Span], current: int = -1) -> None:
        """Mark what was searched for; `current` (an index) stands out."""
        for model in self._models:
            model.hits = spans
            model.hit = spans[current] if 0 <= current < len(spans) else None
        self.table.viewport().update()

    def reveal(self, start: int, end: int) -> None:
        """Turn to the sheet of a span and bring its first cell into view."""
        number = self._sheet_at(start)
        if number is None:
            return
        self.tabs.setCurrentIndex(number)
        self._turn_to(number)
        model = self._models[number]
        row = model.sheet.row_at(start)
        inside = [n for n, cell in enumerate(model.sheet.cells(row)) if cell[1] > start]
        index = model.index(row, inside[0] if inside else 0)
        self.table.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.NoUpdate
        )
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _sheet_at(self, offset: int) -> int | None:
        for number, model in enumerate(self._models):
            if len(model.sheet) and model.sheet.ends[-1] >= offset:
                return number
        return None

    @property
    def model(self) -> SheetModel | None:
        """The sheet in view."""
        model = self.table.model()
        return model if isinstance(model, SheetModel) else None

    @property
    def selected_text(self) -> str:
        """The selected cells, as the document has them."""
        return self.table.selected_text(CELL)

    def marked_text(self) -> str:
        """The marked letters of all cells, apart as in the text."""
        model = self.model
        if model is None or self._span is None:
            return ""
        start, end = self._span
        made, behind = "", start
        for row in model.sheet.rows_of(start, end):
            for left, right in model.sheet.cells(row):
                left, right = max(left, start), min(right, end)
                if left < right:
                    made += model.sheet.text[behind:right]
                    behind = right
        return made + text_pieces.gap(model.sheet.text[behind:end])

    def is_mark_in_view(self) -> bool:
        """Whether the first marked cell is on screen."""
        model = self.model
        if model is None or self._span is None:
            return False
        row = model.sheet.row_at(self._span[0])
        return self.table.visualRect(model.index(row, 0)).intersects(self.table.viewport().rect())

    # sheets
    def _turn_to(self, number: int) -> None:
        if not 0 <= number < len(self._models) or self.table.model() is self._models[number]:
            return
        model = self._models[number]
        self.table.show_model(model)
        selection = self.table.selectionModel()
        selection.currentChanged.connect(self._on_current)
        selection.selectionChanged.connect(lambda *_: self.selection_changed.emit())
        self._fit_columns(model)
        self._on_current(QModelIndex())

    def _fit_columns(self, model: SheetModel) -> None:
        """As wide as the first rows and the marked ones need, within reason."""
        metrics = QFontMetrics(self.table.font())
        rows = [*range(min(len(model.sheet), _SAMPLE))]
        if model.mark:
            rows += model.sheet.rows_of(*model.mark)[:_SAMPLE]
        least, most = map(self._theme.px, _WIDTHS_PX)
        widths = [least] * model.sheet.columns
        for row in rows:
            found = model.sheet.cells(row)
            if len(found) < 2 and model.sheet.columns > 1:
                continue
            for column, (start, end) in enumerate(found):
                text = model.sheet.text[start : min(end, start + 60)]
                need = metrics.horizontalAdvance(text) * 11 // 10 + 2 * PADDING_PX
                widths[column] = min(max(widths[column], need), most)
        for column, width in enumerate(widths):
            self.table.setColumnWidth(column, width)

    def _on_current(self, index: QModelIndex) -> None:
        model = self.model
        text = model.text(index) if model is not None and index.isValid() else ""
        self.cell.setText(text[:_MAX_CELL_SHOWN] or " ")

    def _on_flash(self) -> None:
        self.delegate.strength = self.flash.strength
        self.table.viewport().update()


class _Table(QTableView):
    """Rows of one height, so that a sheet of any length opens at once."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheetTable")
        self.setAccessibleName(_("Table"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setShowGrid(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().hide()
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_model(self, model: SheetModel) -> None:
        """Show another sheet."""
        self.clearSpans()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.setModel(model)
        for row in range(min(len(model.sheet), _SAMPLE)):
            if model.sheet.columns > 1 and len(model.sheet.cells(row)) == 1:
                self.setSpan(row, 0, 1, model.sheet.columns)

    def selected_text(self, gap: str) -> str:
        """Selected cells, a line for each row."""
        model = self.model()
        if not isinstance(model, SheetModel) or not self.selectionModel().hasSelection():
            return ""
        area = self.selectionModel().selection().first()
        lines = [
            gap.join(
                model.text(model.index(row, column))
                for column in range(area.left(), area.right() + 1)
            )
            for row in range(area.top(), min(area.bottom(), area.top() + _MAX_COPIED) + 1)
        ]
        return "\n".join(lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy as a spreadsheet does."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text("\t"))
            return
        super().keyPressEvent(event)
