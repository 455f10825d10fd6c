"""The list of files: how it looks, what keys do, and the menu of what is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QMenu, QWidget

from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.library.file_delegate import FileDelegate
from desktop_rag.ui.library.list_place import ListPlace
from desktop_rag.ui.models.files import FILE_ROLE, FileModel
from desktop_rag.ui.row_focus import RowFocus
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class FileList(QListView):
    """Signals:
    opened (LibraryFile): show its text.
    marked (list[LibraryFile]): others are marked now.
    retry_requested, remove_requested, new_collection_requested, tag_requested
        (list[LibraryFile])
    collect_requested, leave_requested, untag_requested (str, list[LibraryFile])
    details_requested, external_requested, folder_requested, why_requested (LibraryFile)
    """

    opened = Signal(object)
    marked = Signal(object)
    retry_requested = Signal(object)
    remove_requested = Signal(object)
    collect_requested = Signal(str, object)
    leave_requested = Signal(str, object)
    new_collection_requested = Signal(object)
    tag_requested = Signal(object)
    untag_requested = Signal(str, object)
    details_requested = Signal(object)
    external_requested = Signal(object)
    folder_requested = Signal(object)
    why_requested = Signal(object)

    def __init__(self, theme: Theme, model: FileModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.collections: Callable[[], Sequence[str]] = list
        """Names of the collections there are."""
        self.shown_collection = ""
        """The one whose files are shown, if it is one."""
        self.setObjectName("fileList")
        self.setAccessibleName(_("Files"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.delegate = FileDelegate(theme, self)
        self.setItemDelegate(self.delegate)
        self.setUniformItemSizes(True)
        # Rows follow the window when it becomes narrower, too.
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragEnabled(True)
        self.setDragDropMode(QListView.DragDropMode.DragOnly)
        RowFocus(self)
        ListPlace(self, model)
        self._connect(theme)

    def _connect(self, theme: Theme) -> None:
        self.delegate.retry_requested.connect(lambda file: self.retry_requested.emit([file]))
        self.delegate.remove_requested.connect(lambda file: self.remove_requested.emit([file]))
        self.activated.connect(lambda index: self._open(index.data(FILE_ROLE)))
        self.customContextMenuRequested.connect(self._on_menu)
        self.selectionModel().selectionChanged.connect(lambda *_: self.marked.emit(self.chosen()))
        theme.changed.connect(self.viewport().update)

    def chosen(self) -> list[LibraryFile]:
        """The files that are marked, from top to bottom."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=lambda index: index.row())
        return [index.data(FILE_ROLE) for index in rows]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes what is marked out of the library."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if files := _in_library(self.chosen()):
                self.remove_requested.emit(files)
            return
        super().keyPressEvent(event)

    def _open(self, file: LibraryFile) -> None:
        if file.chunks:
            self.opened.emit(file)
        else:
            self.details_requested.emit(file)

    # menu
    def _on_menu(self, position: QPoint) -> None:
        if (files := self.chosen()) and not (menu := self.menu_for(files)).isEmpty():
            menu.popup(self.viewport().mapToGlobal(position))

    def menu_for(self, files: Sequence[LibraryFile]) -> QMenu:
        """What can be done with these files."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(files) == 1:
            self._fill_for_one(menu, files[0])
        known = _in_library(files)
        if known:
            self._fill_for_known(menu, known)
        return menu

    def _fill_for_one(self, menu: QMenu, file: LibraryFile) -> None:
        if file.chunks:
            menu.addAction(_("Show text")).triggered.connect(lambda: self.opened.emit(file))
        details = menu.addAction(_("Details"))
        details.triggered.connect(lambda: self.details_requested.emit(file))
        opened = menu.addAction(_("Open in its own program"))
        opened.triggered.connect(lambda: self.external_requested.emit(file))
        shown = menu.addAction(_("Show in folder"))
        shown.triggered.connect(lambda: self.folder_requested.emit(file))
        why = menu.addAction(_("Why can’t I find it?"))
        why.triggered.connect(lambda: self.why_requested.emit(file))

    def _fill_for_known(self, menu: QMenu, files: list[LibraryFile]) -> None:
        menu.addSeparator()
        joins = menu.addMenu(_("Add to collection"))
        for name in self.collections():
            self._collect_action(joins, name, files)
        joins.addSeparator()
        made = joins.addAction(_("New collection …"))
        made.triggered.connect(lambda: self.new_collection_requested.emit(files))
        if name := self.shown_collection:
            out = menu.addAction(_("Take out of “{name}”").format(name=name.replace("&", "&&")))
            out.triggered.connect(lambda: self.leave_requested.emit(name, files))
        tag = menu.addAction(_("Tag …"))
        tag.triggered.connect(lambda: self.tag_requested.emit(files))
        if tags := sorted({tag for file in files for tag in file.tags}):
            off = menu.addMenu(_("Take off a tag"))
            for one in tags:
                self._untag_action(off, one, files)
        menu.addSeparator()
        is_failed = any(file.state is FileState.FAILED for file in files)
        again = menu.addAction(_("Retry") if is_failed else _("Read again"))
        again.triggered.connect(lambda: self.retry_requested.emit(files))
        gone = menu.addAction(_("Remove from library"))
        gone.triggered.connect(lambda: self.remove_requested.emit(files))

    def _collect_action(self, menu: QMenu, name: str, files: list[LibraryFile]) -> None:
        action = menu.addAction(name.replace("&", "&&"))
        action.triggered.connect(lambda: self.collect_requested.emit(name, files))

    def _untag_action(self, menu: QMenu, tag: str, files: list[LibraryFile]) -> None:
        action = menu.addAction(tag.replace("&", "&&"))
        action.triggered.connect(lambda: self.untag_requested.emit(tag, files))


def _in_library(files: Sequence[LibraryFile]) -> list[LibraryFile]:
    return [file for file in files if file.state is not FileState.SKIPPED]
