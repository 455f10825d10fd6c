"""The files of the library, and which of them are shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.domain.coverage import waiting_words
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.plain import tip

Index = QModelIndex | QPersistentModelIndex
Key = tuple[int, str]
FILE_ROLE = int(Qt.ItemDataRole.UserRole)


class FileModel(QAbstractListModel):
    """Files by path, all or those looked for. `FILE_ROLE` gives the whole `LibraryFile`.

    It filters its own list: a proxy would call back for each of 20,000 rows and hold up the window.

    Signals:
        rows_changing, rows_changed: around a change of which files are shown. A reset forgets
            selection and scroll position; the view keeps them over it.
    """

    rows_changing = Signal()
    rows_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files: list[LibraryFile] = []
        self._rows: list[LibraryFile] = []
        self._keys: list[Key] = []
        self._needle = ""
        self._only_failed = False

    def replace(self, files: Sequence[LibraryFile]) -> None:
        """These are the files now."""
        self._files = list(files)
        self._show()

    def look_for(self, text: str) -> None:
        """Keep files whose path or title holds `text`, whatever the case."""
        self._needle = text.strip().casefold()
        self._show()

    def show_only_failed(self, only: bool) -> None:  # noqa: FBT001 - connected to `toggled(bool)`
        """Keep files that could not be read."""
        self._only_failed = only
        self._show()

    def keys(self) -> list[Key]:
        """What tells each shown file from the others, in the order of the rows."""
        return self._keys

    def _show(self) -> None:
        rows = self._wanted()
        keys = [key_of(file) for file in rows]
        if keys != self._keys:
            self.rows_changing.emit()
            self.beginResetModel()
            self._rows, self._keys = rows, keys
            self.endResetModel()
            self.rows_changed.emit()
        elif rows:
            self._rows = rows
            # One range: the view repaints only what is on screen.
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def _wanted(self) -> list[LibraryFile]:
        files = self._files
        if self._only_failed:
            files = [file for file in files if file.state is FileState.FAILED]
        if self._needle:
            files = [file for file in files if self._needle in _searchable(file)]
        return files

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
            return tip("\n".join([file.path, *(remark for remark in remarks if remark)]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(file)
        return None


def key_of(file: LibraryFile) -> Key:
    """A file keeps its number when it is renamed; one that was left out has only its path."""
    return (0, file.path) if file.state is FileState.SKIPPED else (file.id, "")


def _searchable(file: LibraryFile) -> str:
    return f"{file.path} {file.title}".casefold()


def _spoken(file: LibraryFile) -> str:
    remarks = [file.failure, waiting_words(file.coverage), *file.notes]
    rest = " ".join(f"{remark.rstrip('.')}." for remark in remarks if remark)
    return f"{PurePath(file.path).name}, {file.state.value}. {rest}".strip()
