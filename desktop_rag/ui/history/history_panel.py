"""All chats on the left: a field to find in them, the list, and what was found."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.domain.chats import ChatHit
from desktop_rag.ui.announce import announce
from desktop_rag.ui.history.chat_list import ChatList
from desktop_rag.ui.history.chat_menu import ChatMenu
from desktop_rag.ui.history.hit_list import HitList
from desktop_rag.ui.history.search_field import SearchField
from desktop_rag.ui.models.conversations import ConversationModel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import S, Theme
from desktop_rag.ui.translation import _, counted


class HistoryPanel(QWidget):
    """Signals:
    chosen (ConversationId), hit_chosen (ChatHit): to be opened.
    searched (str): the text of the field has changed.
    renamed (ConversationId, str), removal_requested (list[Conversation]),
    pin_requested (list[ConversationId], bool),
    export_requested (Conversation, str): the kind of file.
    left: Esc in the empty field.
    """

    chosen = Signal(object)
    hit_chosen = Signal(object)
    searched = Signal(str)
    renamed = Signal(object, str)
    removal_requested = Signal(object)
    pin_requested = Signal(object, bool)
    export_requested = Signal(object, str)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = ConversationModel(self)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.field = SearchField(self._theme)
        self.list = ChatList(self._theme, self.model)
        self.hits = HitList(self._theme)
        self.nothing = PlainLabel()
        self.nothing.setObjectName("smallMuted")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.nothing.setContentsMargins(S, 2 * S, S, 0)
        self.stack = QStackedWidget()
        self.stack.setObjectName("historyStack")
        for page in (self.list, self.hits, self.nothing):
            self.stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(S)
        layout.addWidget(self.field)
        layout.addWidget(self.stack, 1)
        self._show_list()

    def _connect(self) -> None:
        self.field.textChanged.connect(self.searched)
        self.field.stepped.connect(self._on_stepped)
        self.field.entered.connect(self.hits.choose_current)
        self.field.left.connect(self.left)
        self.list.chosen.connect(self.chosen)
        self.list.removal_requested.connect(self.removal_requested)
        self.list.menu_requested.connect(self._on_menu)
        self.hits.chosen.connect(self.hit_chosen)
        self.model.renamed.connect(self.renamed)

    # content
    def show_chats(
        self, conversations: Sequence[Conversation], current: ConversationId | None
    ) -> None:
        """Bring the list up to date and mark the open chat."""
        self.model.replace(conversations)
        self.list.mark(current)
        # An empty list shows nothing of the focus.
        policy = Qt.FocusPolicy.StrongFocus if conversations else Qt.FocusPolicy.NoFocus
        self.list.setFocusPolicy(policy)
        self.field.setVisible(bool(conversations) or bool(self.field.text()))
        if self.stack.currentWidget() is not self.hits and not self.field.text():
            self._show_list()

    def show_answering(self, conversations: Collection[ConversationId]) -> None:
        """Mark the chats an answer is being written in."""
        self.model.show_answering(conversations)

    def show_hits(self, query: str, hits: Sequence[ChatHit]) -> None:
        """What was found for a query; the list of chats for none."""
        if not query:
            self._show_list()
            return
        self.hits.show_hits(hits)
        if hits:
            self.stack.setCurrentWidget(self.hits)
            announce(self.field, counted("{n} place found", "{n} places found", len(hits)))
        else:
            self.nothing.setText(_("No chat holds “{words}”.").format(words=query))
            self.stack.setCurrentWidget(self.nothing)
            announce(self.field, self.nothing.text())

    def begin_search(self) -> None:
        """The keys that lead to the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _show_list(self) -> None:
        self.stack.setCurrentWidget(self.list)

    # what the person does
    def menu_for(self, chats: Sequence[Conversation]) -> ChatMenu:
        """What can be done with chats."""
        menu = ChatMenu(self._theme, chats, self)
        menu.rename_requested.connect(self._on_rename)
        menu.pin_requested.connect(self.pin_requested)
        menu.export_requested.connect(self.export_requested)
        menu.removal_requested.connect(self.removal_requested)
        return menu

    def _on_menu(self, index: object, place: QPoint) -> None:
        chat = self.model.conversation(index)  # type: ignore[arg-type]
        marked = self.list.marked()
        self.menu_for(marked if chat in marked else [chat]).popup(place)

    def _on_rename(self, chat: Conversation) -> None:
        if (row := self.model.row_of(chat.id)) >= 0:
            self.list.edit(self.model.index(row))

    def _on_stepped(self, rows: int) -> None:
        if self.stack.currentWidget() is self.hits:
            self.hits.step(rows)
        elif rows > 0 and self.model.rowCount():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
