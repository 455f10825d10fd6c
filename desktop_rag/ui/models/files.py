"""The files of the library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)

from desktop_rag.domain.coverage import waiting_words
from desktop_rag.domain.library import FileState, LibraryFile

Index = QModelIndex | QPersistentModelIndex
FILE_ROLE = int(Qt.ItemDataRole.UserRole)


class FileModel(QAbstractListModel):
    """Files by path. `FILE_ROLE` gives the whole `LibraryFile`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[LibraryFile] = []

    def replace(self, files: Sequence[LibraryFile]) -> None:
        """Show these files; rows that stay keep their selection and scroll position."""
        rows = list(files)
        if [row.id for row in rows] != [row.id for row in self._rows]:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return
        changed = [
            n for n, (old, new) in enumerate(zip(self._rows, rows, strict=True)) if old != new
        ]
        self._rows = rows
        for row in changed:
            self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many files there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name, the whole file, or a sentence for screen readers."""
        if not index.isValid():
            return None
        file = self._rows[index.row()]
        if role == FILE_ROLE:
            return file
        if role == Qt.ItemDataRole.DisplayRole:
            return PurePath(file.path).name
        if role == Qt.ItemDataRole.ToolTipRole:
            remarks = (file.failure, waiting_words(file.coverage), *file.notes)
            return "\n".join([file.path, *(remark for remark in remarks if remark)])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{PurePath(file.path).name}, {file.state.value}. {file.failure}".strip()
        return None


class FileFilter(QSortFilterProxyModel):
    """Files whose path or title holds what was typed, or only those with problems."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._needle = ""
        self._only_failed = False

    def look_for(self, text: str) -> None:
        """Keep files that hold `text`, whatever the case."""
        self._needle = text.strip().casefold()
        self.invalidate()

    def show_only_failed(self, only: bool) -> None:  # noqa: FBT001 - connected to `toggled(bool)`
        """Keep files that could not be read."""
        self._only_failed = only
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Whether a file is shown."""
        model = self.sourceModel()
        file = model.data(model.index(source_row, 0, source_parent), FILE_ROLE)
        if self._only_failed and file.state is not FileState.FAILED:
            return False
        return self._needle in f"{file.path} {file.title}".casefold()
