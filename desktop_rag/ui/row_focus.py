"""Shows which row of a list the keys act on from the moment the list has the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject
from PySide6.QtWidgets import QAbstractItemView


class RowFocus(QObject):
    """Makes the first row the current one when a list without any gets the focus; opens nothing."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Nothing is kept from the list."""
        if event.type() == QEvent.Type.FocusIn and not self._view.currentIndex().isValid():
            first = self._view.model().index(0, 0)
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self._view.selectionModel().setCurrentIndex(first, flag)
        return super().eventFilter(watched, event)
