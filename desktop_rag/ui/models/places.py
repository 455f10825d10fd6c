"""Folders, collections and tags: where files are, as one list."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.domain.library import Collection, Source
from desktop_rag.ui import words
from desktop_rag.ui.mime import FILES_MIME
from desktop_rag.ui.models.files import paths_in
from desktop_rag.ui.plain import tip
from desktop_rag.ui.translation import _, counted

Index = QModelIndex | QPersistentModelIndex
PLACE_ROLE = int(Qt.ItemDataRole.UserRole)
_FOLDERS_MIME = "application/x-desktop-rag-folders"


class PlaceKind(StrEnum):
    """What a row of the list is."""

    ALL = "all"
    HEADING = "heading"
    FOLDER = "folder"
    SINGLE = "single"
    """Files that were added one by one."""
    COLLECTION = "collection"
    TAG = "tag"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Place:
    """One row."""

    kind: PlaceKind
    name: str
    """Of a collection or tag; the path of a folder; else what is shown."""
    files: int = 0
    paths: tuple[str, ...] = ()
    """What it holds."""
    source: Source | None = None

    @property
    def title(self) -> str:
        """What the row says."""
        if self.kind is PlaceKind.FOLDER:
            return words.file_name(self.name) or self.name
        return self.name

    @property
    def can_be_chosen(self) -> bool:
        """Whether it narrows the list of files."""
        return self.kind not in (PlaceKind.HEADING, PlaceKind.HINT)

    @property
    def is_named(self) -> bool:
        """Whether a person named it and may rename it."""
        return self.kind in (PlaceKind.COLLECTION, PlaceKind.TAG)


class PlacesModel(QAbstractListModel):
    """Rows of `Place`. Folders are dragged to another place, files onto a collection or a tag.

    Signals:
        ordered (list[str]): the folders are to stand in this order.
        files_dropped (Place, list[str]): files are to join a collection or get a tag.
        renamed (Place, str): to be called otherwise.
    """

    ordered = Signal(object)
    files_dropped = Signal(object, object)
    renamed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._places: list[Place] = []
        self._sources: tuple[Source, ...] = ()
        self._collections: tuple[Collection, ...] = ()
        self._tags: tuple[tuple[str, int], ...] = ()
        self._hidden: frozenset[tuple[PlaceKind, str]] = frozenset()

    def show_sources(self, sources: Sequence[Source]) -> None:
        """What was added, in the person's order."""
        self._sources = tuple(sources)
        self._forget(PlaceKind.FOLDER, {one.path for one in sources})
        self._rebuild()

    def show_names(
        self, collections: Sequence[Collection], tags: Sequence[tuple[str, int]]
    ) -> None:
        """The collections and tags there are."""
        self._collections, self._tags = tuple(collections), tuple(tags)
        self._forget(PlaceKind.COLLECTION, {one.name for one in collections})
        self._forget(PlaceKind.TAG, {tag for tag, _files in tags})
        self._rebuild()

    def hide(self, places: Some[Place]) -> None:
        """Leave these out: they are about to be removed."""
        self._hidden = self._hidden | {(one.kind, one.name) for one in places}
        self._rebuild()

    def unhide(self, places: Some[Place]) -> None:
        """They stay, or they are gone by now."""
        self._hidden = self._hidden - {(one.kind, one.name) for one in places}
        self._rebuild()

    def _forget(self, kind: PlaceKind, there: Some[str]) -> None:
        """What is gone by now need not be hidden any more."""
        gone = {one for one in self._hidden if one[0] is kind and one[1] not in there}
        self._hidden -= gone

    def places(self) -> list[Place]:
        """All rows."""
        return self._places

    def folders(self) -> list[Place]:
        """The folders that are shown, in order."""
        return [one for one in self._places if one.kind is PlaceKind.FOLDER]

    def move(self, place: Place, steps: int) -> None:
        """Put a folder higher (negative) or lower among the others."""
        names = [one.name for one in self.folders()]
        old = names.index(place.name)
        new = min(max(old + steps, 0), len(names) - 1)
        if new != old:
            names.insert(new, names.pop(old))
            self._order(names)

    def _order(self, names: Sequence[str]) -> None:
        rank = {name: place for place, name in enumerate(names)}
        last = len(rank)
        self._sources = tuple(sorted(self._sources, key=lambda one: rank.get(one.path, last)))
        self._rebuild()
        self.ordered.emit(list(names))

    def _rebuild(self) -> None:
        places = [one for one in self._wanted() if (one.kind, one.name) not in self._hidden]
        if places == self._places:
            return
        if [(p.kind, p.name) for p in places] == [(p.kind, p.name) for p in self._places]:
            self._places = places
            self.dataChanged.emit(self.index(0), self.index(len(places) - 1))
            return
        self.beginResetModel()
        self._places = places
        self.endResetModel()

    def _wanted(self) -> list[Place]:
        folders = [one for one in self._sources if one.is_folder]
        single = tuple(one.path for one in self._sources if not one.is_folder)
        total = sum(one.files for one in self._sources)
        rows = [Place(PlaceKind.ALL, _("All files"), total)]
        rows.append(Place(PlaceKind.HEADING, _("Folders")))
        rows += [Place(PlaceKind.FOLDER, one.path, one.files, (one.path,), one) for one in folders]
        if single:
            rows.append(Place(PlaceKind.SINGLE, _("Single files"), len(single), single))
        rows.append(Place(PlaceKind.HEADING, _("Collections")))
        rows += [
            Place(PlaceKind.COLLECTION, one.name, one.files, one.members)
            for one in self._collections
        ]
        if not self._collections:
            rows.append(Place(PlaceKind.HINT, _("Name a part of your library to ask only that.")))
        if self._tags:
            rows.append(Place(PlaceKind.HEADING, _("Tags")))
            rows += [Place(PlaceKind.TAG, tag, files) for tag, files in self._tags]
        return rows

    # Qt
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many rows there are."""
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The place itself, what its row says, and a sentence for screen readers."""
        if not index.isValid():
            return None
        place = self._places[index.row()]
        if role == PLACE_ROLE:
            return place
        if role == Qt.ItemDataRole.DisplayRole:
            return place.title
        if role == Qt.ItemDataRole.EditRole:
            return place.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(_described(place))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(place)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """A collection or tag was renamed in the list."""
        place = self._places[index.row()]
        name = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or not name or name == place.name:
            return False
        self.renamed.emit(place, name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings are no choice; folders can be dragged; collections and tags take files."""
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.ItemIsDropEnabled
        place = self._places[index.row()]
        if not place.can_be_chosen:
            return flag.NoItemFlags
        made = flag.ItemIsEnabled | flag.ItemIsSelectable
        if place.kind is PlaceKind.FOLDER:
            made |= flag.ItemIsDragEnabled
        if place.is_named:
            made |= flag.ItemIsEditable | flag.ItemIsDropEnabled
        return made

    def mimeTypes(self) -> list[str]:
        """Files of the list, and folders of this one."""
        return [FILES_MIME, _FOLDERS_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The rows that are dragged."""
        data = QMimeData()
        names = [self._places[index.row()].name for index in indexes]
        data.setData(_FOLDERS_MIME, "\n".join(names).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        """Folders move within the list; files are named, not moved."""
        return Qt.DropAction.MoveAction | Qt.DropAction.LinkAction

    def canDropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Files onto a collection or tag; folders between folders."""
        del action, column
        if data.hasFormat(FILES_MIME):
            return parent.isValid() and self._places[parent.row()].is_named
        return data.hasFormat(_FOLDERS_MIME) and self._folder_slot(row, parent) is not None

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        """Carry out a drop; nothing is taken away where it came from."""
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        if data.hasFormat(FILES_MIME):
            self.files_dropped.emit(self._places[parent.row()], paths_in(data))
            return False
        slot = self._folder_slot(row, parent)
        moved = bytes(data.data(_FOLDERS_MIME).data()).decode().split("\n")
        names = [one.name for one in self.folders()]
        before = [name for name in names[:slot] if name not in moved]
        after = [name for name in names[slot:] if name not in moved]
        self._order([*before, *(name for name in names if name in moved), *after])
        return False

    def _folder_slot(self, row: int, parent: Index) -> int | None:
        """Before which folder a drop lands; `None` when that is not among the folders."""
        if parent.isValid():
            row = parent.row()
        first = next((n for n, p in enumerate(self._places) if p.kind is PlaceKind.FOLDER), None)
        if first is None or not first <= row <= first + len(self.folders()):
            return None
        return row - first


def _described(place: Place) -> str:
    if place.source is not None and not place.source.is_online:
        remark = _("Not reachable now. What was read from it can still be asked.")
        return f"{place.name}\n{remark}"
    return place.name


def _spoken(place: Place) -> str:
    if not place.can_be_chosen:
        return place.name
    files = counted("{n} file", "{n} files", place.files)
    offline = place.source is not None and not place.source.is_online
    kind = {
        PlaceKind.FOLDER: _("folder"),
        PlaceKind.COLLECTION: _("collection"),
        PlaceKind.TAG: _("tag"),
    }.get(place.kind, "")
    parts = [place.title, kind, files, _("offline") if offline else ""]
    return ", ".join(part for part in parts if part)
