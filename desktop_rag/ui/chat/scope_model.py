"""The rows of the list that a chat's part of the library is chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rag.domain.choices import Choice, Options
from desktop_rag.ui.translation import _, counted

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    """A collection's name or a path."""
    title: str
    told: str
    kind: str
    """`collection`, `folder` or `file`."""
    sought: str
    """What is searched, in small letters."""


class ScopeModel(QAbstractListModel):
    """Collections, folders and files with check marks; `search` leaves some out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[_Row] = []
        self._rows: list[_Row] = []
        self._checked: set[str] = set()

    # content
    def show(self, options: Options, choice: Choice) -> None:
        """Other rows, with what is chosen ticked; that comes first of its kind."""
        self.beginResetModel()
        self._checked = {*choice.collections, *choice.paths}
        rows = _rows(options)
        rank = {"collection": 0, "folder": 1, "file": 2}
        rows.sort(key=lambda row: (row.key not in self._checked, rank[row.kind]))
        self._all = self._rows = rows
        self.endResetModel()

    def search(self, text: str) -> None:
        """Only rows that hold all words of a text."""
        words = text.casefold().split()
        self.beginResetModel()
        self._rows = [row for row in self._all if all(word in row.sought for word in words)]
        self.endResetModel()

    def clear(self) -> None:
        """Untick everything."""
        self._checked = set()
        self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))

    @property
    def choice(self) -> Choice:
        """What is ticked."""
        ticked = [row for row in self._all if row.key in self._checked]
        return Choice(
            tuple(row.key for row in ticked if row.kind == "collection"),
            tuple(row.key for row in ticked if row.kind != "collection"),
        )

    # as Qt wants it
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many rows are left."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Every row can be ticked."""
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Title, check mark, and the whole path as a tool tip."""
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.CheckStateRole:
            is_on = row.key in self._checked
            return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.told
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}, {row.told}"
        if role == Qt.ItemDataRole.UserRole:
            return row.kind
        return None

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick a row."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.toggle(index)
        return True

    def toggle(self, index: _Index) -> None:
        """The other of ticked and not."""
        self._checked ^= {self._rows[index.row()].key}
        self.dataChanged.emit(index, index)


def _rows(options: Options) -> list[_Row]:
    collections = [
        _row(
            name,
            name,
            counted("Collection of {n} file", "Collection of {n} files", files),
            "collection",
        )
        for name, files in options.collections
    ]
    folders = [_row(path, name_of(path), path, "folder") for path in options.folders]
    files = [_row(path, title or name_of(path), path, "file") for path, title in options.files]
    return [*collections, *folders, *files]


def _row(key: str, title: str, told: str, kind: str) -> _Row:
    return _Row(key, title, told, kind, f"{title} {key}".casefold())


def name_of(path: str) -> str:
    """The last part of a path, of whatever system."""
    return PurePath(path.replace("\\", "/")).name or path or _("Everything")
