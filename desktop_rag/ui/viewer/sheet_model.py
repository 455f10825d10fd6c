"""A sheet for Qt's table view."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from desktop_rag.ui.plain import tip
from desktop_rag.ui.viewer.sheet_rows import SheetRows, Span

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_TIP_CHARS = 2_000


class SheetModel(QAbstractTableModel):
    """Cells by row and column; a cell knows which of its letters are marked."""

    def __init__(self, sheet: SheetRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = sheet
        self.mark: Span | None = None
        self.hits: Sequence[Span] = ()
        self.hit: Span | None = None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Lines of the sheet that are not empty."""
        return 0 if parent.isValid() else len(self.sheet)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """As many as its widest row has."""
        return 0 if parent.isValid() else self.sheet.columns

    def cell(self, index: Index) -> Span | None:
        """Where a cell stands in the text; `None` beyond the end of its row."""
        found = self.sheet.cells(index.row())
        return found[index.column()] if index.column() < len(found) else None

    def text(self, index: Index) -> str:
        """A cell's text."""
        span = self.cell(index)
        return self.sheet.text[slice(*span)] if span else ""

    def hits_in(self, start: int, end: int) -> Sequence[Span]:
        """Of what was found, what lies in a span."""
        first = bisect_right(self.hits, start, key=lambda span: span[1])
        last = bisect_left(self.hits, end, key=lambda span: span[0])
        return self.hits[first:last]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, the whole of it as a tool tip, and headers in bold."""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return self.text(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.text(index)[:_TIP_CHARS])
        if role == Qt.ItemDataRole.FontRole and self.sheet.is_header(index.row()):
            font = QFont()
            font.setBold(True)
            return font
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Row numbers of the file. Columns have none: the file's empty ones are left out."""
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Horizontal:
            return None
        return str(self.sheet.numbers[section] or "")
