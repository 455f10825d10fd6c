"""The list of folders, collections and tags beside the files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu, QWidget

from desktop_rag.ui.library.place_delegate import PlaceDelegate
from desktop_rag.ui.models.places import PLACE_ROLE, Place, PlaceKind, PlacesModel
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class PlacesList(QListView):
    """Choosing a row narrows the files; several rows widen.

    Signals:
        chosen (list[Place]): which rows are marked now.
        remove_requested (list[Place]), options_requested (Place), relocate_requested (Place)
        retry_requested (Place): read all its files again that failed.
        show_requested (Path): open it in the file manager.
        new_collection_requested
    """

    chosen = Signal(object)
    remove_requested = Signal(object)
    options_requested = Signal(object)
    relocate_requested = Signal(object)
    retry_requested = Signal(object)
    show_requested = Signal(object)
    new_collection_requested = Signal()

    def __init__(self, theme: Theme, model: PlacesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("placesList")
        self.setAccessibleName(_("Folders, collections and tags"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.setItemDelegate(PlaceDelegate(theme, self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._build_dragging()
        self.customContextMenuRequested.connect(self._on_menu)
        self.doubleClicked.connect(lambda index: self._on_activated(index.data(PLACE_ROLE)))
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit(self.marked()))
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        self._kept: set[tuple[PlaceKind, str]] = set()
        theme.changed.connect(self.viewport().update)

    def _build_dragging(self) -> None:
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(True)

    def marked(self) -> list[Place]:
        """The rows that are chosen, from top to bottom."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=lambda index: index.row())
        return [index.data(PLACE_ROLE) for index in rows]

    def choose(self, kind: PlaceKind, name: str = "") -> None:
        """Mark one row; nothing when there is none of that name."""
        for row, place in enumerate(self._model.places()):
            if place.kind is kind and (not name or place.name == name):
                self.setCurrentIndex(self._model.index(row))
                return

    # what stays over a change of the rows
    def _remember(self) -> None:
        self._kept = {(one.kind, one.name) for one in self.marked()}

    def _restore(self) -> None:
        flag = self.selectionModel().SelectionFlag
        for row, place in enumerate(self._model.places()):
            if (place.kind, place.name) in self._kept:
                self.selectionModel().select(self._model.index(row), flag.Select)
        if self._kept and not self.marked():
            self.chosen.emit([])

    # keys
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt with an arrow moves a folder, Delete removes, Enter opens the options."""
        key, keys = event.key(), event.modifiers()
        marked = self.marked()
        if keys & Qt.KeyboardModifier.AltModifier and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(marked, -1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self._removable(marked):
            self.remove_requested.emit(self._removable(marked))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and len(marked) == 1:
            self._on_activated(marked[0])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keys of this list come before shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            if is_alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                event.accept()
                return True
        return super().event(event)

    def _move(self, marked: Sequence[Place], steps: int) -> None:
        if len(marked) == 1 and marked[0].kind is PlaceKind.FOLDER:
            place = marked[0]
            self._model.move(place, steps)
            self.choose(place.kind, place.name)

    @staticmethod
    def _removable(marked: Sequence[Place]) -> list[Place]:
        return [one for one in marked if one.is_named or one.kind is PlaceKind.FOLDER]

    def _on_activated(self, place: Place) -> None:
        if place.kind is PlaceKind.FOLDER:
            self.options_requested.emit(place)
        elif place.is_named:
            self.edit(self.currentIndex())

    # menu
    def _on_menu(self, position: QPoint) -> None:
        menu = self.menu_for(self.marked())
        menu.popup(self.viewport().mapToGlobal(position))

    def menu_for(self, marked: Sequence[Place]) -> QMenu:
        """What can be done with these rows."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(marked) == 1 and marked[0].kind is PlaceKind.FOLDER:
            self._fill_folder_menu(menu, marked[0])
        if len(marked) == 1 and marked[0].is_named:
            index = self.currentIndex()
            menu.addAction(_("Rename")).triggered.connect(lambda: self.edit(index))
        if removable := self._removable(marked):
            is_folders = all(one.kind is PlaceKind.FOLDER for one in removable)
            text = _("Remove from library") if is_folders else _("Delete")
            menu.addAction(text).triggered.connect(lambda: self.remove_requested.emit(removable))
        menu.addSeparator()
        menu.addAction(_("New collection …")).triggered.connect(self.new_collection_requested)
        return menu

    def _fill_folder_menu(self, menu: QMenu, place: Place) -> None:
        is_online = place.source is None or place.source.is_online
        options = menu.addAction(_("Options …"))
        options.triggered.connect(lambda: self.options_requested.emit(place))
        show = menu.addAction(_("Open in file manager"))
        show.setEnabled(is_online)
        show.triggered.connect(lambda: self.show_requested.emit(Path(place.name)))
        if not is_online:
            moved = menu.addAction(_("It lies elsewhere now …"))
            moved.triggered.connect(lambda: self.relocate_requested.emit(place))
        retry = menu.addAction(_("Retry what failed"))
        retry.triggered.connect(lambda: self.retry_requested.emit(place))
        up = menu.addAction(_("Move up"))
        up.triggered.connect(lambda: self._move([place], -1))
        down = menu.addAction(_("Move down"))
        down.triggered.connect(lambda: self._move([place], 1))
        menu.addSeparator()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hints are wrapped anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
