"""The library page: what was added, how far reading is, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.library import FileState, LibraryFile, LibraryStatus
from desktop_rag.ui import icons, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.library.file_delegate import FileDelegate
from desktop_rag.ui.library.list_place import ListPlace
from desktop_rag.ui.library.progress import ProgressStrip
from desktop_rag.ui.library.source_rows import SourceRows
from desktop_rag.ui.models.files import FILE_ROLE, FileModel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.row_focus import RowFocus
from desktop_rag.ui.theme import XL, M, S, Theme


class LibraryView(QWidget):
    """Shows files and passes on what the person wants done with them.

    Signals:
        add_folder_requested, add_files_requested
        remove_requested (list[Path]): sources or files.
        retry_requested (list[DocumentId]): failed files.
        pause_requested, resume_requested: of indexing.
        skipped_wanted: files that were left out are to be shown; `show_skipped` answers.
        opened (LibraryFile): show it in the viewer.
    """

    add_folder_requested = Signal()
    add_files_requested = Signal()
    remove_requested = Signal(object)
    retry_requested = Signal(object)
    pause_requested = Signal()
    resume_requested = Signal()
    skipped_wanted = Signal()
    opened = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._failed: list[LibraryFile] = []
        self._files: list[LibraryFile] = []
        self._skipped: list[LibraryFile] = []
        self._build()
        self._connect()
        self._colour_icons()

    # building
    def _build(self) -> None:
        self.model = FileModel(self)
        self.sources = SourceRows(self._theme)
        self.progress = ProgressStrip(self._theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(XL, XL, XL, M)
        layout.setSpacing(M)
        layout.addLayout(self._build_head())
        layout.addWidget(self.progress)
        layout.addWidget(self.sources)
        layout.addLayout(self._build_tools())
        layout.addWidget(self._build_list(), 1)
        layout.addWidget(self._build_empty(), 1)

    def _build_head(self) -> QHBoxLayout:
        heading = PlainLabel("Library")
        heading.setObjectName("pageTitle")
        self.summary = ElidedLabel()
        self.summary.setObjectName("muted")
        self.add_folder = QPushButton("Add folder …")
        self.add_folder.setObjectName("primaryButton")
        self.add_files = QPushButton("Add files …")
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(heading)
        names.addWidget(self.summary)
        self.remark = PlainLabel()
        self.remark.setObjectName("smallMuted")
        self.remark.setWordWrap(True)
        self.remark.hide()
        names.addWidget(self.remark)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addLayout(names, 1)
        row.addWidget(self.add_files)
        row.addWidget(self.add_folder)
        return row

    def _build_tools(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a file")
        self.search.setAccessibleName("Find a file")
        self.search.setClearButtonEnabled(False)
        self.search.setAcceptDrops(False)
        self.problems = QPushButton()
        self.problems.setCheckable(True)
        self.problems.setObjectName("filterChip")
        self.left_out = QPushButton()
        self.left_out.setCheckable(True)
        self.left_out.setObjectName("quietChip")
        self.left_out.setToolTip("Files of your folders that were not read, each with its reason")
        self.left_out.hide()
        self.retry_all = QPushButton("Retry all")
        self.retry_all.setObjectName("quietButton")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.search, 1)
        row.addWidget(self.left_out)
        row.addWidget(self.problems)
        row.addWidget(self.retry_all)
        return row

    def _build_list(self) -> QListView:
        self.list = QListView()
        self.list.setObjectName("fileList")
        self.list.setAccessibleName("Files")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self.model)
        self.delegate = FileDelegate(self._theme, self.list)
        self.list.setItemDelegate(self.delegate)
        self.list.setUniformItemSizes(True)
        # Rows follow the window when it becomes narrower, too.
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        RowFocus(self.list)
        ListPlace(self.list, self.model)
        return self.list

    def _build_empty(self) -> PlainLabel:
        self.empty = PlainLabel("Nothing here yet. Drop files or folders anywhere on this window.")
        self.empty.setObjectName("lead")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return self.empty

    def _connect(self) -> None:
        self.add_folder.clicked.connect(self.add_folder_requested)
        self.add_files.clicked.connect(self.add_files_requested)
        self.search.textChanged.connect(self.model.look_for)
        self.problems.toggled.connect(self.model.show_only_failed)
        self.left_out.toggled.connect(self._on_left_out)
        self.progress.pause_requested.connect(self.pause_requested)
        self.progress.resume_requested.connect(self.resume_requested)
        self.retry_all.clicked.connect(self._on_retry_all)
        self.sources.remove_requested.connect(lambda path: self.remove_requested.emit([path]))
        self.delegate.retry_requested.connect(lambda file: self.retry_requested.emit([file.id]))
        self.delegate.remove_requested.connect(
            lambda file: self.remove_requested.emit([Path(file.path)])
        )
        self.list.activated.connect(self._on_activated)
        self.list.customContextMenuRequested.connect(self._on_menu)
        self._theme.changed.connect(self._colour_icons)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._on_remove_selected)

    # content
    def show_files(self, files: Sequence[LibraryFile]) -> None:
        """Bring the list up to date."""
        self._files = list(files)
        self._list_files()
        self._failed = [file for file in files if file.state is FileState.FAILED]
        self.problems.setText(words.count(len(self._failed), "problem"))
        self.problems.setVisible(bool(self._failed))
        self.retry_all.setVisible(bool(self._failed))
        if not self._failed:
            self.problems.setChecked(False)
        if self.left_out.isChecked():
            self.skipped_wanted.emit()

    def show_skipped(self, files: Sequence[LibraryFile]) -> None:
        """Files that were left out, for as long as the person wants to see them."""
        self._skipped = list(files)
        self._list_files()

    def _list_files(self) -> None:
        shown = self._files
        if self.left_out.isChecked():
            shown = sorted([*self._files, *self._skipped], key=lambda file: file.path)
        self.model.replace(shown)
        self.list.setVisible(bool(shown))
        self.search.setVisible(bool(shown))
        self.empty.setVisible(not shown)

    def show_status(self, status: LibraryStatus) -> None:
        """Counts and sources."""
        parts = [f"{words.count(status.ready, 'file')} ready"]
        parts.append(words.count(status.chunks, "passage"))
        if status.pages_waiting:
            waiting = words.count(status.pages_waiting, "page")
            parts.append(f"{waiting} waiting for text recognition")
        self.summary.setText(" · ".join(parts))
        remarks = [remark for remark in (status.rereading, status.watching) if remark]
        self.remark.setText("\n".join(remarks))
        self.remark.setVisible(bool(remarks))
        self.progress.show_paused(is_paused=status.is_paused)
        self.left_out.setText(f"{status.skipped:,} left out")
        self.left_out.setVisible(bool(status.skipped))
        if not status.skipped:
            self.left_out.setChecked(False)
        self.sources.show_sources(status.sources)

    def selected(self) -> list[LibraryFile]:
        """The files the person marked."""
        return [index.data(FILE_ROLE) for index in self.list.selectionModel().selectedIndexes()]

    def menu_for(self, files: Sequence[LibraryFile]) -> QMenu:
        """What can be done with these files."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(files) == 1 and files[0].state is FileState.READY:
            menu.addAction("Show text").triggered.connect(lambda: self.opened.emit(files[0]))
        failed = [file.id for file in files if file.state is FileState.FAILED]
        if failed:
            menu.addAction("Retry").triggered.connect(lambda: self.retry_requested.emit(failed))
        if any(file.state is not FileState.SKIPPED for file in files):
            menu.addAction("Remove from library").triggered.connect(self._on_remove_selected)
        return menu

    def _on_menu(self, position: QPoint) -> None:
        if (files := self.selected()) and not (menu := self.menu_for(files)).isEmpty():
            menu.popup(self.list.viewport().mapToGlobal(position))

    def _on_activated(self, index: QModelIndex) -> None:
        file: LibraryFile = index.data(FILE_ROLE)
        if file.state is FileState.READY:
            self.opened.emit(file)

    def _on_left_out(self, is_wanted: bool) -> None:  # noqa: FBT001 - connected to `toggled(bool)`
        if is_wanted:
            self.skipped_wanted.emit()
        else:
            self.show_skipped([])

    def _on_retry_all(self) -> None:
        self.retry_requested.emit([file.id for file in self._failed])

    def _on_remove_selected(self) -> None:
        files = [file for file in self.selected() if file.state is not FileState.SKIPPED]
        if files:
            self.remove_requested.emit([Path(file.path) for file in files])

    def _colour_icons(self) -> None:
        for action in self.search.actions():
            self.search.removeAction(action)
        glass = icons.icon("search", self._theme.colours.faint)
        self.search.addAction(glass, QLineEdit.ActionPosition.LeadingPosition)
        self.list.viewport().update()
