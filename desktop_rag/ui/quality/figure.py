"""A large figure over what it means."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rag.ui.card import words
from desktop_rag.ui.theme import XL, L, M


class Figures(QFrame):
    """A few of them beside each other."""

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingRow")
        row = QHBoxLayout(self)
        row.setContentsMargins(L, M, L, M)
        row.setSpacing(XL)
        self._names = tuple(names)
        self.values = [words("–", "figure") for _ in names]
        for name, value in zip(names, self.values, strict=True):
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(value)
            column.addWidget(words(name, "smallMuted"))
            column.addStretch(1)
            row.addLayout(column, 1)

    def show_values(self, values: Sequence[str]) -> None:
        """In the order of the names; a screen reader hears both."""
        for name, label, value in zip(self._names, self.values, values, strict=True):
            label.setText(value)
            label.setAccessibleName(f"{name}: {value}")
