"""The library page: folders, collections and tags on one side, files in the middle, details of
one of them on the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.domain.library import Collection, LibraryFile, LibraryStatus
from desktop_rag.ui.announce import announce
from desktop_rag.ui.library.actions import LibraryActions
from desktop_rag.ui.library.details_follower import DetailsFollower
from desktop_rag.ui.library.file_details import FileDetailsPanel
from desktop_rag.ui.library.file_feed import FileFeed
from desktop_rag.ui.library.file_filter import FileFilter, Order, Show
from desktop_rag.ui.library.file_list import FileList
from desktop_rag.ui.library.filter_bar import FilterBar
from desktop_rag.ui.library.library_head import LibraryHead
from desktop_rag.ui.library.library_tasks import LibraryTasks
from desktop_rag.ui.library.list_states import ListStates
from desktop_rag.ui.library.places_list import PlacesList
from desktop_rag.ui.library.problems_panel import ProblemsPanel
from desktop_rag.ui.library.progress import ProgressStrip
from desktop_rag.ui.library.remedies import Problem, problems
from desktop_rag.ui.library.selection_bar import SelectionBar
from desktop_rag.ui.models.files import FileModel, reordered
from desktop_rag.ui.models.places import Place, PlaceKind, PlacesModel
from desktop_rag.ui.page import Page
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted, numeral

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge

_NARROW = 640
"""A page that is narrower has its buttons below the heading."""
_LEAST = 360
_MANY = 3000
"""More files are put in order away from the GUI thread."""
_PLACES_FROM = 740
"""A page that is narrower has a menu in the place of the list of folders."""
_BESIDE_FROM = 900
"""A page that is narrower has the details below the files."""
_EARLY_MS = 1500
"""The list is read so long after the start even if nobody has turned to it yet."""


class LibraryPage(Page):
    """Shows files and passes on what the person wants done with them.

    Signals (besides those of a page):
        add_folder_requested, add_files_requested
    """

    add_folder_requested = Signal()
    add_files_requested = Signal()

    def __init__(self, theme: Theme, background: Background, actions: LibraryActions) -> None:
        super().__init__(theme, background)
        self._actions = actions
        self._status: LibraryStatus | None = None
        self.model = FileModel(self)
        self.places_model = PlacesModel(self)
        self.feed = FileFeed(background, self.model, self)
        self.tasks = LibraryTasks(theme, background, actions, self.model, self.places_model, self)
        self._build()
        self._following = DetailsFollower(
            background, self.details, self.list, self.model, self.tasks, self
        )
        self._connect()
        self._connect_list()
        self._connect_places()
        self._fit()

    # building
    def _build(self) -> None:
        self.head = LibraryHead()
        self.progress = ProgressStrip(self.theme)
        self.filters = FilterBar(self.theme)
        self.filters.kinds = self.model.kinds
        self.filters.places = self.places_model.places
        self.search = self.filters.search
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, M)
        column.setSpacing(M)
        column.addWidget(self.head)
        column.addWidget(self.progress)
        column.addWidget(self._build_body(), 1)

    def _build_body(self) -> QSplitter:
        self.places = PlacesList(self.theme, self.places_model)
        self.places.setMinimumWidth(scaled(150))
        self.details = FileDetailsPanel(self.theme)
        self.details.hide()
        self.body, self.middle = _splitter(), _splitter()
        self.middle.addWidget(self._build_files())
        self.middle.addWidget(self.details)
        self.middle.setStretchFactor(0, 1)
        self.body.addWidget(self.places)
        self.body.addWidget(self.middle)
        self.body.setStretchFactor(1, 1)
        self.body.setSizes([scaled(210), 800])
        self.middle.setSizes([560, scaled(260)])
        if self.isRightToLeft():  # Qt puts the parts one pixel too far to the right then.
            self.body.setContentsMargins(1, 0, 0, 0)
            self.middle.setContentsMargins(1, 0, 0, 0)
        return self.body

    def _build_files(self) -> QWidget:
        self.list = FileList(self.theme, self.model)
        self.delegate = self.list.delegate
        self.states = ListStates(self.theme)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.list)
        self.stack.addWidget(self.states)
        self.stack.setCurrentWidget(self.states)
        self.problems_panel = ProblemsPanel(self.theme)
        self.selection_bar = SelectionBar()
        self.shown = PlainLabel()
        self.shown.setObjectName("smallMuted")
        files = QWidget()
        files.setMinimumWidth(scaled(260))
        column = QVBoxLayout(files)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.filters)
        column.addWidget(self.problems_panel)
        column.addWidget(self.selection_bar)
        column.addWidget(self.stack, 1)
        column.addWidget(self.shown)
        return files

    def _connect(self) -> None:
        self._early = QTimer(self)
        self._early.setSingleShot(True)
        self._early.setInterval(_EARLY_MS)
        self._early.timeout.connect(self._read_early)
        self.states.add_folder_requested.connect(self.add_folder_requested)
        self.states.add_files_requested.connect(self.add_files_requested)
        self.head.add_folder_requested.connect(self.add_folder_requested)
        self.head.add_files_requested.connect(self.add_files_requested)
        self.head.why_requested.connect(lambda: self.tasks.ask_why())
        self.states.clear_requested.connect(self.filters.reset)
        self.states.why_requested.connect(lambda: self.tasks.ask_why(self.search.text()))
        self.states.reload_requested.connect(self._reload)
        self.progress.pause_requested.connect(self._actions.pause)
        self.progress.resume_requested.connect(self._actions.resume)
        self.feed.loaded.connect(self._show_state)
        self.feed.failed.connect(self._on_failed)
        self.model.rows_changed.connect(lambda: self._on_marked(self.list.chosen()))
        self.model.counted.connect(self._on_counted)
        self.filters.filter_changed.connect(self._on_filter)
        self.filters.order_changed.connect(self._on_order)
        self._actions.named.connect(self._read_names)
        self._actions.retagged.connect(self._on_retagged)
        tasks = self.tasks
        tasks.told.connect(self.told)
        tasks.undo_offered.connect(self.undo_offered)
        tasks.page_requested.connect(self.page_requested)
        tasks.opened.connect(self.document_requested)
        tasks.listed.connect(self._on_listed)

    def _connect_list(self) -> None:
        files, tasks = self.list, self.tasks
        files.collections = lambda: tasks.collections
        files.opened.connect(self.document_requested)
        files.marked.connect(self._on_marked)
        files.details_requested.connect(self.show_details)
        files.retry_requested.connect(tasks.retry)
        files.remove_requested.connect(tasks.remove)
        files.collect_requested.connect(tasks.collect)
        files.leave_requested.connect(tasks.leave_out)
        files.new_collection_requested.connect(tasks.ask_collection)
        files.tag_requested.connect(tasks.ask_tag)
        files.untag_requested.connect(tasks.untag)
        files.external_requested.connect(tasks.open_outside)
        files.folder_requested.connect(tasks.show_in_folder)
        files.why_requested.connect(lambda file: tasks.ask_why(file.path))
        self.problems_panel.remedy_chosen.connect(tasks.apply_remedy)
        bar = self.selection_bar
        bar.retry_requested.connect(lambda: tasks.retry(files.chosen()))
        bar.collect_requested.connect(lambda: tasks.ask_collection(files.chosen()))
        bar.tag_requested.connect(lambda: tasks.ask_tag(files.chosen()))
        bar.remove_requested.connect(lambda: tasks.remove(files.chosen()))
        bar.cleared.connect(files.clearSelection)
        self._connect_details()

    def _connect_details(self) -> None:
        details, tasks = self.details, self.tasks
        details.opened.connect(self.document_requested)
        details.why_requested.connect(lambda file: tasks.ask_why(file.path))
        details.remove_requested.connect(lambda file: tasks.remove([file]))
        details.remedy_chosen.connect(tasks.apply_remedy)
        details.tag_added.connect(lambda file, tag: self._actions.tag(tag, [file.path]))
        details.tag_removed.connect(lambda file, tag: tasks.untag(tag, [file]))

    def _connect_places(self) -> None:
        places, tasks = self.places, self.tasks
        places.chosen.connect(self._on_places)
        self.filters.place_chosen.connect(lambda place: places.choose(place.kind, place.name))
        places.remove_requested.connect(tasks.remove_places)
        places.options_requested.connect(tasks.show_options)
        places.relocate_requested.connect(tasks.relocate)
        places.retry_requested.connect(tasks.retry_in)
        places.show_requested.connect(tasks.show_folder)
        places.new_collection_requested.connect(tasks.ask_collection)
        self.places_model.ordered.connect(self._actions.order)
        self.places_model.files_dropped.connect(tasks.drop_files)
        self.places_model.renamed.connect(tasks.rename)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        super().attach(app)
        self.feed.attach(app)
        self.tasks.attach(app)
        self._following.attach(app)
        self._early.start()
        self.feed.set_active(is_active=self.isVisible())

    def listen(self, bridge: Bridge) -> None:
        """Follow changes and progress."""
        bridge.library_changed.connect(self._on_library_changed)
        bridge.progress.connect(self.progress.show_progress)
        bridge.paused.connect(lambda paused: self.progress.show_pause(paused.reason))

    def activate(self) -> None:
        """It came into view."""
        self._early.stop()
        self.feed.set_active(is_active=True)
        self._read_names()

    def _read_early(self) -> None:
        self.feed.set_active(is_active=True)
        self.feed.set_active(is_active=self.isVisible())

    def _reload(self) -> None:
        self.states.show_loading()
        self.feed.reload()

    def hideEvent(self, event: QHideEvent) -> None:
        """Out of sight changes are only collected."""
        super().hideEvent(event)
        self.feed.set_active(is_active=False)

    def showEvent(self, event: QShowEvent) -> None:
        """In sight again."""
        super().showEvent(event)
        self.feed.set_active(is_active=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What has no room gives way."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Of its narrow form: it takes that as soon as there is no room for the other."""
        return QSize(min(scaled(320), _LEAST), scaled(300))

    def _fit(self) -> None:
        width = self.width()
        self.places.setVisible(width >= scaled(_PLACES_FROM))
        self.filters.place.setVisible(width < scaled(_PLACES_FROM))
        self.head.narrow(is_narrow=width < scaled(_NARROW))
        is_wide = width >= scaled(_BESIDE_FROM)
        across = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.middle.orientation() != across:
            self.middle.setOrientation(across)

    # content
    def show_status(self, status: LibraryStatus) -> None:
        """Counts, folders, and whether indexing is paused."""
        self._status = status
        self.head.show_status(status)
        self.progress.show_paused(is_paused=status.is_paused, queued=status.queued)
        self.filters.show_counts(status.failed, status.skipped)
        self.places_model.show_sources(status.sources)
        self._show_state()

    def _on_library_changed(self, event: LibraryChanged) -> None:
        self.feed.on_changed(event)
        if self.isVisible() and not event.documents:
            self._read_names()
        if self.model.filter.show is Show.SKIPPED and not event.documents:
            self._read_skipped()

    def _read_skipped(self) -> None:
        self._actions.find_skipped(self.model.order, self.model.replace_skipped)

    def _read_names(self) -> None:
        if self.app is not None:
            organising = self.app.organising
            self.background.run(
                lambda: (organising.collections(), organising.tags()), self._on_names
            )

    def _on_retagged(self, paths: Sequence[str]) -> None:
        there = set(paths)
        numbers = tuple(file.id for file in self.model.files() if file.path in there)
        self.feed.on_changed(LibraryChanged(numbers))

    def _on_names(self, found: tuple[list[Collection], list[tuple[str, int]]]) -> None:
        collections, tags = found
        self.tasks.collections = tuple(one.name for one in collections)
        self.tasks.tags = tuple(tag for tag, _files in tags)
        self.places_model.show_names(collections, tags)
        if marked := self.places.marked():
            self._on_places(marked)  # what a collection holds may be different now
        self._following.read()

    # filters
    def _on_places(self, places: Sequence[Place]) -> None:
        if any(one.kind is PlaceKind.ALL for one in places):
            places = []
        only = places[0] if len(places) == 1 else None
        is_collection = only is not None and only.kind is PlaceKind.COLLECTION
        self.list.shown_collection = only.name if only is not None and is_collection else ""
        self.filters.narrow_to(places)

    def _on_filter(self, wanted: FileFilter) -> None:
        if wanted.show is Show.SKIPPED:
            self._read_skipped()
        self.problems_panel.setVisible(wanted.show is Show.FAILED and not wanted.code)
        self.model.filter_by(wanted)
        self._show_problems()
        self._show_state()
        announce(self.list, counted("{n} file found", "{n} files found", self.model.matching))

    def _on_order(self, order: Order) -> None:
        if self.model.total < _MANY:
            self.model.order_by(order)
            return
        rows = self.model.snapshot()
        self.background.run(
            lambda: reordered(rows, order), lambda made: self.model.adopt(order, rows, made)
        )

    def _on_listed(self, problem: Problem) -> None:
        self.filters.show_states(Show.FAILED, problem.code)

    def _on_counted(self) -> None:
        shown, total = self.model.matching, self.model.total
        text = _("{shown} of {total} files").format(shown=numeral(shown), total=numeral(total))
        self.shown.setText(text if self.model.filter.is_narrow and shown else "")
        self.shown.setVisible(bool(self.shown.text()))
        self._show_problems()
        self._show_state()
        self._following.follow()

    def _show_problems(self) -> None:
        if self.problems_panel.isVisibleTo(self):
            self.problems_panel.show_problems(problems(self.model.shown()))

    def _show_state(self) -> None:
        """The list, or what stands in its place."""
        if self.model.rowCount():
            self.stack.setCurrentWidget(self.list)
            return
        self.stack.setCurrentWidget(self.states)
        if not self.feed.is_loaded or (self._status is None):
            self.states.show_loading()
        elif self.model.filter.is_narrow:
            self.states.show_no_match(is_text=bool(self.model.filter.text))
        elif self._status.sources:
            self.states.show_nothing_there()
        else:
            self.states.show_empty()

    def _on_failed(self, error: DesktopRagError) -> None:
        self.stack.setCurrentWidget(self.states)
        self.states.show_error(error.message)

    # details
    def _on_marked(self, files: Sequence[LibraryFile]) -> None:
        self.selection_bar.show_marked(files)
        self._following.show_marked(files)

    def show_details(self, file: LibraryFile) -> None:
        """Open the panel, also when it was closed."""
        self.selection_bar.show_marked([file])
        self._following.open(file)


def _splitter() -> QSplitter:
    made = QSplitter(Qt.Orientation.Horizontal)
    made.setObjectName("libraryBody")
    made.setHandleWidth(M)
    made.setChildrenCollapsible(False)
    return made
