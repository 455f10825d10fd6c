"""The files of the library, and which of them are shown."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from operator import is_, itemgetter
from pathlib import PurePath

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUrl,
    Signal,
)

from desktop_rag.domain.coverage import waiting_words
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.library.file_filter import (
    FileFilter,
    Key,
    Order,
    Row,
    Show,
    kept,
    key_of,
    kind_of,
    searchable,
    sort_key,
)
from desktop_rag.ui.library.file_words import state_word
from desktop_rag.ui.mime import FILES_MIME
from desktop_rag.ui.plain import tip
from desktop_rag.ui.window_words import in_window

Index = QModelIndex | QPersistentModelIndex
FILE_ROLE = int(Qt.ItemDataRole.UserRole)
_PORTION = 10_000
"""Rows a view learns of at once. It asks Python about each four times when it lays them out; more
come when somebody scrolls to the end."""
_MOST_MOVES = 64
"""Rows that come and go one by one; more are cheaper as a new list."""


def rows_of(files: Sequence[LibraryFile], order: Order) -> list[Row]:
    """Files in order, ready for `FileModel.replace`; away from the GUI thread for many."""
    key = sort_key(order)
    rows = [(key(file), key_of(file), file, searchable(file)) for file in files]
    rows.sort(key=itemgetter(0), reverse=order.is_reversed)
    return rows


def reordered(rows: Sequence[Row], order: Order) -> list[Row]:
    """The same rows in another order; away from the GUI thread for many."""
    key = sort_key(order)
    made = [(key(row[2]), *row[1:]) for row in rows]
    made.sort(key=itemgetter(0), reverse=order.is_reversed)
    return made


class FileModel(QAbstractListModel):
    """Files in an order, all or those looked for. `FILE_ROLE` gives the whole `LibraryFile`.

    It filters its own list: a proxy would call back for each of 100,000 rows and hold up the
    window. A file that changes is put right in its place; nothing else is touched.

    Signals:
        rows_changing, rows_changed: around a change of which files are shown. A reset forgets
            selection and scroll position; the view keeps them over it.
        counted: how many are shown, or how many there are, may be different.
    """

    rows_changing = Signal()
    rows_changed = Signal()
    counted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Row] = []
        self._skipped: list[Row] = []
        self._rows: list[Row] = []
        self._keys: list[Key] = []
        self._by_key: dict[Key, Row] = {}
        self._filter = FileFilter()
        self.order = Order()
        self._hidden: frozenset[Key] = frozenset()
        self._limit = _PORTION

    # content
    def replace(self, rows: Sequence[Row]) -> None:
        """These are the files now, as `rows_of` gave them in the order of this model."""
        self._all = list(rows)
        self._by_key = {row[1]: row for row in self._all}
        self._hidden &= self._by_key.keys()
        self._show()

    def replace_files(self, files: Sequence[LibraryFile]) -> None:
        """The same for a few files."""
        self.replace(rows_of(files, self.order))

    def replace_skipped(self, rows: Sequence[Row]) -> None:
        """Files that were left out; they are shown only when they are asked for."""
        self._skipped = list(rows)
        if self._filter.show is Show.SKIPPED:
            self._show()

    def update(self, files: Sequence[LibraryFile], gone: Collection[DocumentId] = ()) -> None:
        """Some files are different now, new, or gone."""
        key = sort_key(self.order)
        fresh = [(key(file), key_of(file), file, searchable(file)) for file in files]
        moved: list[tuple[Row | None, Row | None]] = []
        for row in fresh:
            old = self._by_key.get(row[1])
            if old is not None and old[0] == row[0]:
                self._all[_place(self._all, old, self.order)] = row
                self._by_key[row[1]] = row
            else:
                self._put(old, row)
            moved.append((old, row))
        for number in gone:
            if (old := self._by_key.get((number, ""))) is not None:
                self._put(old, None)
                moved.append((old, None))
        self._follow(moved)

    def _put(self, old: Row | None, new: Row | None) -> None:
        """Into the list of all, shown or not."""
        if old is not None:
            del self._all[_place(self._all, old, self.order)]
            del self._by_key[old[1]]
        if new is not None:
            self._all.insert(_place(self._all, new, self.order), new)
            self._by_key[new[1]] = new

    def _follow(self, moved: Sequence[tuple[Row | None, Row | None]]) -> None:
        """Show what became of these rows."""
        steps = []
        for old, new in moved:
            was = old is not None and self._is_wanted(old)
            will = new is not None and self._is_wanted(new)
            if was and will and old is not None and new is not None and old[0] == new[0]:
                self._repaint(old, new)
            elif was or will:
                steps.append((old if was else None, new if will else None))
        if len(steps) > _MOST_MOVES:
            self._show()
        elif steps:
            self.rows_changing.emit()
            for old, new in steps:
                self._move(old, new)
            self.rows_changed.emit()
        self.counted.emit()

    def _repaint(self, old: Row, new: Row) -> None:
        place = _place(self._rows, old, self.order)
        self._rows[place] = new
        if place < self._limit:
            self.dataChanged.emit(self.index(place), self.index(place))

    def _move(self, old: Row | None, new: Row | None) -> None:
        if old is not None:
            self._take(_place(self._rows, old, self.order))
        if new is not None:
            self._insert(_place(self._rows, new, self.order), new)

    def _take(self, place: int) -> None:
        """Remove a row; a view that knows of it is told, and gets none in its place."""
        is_known = place < self._limit
        if is_known:
            self.beginRemoveRows(QModelIndex(), place, place)
        self._limit -= int(is_known and len(self._rows) > self._limit)
        del self._rows[place], self._keys[place]
        if is_known:
            self.endRemoveRows()

    def _insert(self, place: int, row: Row) -> None:
        """Add a row; among those a view knows of, it learns of it."""
        is_known = place < self._limit
        if is_known:
            self.beginInsertRows(QModelIndex(), place, place)
        self._limit += int(is_known and len(self._rows) >= self._limit)
        self._rows.insert(place, row)
        self._keys.insert(place, row[1])
        if is_known:
            self.endInsertRows()

    # what is shown
    def filter_by(self, wanted: FileFilter) -> None:
        """Keep files that are wanted."""
        if wanted != self._filter:
            self._filter = wanted
            self._show()

    @property
    def filter(self) -> FileFilter:
        """What is wanted."""
        return self._filter

    def order_by(self, order: Order) -> None:
        """Put the files in another order."""
        if order != self.order:
            self._adopt(order, reordered(self._all, order))

    def snapshot(self) -> list[Row]:
        """All files as they are now, to be put in another order elsewhere."""
        return list(self._all)

    def adopt(self, order: Order, snapshot: list[Row], rows: list[Row]) -> None:
        """Take a snapshot that was put in order meanwhile; done again if files changed since."""
        is_same = len(snapshot) == len(self._all) and all(map(is_, snapshot, self._all))
        self._adopt(order, rows if is_same else reordered(self._all, order))

    def _adopt(self, order: Order, rows: list[Row]) -> None:
        self.order = order
        self._all = rows
        self._skipped = reordered(self._skipped, order)
        self._by_key = {row[1]: row for row in rows}
        self._show()

    def hide(self, keys: Collection[Key]) -> None:
        """Leave these out, whatever else holds: they are about to be removed."""
        self._hidden = self._hidden | frozenset(keys)
        self._show()

    def unhide(self, keys: Collection[Key]) -> None:
        """They stay, or they are gone by now."""
        self._hidden = self._hidden - frozenset(keys)
        self._show()

    def keys(self) -> list[Key]:
        """What tells each file that the view knows from the others, in the order of the rows."""
        return self._keys[: self._limit]

    @property
    def matching(self) -> int:
        """How many files are wanted, whether the view knows all of them yet or not."""
        return len(self._rows)

    @property
    def total(self) -> int:
        """How many files there are, shown or not, but those that were left out."""
        return len(self._all)

    def files(self) -> list[LibraryFile]:
        """All files, shown or not, but those that were left out."""
        return [row[2] for row in self._all]

    def shown(self) -> list[LibraryFile]:
        """The files that are shown, in order."""
        return [row[2] for row in self._rows]

    def file(self, key: Key) -> LibraryFile | None:
        """The file as it is now; `None` when it is gone."""
        row = self._by_key.get(key)
        return row[2] if row is not None else None

    def kinds(self) -> list[tuple[str, int]]:
        """The kinds of files there are, the most frequent first."""
        return Counter(kind_of(row[2]) for row in self._all).most_common()

    def _show(self) -> None:
        among = self._skipped if self._filter.show is Show.SKIPPED else self._all
        rows = kept(among, self._filter)
        if self._hidden or rows is among:
            rows = [row for row in rows if row[1] not in self._hidden]
        keys = [row[1] for row in rows]
        if keys != self._keys:
            self.rows_changing.emit()
            self.beginResetModel()
            self._rows, self._keys, self._limit = rows, keys, _PORTION
            self.endResetModel()
            self.rows_changed.emit()
        elif rows:
            self._rows = rows
            # One range: the view repaints only what is on screen.
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))
        self.counted.emit()

    def _is_wanted(self, row: Row) -> bool:
        return row[1] not in self._hidden and bool(kept([row], self._filter))

    # Qt
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many files the view knows of."""
        return 0 if parent.isValid() else min(len(self._rows), self._limit)

    def canFetchMore(self, parent: Index) -> bool:
        """Whether there are files the view does not know of yet."""
        return not parent.isValid() and self._limit < len(self._rows)

    def fetchMore(self, parent: Index) -> None:
        """Somebody scrolled to the end."""
        if self.canFetchMore(parent):
            last = min(self._limit + _PORTION, len(self._rows)) - 1
            self.beginInsertRows(QModelIndex(), self._limit, last)
            self._limit += _PORTION
            self.endInsertRows()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Files of the library can be dragged onto a collection or a tag."""
        base = super().flags(index)
        if index.isValid() and self._rows[index.row()][2].state is not FileState.SKIPPED:
            base |= Qt.ItemFlag.ItemIsDragEnabled
        return base

    def mimeTypes(self) -> list[str]:
        """What a drag carries."""
        return [FILES_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The paths of the dragged files; no addresses, so nothing else takes them for a copy."""
        paths = [self._rows[index.row()][2].path for index in indexes]
        data = QMimeData()
        data.setData(
            FILES_MIME, "\n".join(QUrl.fromLocalFile(p).toString() for p in paths).encode()
        )
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        """Nothing is moved on the disk."""
        return Qt.DropAction.LinkAction

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name, the whole file, or a sentence for screen readers."""
        if not index.isValid():
            return None
        file = self._rows[index.row()][2]
        if role == FILE_ROLE:
            return file
        if role == Qt.ItemDataRole.DisplayRole:
            return PurePath(file.path).name
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join([file.path, *_remarks(file)]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(file)
        return None


def paths_in(data: QMimeData) -> list[str]:
    """The files of a drag from the list; empty for any other."""
    raw = bytes(data.data(FILES_MIME).data()).decode()
    return [QUrl(line).toLocalFile() for line in raw.splitlines()]


def _place(rows: list[Row], row: Row, order: Order) -> int:
    """Where a row stands, or belongs."""
    if not order.is_reversed:
        return bisect_left(rows, row[0], key=itemgetter(0))
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle][0] > row[0]:
            low = middle + 1
        else:
            high = middle
    return low


def _remarks(file: LibraryFile) -> list[str]:
    remarks = (file.failure, waiting_words(file.coverage), *file.notes)
    return [in_window(remark) for remark in remarks if remark]


def _spoken(file: LibraryFile) -> str:
    rest = " ".join(f"{remark.rstrip('.')}." for remark in _remarks(file))
    return f"{PurePath(file.path).name}, {state_word(file)}. {rest}".strip()
