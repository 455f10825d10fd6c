"""The window: chats on the left, chat or library in the middle, the viewer on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.choices import Choice
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import (
    ModelProgress,
)
from desktop_rag.domain.library import Dropped, LibraryFile, LibraryStatus
from desktop_rag.ui import icons
from desktop_rag.ui.background import Background
from desktop_rag.ui.bridge import Bridge
from desktop_rag.ui.chat.chat_view import ChatView
from desktop_rag.ui.chat.session import ChatSession
from desktop_rag.ui.columns import LEAST_MIDDLE, Columns, least_size
from desktop_rag.ui.dialog_size import fitting
from desktop_rag.ui.dragged import dragged
from desktop_rag.ui.drop_overlay import DropOverlay
from desktop_rag.ui.error_page import ErrorPage
from desktop_rag.ui.history.history_actions import HistoryActions
from desktop_rag.ui.late_parts import make_soon
from desktop_rag.ui.late_viewer import LateViewer
from desktop_rag.ui.library.actions import LibraryActions
from desktop_rag.ui.models_page.bundle_dialogs import holds_models
from desktop_rag.ui.models_page.work import work_of
from desktop_rag.ui.news import News
from desktop_rag.ui.notices import Notices
from desktop_rag.ui.pages import FIRST_RUN, PageKind, PageStack
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.sidebar import Sidebar
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_keys import connect_keys

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.storage.glance import Glance
    from desktop_rag.ui.library.library_page import LibraryPage
    from desktop_rag.ui.viewer.viewer_panel import ViewerPanel

CHAT, LIBRARY = "chat", "library"
_LOOK_MS = 10_000
"""Folders are not walked again sooner than this when the person comes back to the window."""
_REFRESH_MS = 300
"""A library that changes many times a second is counted again a few times a second."""


class MainWindow(QMainWindow):
    """Shows itself empty at once; `attach` fills it when the library is open.

    It never waits: façade calls go through `Background`, events come through `Bridge`.

    Signals:
        retry_requested, quit_requested: buttons of the error page.
        closing: the person closes the window; answers are being stopped.
    """

    retry_requested = Signal()
    quit_requested = Signal()
    closing = Signal()

    def __init__(self, theme: Theme, preferences: Preferences | None = None) -> None:
        super().__init__()
        self._theme = theme
        self.preferences = preferences
        self.is_quitting = False
        """The person ends the program instead of closing its window."""
        self._app: App | None = None
        self._status: LibraryStatus | None = None
        self._has_begun = self._is_first_run = False
        self._since_look = QElapsedTimer()
        self.background = Background(self)
        self.bridge = Bridge(self)
        self.session = ChatSession(self.background, self.bridge, self)
        self.library_actions = LibraryActions(self.background, self, self._theme)
        self._build()
        self._connect()
        connect_keys(self)
        self._restore()

    # building
    def _build(self) -> None:
        self.setWindowTitle("Desktop RAG")
        self.setWindowIcon(icons.icon("app", size=64))
        self.setMinimumSize(least_size(self.screen()))
        self.setAcceptDrops(True)
        self.sidebar = Sidebar(self._theme)
        self.chat = ChatView(self._theme, self.session, self.background)
        self.notices = Notices(self._theme)
        self.notice, self.undo_bar = self.notices.notice, self.notices.undo_bar
        self.history = HistoryActions(
            self._theme,
            self.background,
            self.session,
            self.sidebar.history,
            self.chat.messages,
            self,
        )
        self.pages = PageStack(self._theme, self.background, self.bridge)
        self.pages.add(CHAT, self.chat)
        self.pages.offer(PageKind(LIBRARY, "folder", lambda: _("Library"), self._make_library))
        self.columns = Columns(self.sidebar, self._build_middle())
        self.late_viewer = LateViewer(self._theme, self.background, self.bridge, self.columns)
        self.error_page = ErrorPage(self._theme)
        self.root = QStackedWidget()
        self.root.addWidget(self.columns)
        self.root.addWidget(self.error_page)
        self.setCentralWidget(self.root)
        self.overlay = DropOverlay(self._theme, self)

    def _build_middle(self) -> QWidget:
        middle = QWidget()
        middle.setObjectName("centre")
        middle.setMinimumWidth(LEAST_MIDDLE)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notices)
        column.addWidget(self.pages, 1)
        middle.setFocusProxy(self.chat.composer.edit)  # who comes here by F6 wants to ask
        return middle

    def _connect(self) -> None:
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.timeout.connect(self.refresh_library)
        self.bridge.library_changed.connect(lambda _: self._refresh_soon())
        self.bridge.model_progress.connect(self._on_model_progress)
        News(
            self.bridge,
            self.sidebar.progress,
            self.chat.no_model,
            self.notices,
            self._restart_engine,
            self,
        )
        self.background.failed.connect(self._on_failed)
        self._connect_sidebar()
        self._connect_views()

    def _connect_sidebar(self) -> None:
        self.sidebar.new_chat_requested.connect(self.new_chat)
        self.sidebar.library_requested.connect(self.toggle_library)
        self.sidebar.page_requested.connect(self.show_page)
        self.sidebar.theme_toggled.connect(self._theme.toggle)
        self.history.chat_wanted.connect(self.show_chat)
        self.history.undo_offered.connect(self.undoable)
        self.history.exporting.told.connect(self.tell)
        self.history.exporting.written.connect(self.notices.written_bar.show_written)

    def _connect_pages(self) -> None:
        self.pages.turned.connect(self.sidebar.mark_page)
        self.pages.turned.connect(self._on_turned)
        self.pages.told.connect(self.tell)
        self.pages.undo_offered.connect(self.undoable)
        self.pages.page_requested.connect(self.show_page)
        self.pages.place_requested.connect(self.show_place)
        self.pages.document_requested.connect(self.show_document)
        self.pages.quit_requested.connect(self.quit_requested)

    def _connect_views(self) -> None:
        self._connect_pages()
        self.chat.opened.connect(self.show_place)
        self.chat.told.connect(self.tell)
        self.chat.files_pasted.connect(self.add_paths)
        self.chat.desk.export_wanted.connect(self.history.export_answer)
        self.chat.no_model.page_requested.connect(self.show_page)
        work_of(self.background).ended.connect(self._refresh_soon)
        self.late_viewer.closed.connect(self.columns.close_viewer)
        self.late_viewer.ask_requested.connect(self._ask_about)
        actions = self.library_actions
        actions.told.connect(self.tell)
        actions.changed.connect(self._refresh_soon)
        actions.left_out.connect(self._on_left_out)
        self.chat.add_folder_requested.connect(actions.choose_folder)
        self.chat.add_files_requested.connect(actions.choose_files)
        self.error_page.retry_requested.connect(self.retry_requested)
        self.error_page.quit_requested.connect(self.quit_requested)

    # what is made late
    @property
    def library(self) -> LibraryPage:
        """The page of files and folders, made now if nobody has needed it yet."""
        return cast("LibraryPage", self.pages.page(LIBRARY))

    @property
    def viewer(self) -> ViewerPanel:
        """What shows documents beside the chat, made now if nobody has needed it yet."""
        return self.late_viewer.viewer

    def _make_library(self, theme: Theme, background: Background) -> LibraryPage:
        from desktop_rag.ui.library.library_page import LibraryPage

        page = LibraryPage(theme, background, self.library_actions)
        page.add_folder_requested.connect(self.library_actions.choose_folder)
        page.add_files_requested.connect(self.library_actions.choose_files)
        if self._status is not None:
            page.show_status(self._status)
        return page

    # life
    def attach(self, app: App) -> None:
        """The library is open: fill the window."""
        self._app = app
        self._since_look.start()
        self.root.setCurrentWidget(self.columns)
        self.bridge.connect_to(app.bus)
        self.session.attach(app)
        self.chat.attach(app)
        self.late_viewer.attach(app)
        self.pages.attach(app)
        self.library_actions.attach(app)
        self.refresh_library()
        self.history.attach(app)
        self.chat.composer.edit.setFocus()
        make_soon(self)

    def show_glance(self, seen: Glance) -> None:
        """Chats and counts of a library that is being opened."""
        waiting = seen.files - seen.ready - seen.failed
        self.sidebar.show_status(
            LibraryStatus(
                (), seen.ready, waiting, seen.failed, seen.chunks, seen.chunks, "", "", ""
            )
        )
        self.sidebar.history.show_chats(seen.conversations, self.session.conversation)

    def show_error(self, error: DesktopRagError) -> None:
        """The library cannot be opened."""
        self.error_page.show_error(error)
        self.root.setCurrentWidget(self.error_page)
        self.error_page.first_button.setFocus()

    def show_opening(self) -> None:
        """Another try is on its way."""
        self.root.setCurrentWidget(self.columns)

    def quit(self) -> None:
        """Close for good, also where closing would leave the program in the tray."""
        self.is_quitting = True
        self.close()

    def retire(self) -> None:
        """Another window takes over; answers that are being written go on for it."""
        self._let_go()
        self.background.let_go()
        self.hide()

    def _let_go(self) -> None:
        self._save()
        self.notices.stop()
        self.history.exporting.stop()
        self.chat.no_model.stop()
        self.bridge.close()
        self._refresh.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop answering and listening; the application closes the library afterwards."""
        self.session.stop_all()
        self._let_go()
        self.background.close()
        self.closing.emit()
        super().closeEvent(event)

    # what is shown
    def refresh_library(self) -> None:
        """Read the counts again; the library page follows its files by itself."""
        if self._app is not None:
            self.background.run(self._app.status, self._on_status)

    def _refresh_soon(self) -> None:
        if not self._refresh.isActive():
            self._refresh.start()

    def _on_status(self, status: LibraryStatus) -> None:
        self._status = status
        self._begin(status)
        self.sidebar.show_status(status)
        self.chat.show_status(status)
        if (page := self.pages.made_page(LIBRARY)) is not None:
            cast("LibraryPage", page).show_status(status)
        self.sidebar.progress.show_paused(is_paused=status.is_paused, queued=status.queued)

    def _begin(self, status: LibraryStatus) -> None:
        """A library that nobody has put anything into begins with the first steps, once."""
        if self._has_begun:
            return
        self._has_begun = True
        is_empty = not (status.sources or status.ready or status.queued or status.failed)
        # Who came for something else sees that; they come at the next start.
        is_free = is_empty and self.pages.current == CHAT
        # A window without preferences could not remember that they were seen.
        if is_free and self.preferences is not None and not self.preferences.flag(FIRST_RUN):
            self.show_page(FIRST_RUN)

    def _on_turned(self, key: str) -> None:
        """Leaving the first steps, in whatever way, is having seen them."""
        if self._is_first_run and key != FIRST_RUN and self.preferences is not None:
            self.preferences.set_flag(FIRST_RUN, is_on=True)
        self._is_first_run = key == FIRST_RUN

    def _on_model_progress(self, progress: ModelProgress) -> None:
        if progress.stage == "ready":
            self._refresh_soon()

    def _restart_engine(self, role: str) -> None:
        self.notice.hide()
        if self._app is not None:
            app = self._app
            self.background.run(lambda: app.restart_engine(role))

    def _on_failed(self, error: DesktopRagError) -> None:
        self.tell(error.message)

    def tell(self, sentence: str, kind: str = "warning") -> None:
        """One sentence above the page; a warning stays until it is dismissed."""
        self.notices.tell(sentence, kind)

    def undoable(
        self, sentence: str, undo: Callable[[], None], commit: Callable[[], None] | None = None
    ) -> None:
        """Say what was done and offer to take it back; see `UndoBar.offer`."""
        self.undo_bar.offer(sentence, undo, commit)

    # pages
    def show_page(self, key: str) -> None:
        """Turn to a page of the middle, by its key."""
        if key == CHAT:
            self.show_chat()
        elif key == LIBRARY:
            self.show_library()
        else:
            self.pages.turn_to(key)

    def show_chat(self) -> None:
        """The chat in the middle."""
        self.pages.turn_to(CHAT)
        self.chat.composer.edit.setFocus()

    def show_library(self) -> None:
        """The library in the middle."""
        self.pages.turn_to(LIBRARY)
        self.library.list.setFocus()

    def toggle_library(self) -> None:
        """To the library and back."""
        if self.pages.current == LIBRARY:
            self.show_chat()
        else:
            self.show_library()

    def show_place(self, target: Citation | Passage) -> None:
        """Open the viewer at a quote."""
        viewer = self.viewer
        self.columns.open_viewer()
        viewer.open_place(target, self.chat.messages.places_beside(target))

    def _ask_about(self, text: str, path: str) -> None:
        """A question about a stretch of a file is asked of that file."""
        self.show_chat()
        self.session.choose(Choice(paths=(path,)))
        self.chat.composer.quote(text)

    def show_document(self, file: LibraryFile) -> None:
        """Open the viewer at the beginning of a file."""
        viewer = self.viewer
        self.columns.open_viewer()
        viewer.open_document(file.id, file.title or Path(file.path).name, file.path)

    # chats
    def new_chat(self) -> None:
        """An empty chat, ready to type."""
        self.session.begin_new()
        self.sidebar.mark(None)
        self.show_chat()

    def escape(self) -> None:
        """Stop the answer, else leave the edited question, else close the viewer."""
        if self.session.is_busy:
            self.session.stop()
        elif self.chat.composer.is_editing:
            self.chat.composer.end_edit()
        elif self.columns.is_viewer_open and not self.viewer.put_away():
            self.columns.close_viewer()

    def changeEvent(self, event: QEvent) -> None:
        """Back from another program: a file may have been written there."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._look_again()

    def _look_again(self) -> None:
        if self._app is not None and self._since_look.hasExpired(_LOOK_MS):
            self._since_look.start()
            self.background.run(self._app.start_indexing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus; Qt itself knows only the space bar."""
        button = self.focusWidget()
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and not event.isAutoRepeat() and isinstance(button, QAbstractButton):
            button.click()
            return
        super().keyPressEvent(event)

    # library
    def add_paths(self, paths: Sequence[Path | str]) -> None:
        """Add files and folders to the library; addresses get a kind answer."""
        if len(paths) == 1 and holds_models(paths[0]):
            self.import_models(Path(paths[0]))
        else:
            self.library_actions.add(paths)

    def import_models(self, path: Path) -> None:
        """Take the models of a file that another computer has exported; the page Models tells."""
        self.show_page("models")
        work_of(self.background).add(path)

    def _on_left_out(self, sentence: str, kind: str, refused: list[Dropped]) -> None:
        def show() -> None:
            from desktop_rag.ui.library.left_out_dialog import LeftOutDialog

            LeftOutDialog(refused, self).open()

        self.notices.tell_with(sentence, _("Show"), show, kind)

    # drag and drop
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders are welcome anywhere."""
        if self._app is None:
            return
        over = dragged(event.mimeData())
        if over.number:
            event.acceptProposedAction()
            self.overlay.cover(over.first, over.number)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The drag went elsewhere."""
        super().dragLeaveEvent(event)
        self.overlay.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        self.overlay.hide()
        event.acceptProposedAction()
        over = dragged(event.mimeData())
        if over.number == 1 and holds_models(over.first[0]):
            self.import_models(Path(over.first[0]))
        else:
            self.library_actions.add_dragged(over)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The overlay covers everything; the columns share what is there."""
        super().resizeEvent(event)
        self.columns.fit()
        self.overlay.setGeometry(self.rect())

    # where the window was
    def _restore(self) -> None:
        self.resize(fitting(self, 1280, 820))
        if self.preferences is not None and self.preferences.geometry is not None:
            self.restoreGeometry(self.preferences.geometry)

    def _save(self) -> None:
        # A folder that could not be opened is left as it is.
        if self.preferences is not None and self._app is not None:
            self.preferences.geometry = self.saveGeometry()
            self.preferences.appearance = self._theme.choice
            self.preferences.save()
