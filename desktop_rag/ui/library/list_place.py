"""Keeps what is marked and what is in sight while the rows of the file list change."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject, QPoint
from PySide6.QtWidgets import QListView

from desktop_rag.ui.library.file_filter import Key
from desktop_rag.ui.models.files import FileModel

_Flag = QItemSelectionModel.SelectionFlag


class ListPlace(QObject):
    """Files appear and go while the list is read: the rows on screen must not jump."""

    def __init__(self, view: QListView, model: FileModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._selected: set[Key] = set()
        self._current: Key | None = None
        self._sight: list[tuple[Key, int]] = []
        model.rows_changing.connect(self._on_changing)
        model.rows_changed.connect(self._on_changed)

    def _on_changing(self) -> None:
        view, keys = self._view, self._model.keys()
        marked = view.selectionModel().selectedIndexes()
        self._selected = {keys[index.row()] for index in marked}
        current = view.currentIndex()
        self._current = keys[current.row()] if current.isValid() else None
        self._sight = self._in_sight(keys)

    def _in_sight(self, keys: list[Key]) -> list[tuple[Key, int]]:
        """The rows on screen and where they begin; empty at the top, where new ones may show."""
        if not self._view.verticalScrollBar().value():
            return []
        found = []
        row = self._view.indexAt(QPoint(1, 1)).row()
        while 0 <= row < len(keys):
            top = self._view.visualRect(self._model.index(row)).top()
            if top > self._view.viewport().height():
                break
            found.append((keys[row], top))
            row += 1
        return found

    def _on_changed(self) -> None:
        if not (self._selected or self._sight or self._current):
            return
        rows = {key: row for row, key in enumerate(self._model.keys())}
        self._mark(rows)
        self._scroll(rows)

    def _mark(self, rows: dict[Key, int]) -> None:
        chosen = QItemSelection()
        for first, last in _runs(sorted(rows[key] for key in self._selected if key in rows)):
            chosen.select(self._model.index(first), self._model.index(last))
        marks = self._view.selectionModel()
        marks.select(chosen, _Flag.ClearAndSelect)
        if self._current in rows:
            marks.setCurrentIndex(self._model.index(rows[self._current]), _Flag.NoUpdate)

    def _scroll(self, rows: dict[Key, int]) -> None:
        kept = next(((key, top) for key, top in self._sight if key in rows), None)
        if kept is None:
            return
        self._view.doItemsLayout()
        now = self._view.visualRect(self._model.index(rows[kept[0]])).top()
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + now - kept[1])


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of neighbours."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
