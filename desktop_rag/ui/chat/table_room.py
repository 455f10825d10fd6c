"""Lets a table of many columns be wider than the text instead of breaking words to fit."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontMetricsF, QTextLength, QTextTable

from desktop_rag.ui.theme import S

_FEW = 3
"""So many columns always find room."""
_WIDEST = 260.0
"""A longer word is broken after all."""


def give_room(table: QTextTable, width: float) -> None:
    """Make each column as wide as its longest word where all together do not fit in `width`."""
    if table.columns() <= _FEW:
        return
    widths = [_least_width(table, column) for column in range(table.columns())]
    kinds = QTextLength.Type
    is_tight = sum(widths) > width
    wanted = [QTextLength(kinds.FixedLength, one) for one in widths] if is_tight else []
    style = table.format()
    if style.columnWidthConstraints() != wanted:
        style.setColumnWidthConstraints(wanted)
        table.setFormat(style)


def _least_width(table: QTextTable, column: int) -> float:
    font = QFont(table.document().defaultFont())
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    cells = (table.cellAt(row, column) for row in range(table.rows()))
    words = [word for cell in cells for word in cell.firstCursorPosition().block().text().split()]
    longest = max(words, key=len, default="")
    return min(metrics.horizontalAdvance(longest), _WIDEST) + 2 * S + 2
