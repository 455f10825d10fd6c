"""What was not added, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.library import Dropped
from desktop_rag.ui.dialog_size import open_at
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S
from desktop_rag.ui.translation import _, counted
from desktop_rag.ui.window_words import in_window

_MOST = 200
"""Rows that are made; nobody reads more."""


class LeftOutDialog(QDialog):
    """A list to read; nothing is decided here."""

    def __init__(self, refused: Sequence[Dropped], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Left out"))
        number = counted("{n} thing was left out", "{n} things were left out", len(refused))
        heading = PlainLabel(number)
        heading.setObjectName("panelTitle")
        self.reasons: list[PlainLabel] = []
        close = QPushButton(_("Close"))
        close.clicked.connect(self.accept)
        close.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(heading)
        column.addWidget(self._build_rows(refused), 1)
        column.addLayout(buttons)
        open_at(self, 560, 380)

    def _build_rows(self, refused: Sequence[Dropped]) -> QScrollArea:
        page = QWidget()
        page.setObjectName("tracePage")
        rows = QVBoxLayout(page)
        set_margins(rows, 0, 0, S, 0)
        rows.setSpacing(S)
        for one in refused[:_MOST]:
            rows.addWidget(self._row(one))
        rows.addStretch(1)
        area = QScrollArea()
        area.setObjectName("traceView")
        area.setAccessibleName(_("What was left out"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        return area

    def _row(self, one: Dropped) -> QFrame:
        name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        name.setObjectName("panelTitle")
        name.setText(one.given)
        reason = PlainLabel(in_window(one.sentence))
        reason.setWordWrap(True)
        self.reasons.append(reason)
        row = QFrame()
        row.setObjectName("traceRow")
        column = QVBoxLayout(row)
        column.setContentsMargins(M, S, M, S)
        column.setSpacing(2)
        column.addWidget(name)
        column.addWidget(reason)
        return row
