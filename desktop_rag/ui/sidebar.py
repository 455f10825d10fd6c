"""The left side: chats above, the library below."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.events import IndexingProgress
from desktop_rag.domain.library import LibraryStatus
from desktop_rag.ui import icons
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.history.history_panel import HistoryPanel
from desktop_rag.ui.library.progress import ProgressStrip
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.navigation import Navigation
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted, numeral

_APP_TITLE = "Desktop RAG"


class Sidebar(QFrame):
    """Lists chats and sums up the library.

    Signals:
        new_chat_requested, library_requested, theme_toggled
        page_requested (str): the key of another page.
    """

    new_chat_requested = Signal()
    library_requested = Signal()
    theme_toggled = Signal()
    page_requested = Signal(str)

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
        self.history = HistoryPanel(self._theme)
        self.list, self.model = self.history.list, self.history.model
        layout = QVBoxLayout(self._build_area())
        layout.setContentsMargins(M, M, M, M)
        layout.setSpacing(S)
        layout.addLayout(self._build_head())
        layout.addWidget(self._build_new_chat())
        layout.addWidget(self.history, 1)
        layout.addWidget(self._build_library())
        self.navigation = Navigation(self._theme)
        layout.addWidget(self.navigation)

    def _build_area(self) -> QWidget:
        """Large text in a low window needs to be scrolled."""
        content = QWidget()
        content.setObjectName("sidebar")
        area = QScrollArea()
        area.setObjectName("sidebar")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        return content

    def _build_head(self) -> QHBoxLayout:
        mark = PlainLabel()
        mark.setPixmap(icons.picture("app", size=24))
        name = ElidedLabel()
        name.setText(_APP_TITLE)
        name.setObjectName("appName")
        self.theme_button = QToolButton()
        row = QHBoxLayout()
        set_margins(row, S, 0, 0, XS)
        row.setSpacing(S)
        row.addWidget(mark)
        row.addWidget(name, 1)
        row.addWidget(self.theme_button)
        return row

    def _build_new_chat(self) -> QPushButton:
        self.new_chat = QPushButton("  " + _("New chat"))
        self.new_chat.setObjectName("newChat")
        self.new_chat.setAccessibleName(_("New chat"))
        self.new_chat.setToolTip(_("New chat (Ctrl+N)"))
        self.new_chat.setIconSize(QSize(scaled(18), scaled(18)))
        return self.new_chat

    def _build_library(self) -> QFrame:
        self.library_button = QPushButton("  " + _("Library"))
        self.library_button.setObjectName("libraryButton")
        self.library_button.setAccessibleName(_("Library"))
        self.library_button.setToolTip(_("Library (Ctrl+L)"))
        self.library_button.setCheckable(True)
        self.library_button.setIconSize(QSize(scaled(18), scaled(18)))
        self.counts = ElidedLabel()
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
        self._theme.changed.connect(self._colour_icons)

    # content
    def mark_page(self, key: str) -> None:
        """Mark the way to the page that is shown."""
        self.library_button.setChecked(key == "library")
        self.navigation.mark(key)

    def mark(self, current: ConversationId | None) -> None:
        """Mark the open chat."""
        self.list.mark(current)

    def show_status(self, status: LibraryStatus) -> None:
        """Counts of the library."""
        total = status.ready + status.queued + status.failed
        self.counts.setText(_counts(status, total))
        self.problems.setText(counted("{n} failed", "{n} failed", status.failed))
        self.problems.setVisible(bool(status.failed))

    def show_progress(self, progress: IndexingProgress) -> None:
        """How far indexing is."""
        self.progress.show_progress(progress)

    def _colour_icons(self) -> None:
        colours = self._theme.colours
        self.new_chat.setIcon(icons.icon("new-chat", colours.accent_text))
        self.library_button.setIcon(icons.icon("library", colours.muted))
        self.theme_button.setIcon(
            icons.icon("sun" if self._theme.is_dark else "moon", colours.muted)
        )
        other = _("Light appearance") if self._theme.is_dark else _("Dark appearance")
        self.theme_button.setToolTip(other)
        self.theme_button.setAccessibleName(other)


def _counts(status: LibraryStatus, total: int) -> str:
    """What can be asked now: a file that still waits does not count as there."""
    if not total:
        return _("No files yet")
    passages = counted("{n} passage", "{n} passages", status.chunks)
    if status.ready == total:
        files = counted("{n} file", "{n} files", total)
    else:
        files = _("{ready} of {total} files").format(
            ready=numeral(status.ready), total=numeral(total)
        )
    return f"{files} · {passages}"
