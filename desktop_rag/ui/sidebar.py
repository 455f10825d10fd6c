"""The left side: chats above, the library below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.domain.library import LibraryStatus
from desktop_rag.ui import icons, words
from desktop_rag.ui.chat_row_delegate import ChatRowDelegate
from desktop_rag.ui.library.progress import ProgressStrip
from desktop_rag.ui.models.conversations import ConversationModel
from desktop_rag.ui.navigation import Navigation
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.row_focus import RowFocus
from desktop_rag.ui.theme import XS, M, S, Theme, scaled

_APP_TITLE = "Desktop RAG"


class Sidebar(QFrame):
    """Lists chats and sums up the library.

    Signals:
        new_chat_requested, library_requested, theme_toggled
        page_requested (str): the key of another page.
        chat_chosen (ConversationId), chat_renamed (ConversationId, str),
        chat_deleted (ConversationId)
    """

    new_chat_requested = Signal()
    library_requested = Signal()
    theme_toggled = Signal()
    page_requested = Signal(str)
    chat_chosen = Signal(object)
    chat_renamed = Signal(object, str)
    chat_deleted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build()
        self._connect()
        self._colour_icons()

    # building
    def _build(self) -> None:
        self.setObjectName("sidebar")
        self.setMinimumWidth(scaled(208))
        self.setMaximumWidth(scaled(340))
        self.model = ConversationModel(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(M, M, M, M)
        layout.setSpacing(S)
        layout.addLayout(self._build_head())
        layout.addWidget(self._build_new_chat())
        self._chats_label = PlainLabel("Chats")
        self._chats_label.setObjectName("sectionLabel")
        self._chats_label.setContentsMargins(S, M, 0, 0)
        layout.addWidget(self._chats_label)
        layout.addWidget(self._build_list(), 1)
        layout.addWidget(self._build_library())
        self.navigation = Navigation(self._theme)
        layout.addWidget(self.navigation)

    def _build_head(self) -> QHBoxLayout:
        mark = PlainLabel()
        mark.setPixmap(icons.icon("app", size=24).pixmap(24, 24))
        name = PlainLabel(_APP_TITLE)
        name.setObjectName("appName")
        self.theme_button = QToolButton()
        row = QHBoxLayout()
        row.setContentsMargins(S, 0, 0, XS)
        row.setSpacing(S)
        row.addWidget(mark)
        row.addWidget(name, 1)
        row.addWidget(self.theme_button)
        return row

    def _build_new_chat(self) -> QPushButton:
        self.new_chat = QPushButton("  New chat")
        self.new_chat.setObjectName("newChat")
        self.new_chat.setAccessibleName("New chat")
        self.new_chat.setToolTip("New chat (Ctrl+N)")
        self.new_chat.setIconSize(QSize(18, 18))
        return self.new_chat

    def _build_list(self) -> QListView:
        self.list = QListView()
        self.list.setObjectName("chatList")
        self.list.setAccessibleName("Chats")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChatRowDelegate(self._theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.installEventFilter(self)
        RowFocus(self.list)
        return self.list

    def _build_library(self) -> QFrame:
        self.library_button = QPushButton("  Library")
        self.library_button.setObjectName("libraryButton")
        self.library_button.setAccessibleName("Library")
        self.library_button.setToolTip("Library (Ctrl+L)")
        self.library_button.setCheckable(True)
        self.library_button.setIconSize(QSize(18, 18))
        self.counts = PlainLabel()
        self.counts.setObjectName("smallMuted")
        self.problems = PlainLabel()
        self.problems.setObjectName("smallDanger")
        self.problems.hide()
        self.progress = ProgressStrip(self._theme, is_compact=True)
        card = QFrame()
        card.setObjectName("libraryCard")
        column = QVBoxLayout(card)
        column.setContentsMargins(S, S, S, M)
        column.setSpacing(S)
        column.addWidget(self.library_button)
        inner = QVBoxLayout()
        inner.setContentsMargins(S, 0, S, 0)
        inner.setSpacing(S)
        row = QHBoxLayout()
        row.addWidget(self.counts, 1)
        row.addWidget(self.problems)
        inner.addLayout(row)
        inner.addWidget(self.progress)
        column.addLayout(inner)
        return card

    def _connect(self) -> None:
        self.new_chat.clicked.connect(self.new_chat_requested)
        self.theme_button.clicked.connect(self.theme_toggled)
        self.library_button.clicked.connect(self.library_requested)
        self.navigation.requested.connect(self.page_requested)
        self.list.clicked.connect(self._on_chosen)
        self.list.activated.connect(self._on_chosen)
        self.list.customContextMenuRequested.connect(self._on_menu)
        self.model.renamed.connect(self.chat_renamed)
        self._theme.changed.connect(self._colour_icons)

    # content
    def mark_page(self, key: str) -> None:
        """Mark the way to the page that is shown."""
        self.library_button.setChecked(key == "library")
        self.navigation.mark(key)

    def show_chats(
        self, conversations: Sequence[Conversation], current: ConversationId | None
    ) -> None:
        """Bring the list up to date and mark the open chat."""
        self.model.replace(conversations)
        self._chats_label.setVisible(bool(conversations))
        self.mark(current)

    def mark(self, current: ConversationId | None) -> None:
        """Mark the open chat."""
        row = self.model.row_of(current)
        if row < 0:
            self.list.clearSelection()
            self.list.setCurrentIndex(QModelIndex())
        else:
            self.list.setCurrentIndex(self.model.index(row))

    def show_status(self, status: LibraryStatus) -> None:
        """Counts of the library."""
        total = status.ready + status.queued + status.failed
        self.counts.setText(
            f"{words.count(total, 'file')} · {words.count(status.chunks, 'passage')}"
            if total
            else "No files yet"
        )
        self.problems.setText(f"{status.failed:,} failed")
        self.problems.setVisible(bool(status.failed))

    def show_progress(self, progress: IndexingProgress) -> None:
        """How far indexing is."""
        self.progress.show_progress(progress)

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with a chat."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        colours = self._theme.colours
        rename = menu.addAction(icons.icon("rename", colours.muted), "Rename")
        rename.triggered.connect(lambda: self.list.edit(index))
        delete = menu.addAction(icons.icon("trash", colours.danger), "Delete")
        delete.triggered.connect(lambda: self._delete(index))
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete removes the marked chat."""
        if watched is self.list and isinstance(event, QKeyEvent):
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and event.key() == Qt.Key.Key_Delete and self.list.currentIndex().isValid():
                self._delete(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _delete(self, index: QModelIndex) -> None:
        self.chat_deleted.emit(self.model.conversation(index).id)

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chat_chosen.emit(self.model.conversation(index).id)

    def _on_menu(self, position: QPoint) -> None:
        index = self.list.indexAt(position)
        if index.isValid():
            self.menu_for(index).popup(self.list.viewport().mapToGlobal(position))

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        self.new_chat.setIcon(icons.icon("new-chat", colours.accent_text))
        self.library_button.setIcon(icons.icon("library", colours.muted))
        self.theme_button.setIcon(
            icons.icon("sun" if self._theme.is_dark else "moon", colours.muted)
        )
        other = "Light appearance" if self._theme.is_dark else "Dark appearance"
        self.theme_button.setToolTip(other)
        self.theme_button.setAccessibleName(other)
