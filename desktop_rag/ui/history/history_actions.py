"""What a person does with the history of chats: open, rename, pin, delete with undo, export."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.answers import Conversation, ConversationId, MessageId
from desktop_rag.domain.chats import ChatHit
from desktop_rag.ui.history.chat_search import ChatSearch
from desktop_rag.ui.history.exporting import ChatExporting
from desktop_rag.ui.history.quick_switch import QuickSwitch
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.chat.message_list import MessageList
    from desktop_rag.ui.chat.session import ChatSession
    from desktop_rag.ui.history.history_panel import HistoryPanel


class HistoryActions(QObject):
    """Between the panel, the session and the façade.

    Signals:
        chat_wanted: the chat page shall come into view.
        undo_offered (str, Callable, Callable): see `UndoBar.offer`.
    """

    chat_wanted = Signal()
    undo_offered = Signal(str, object, object)

    def __init__(
        self,
        theme: Theme,
        background: Background,
        session: ChatSession,
        panel: HistoryPanel,
        messages: MessageList,
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._background = background
        self._session = session
        self._panel = panel
        self._messages = messages
        self._theme = theme
        self._over = over
        self._app: App | None = None
        self._changes: deque[Callable[[], Any]] = deque()
        # Waited for by the other background threads, for as long as a change takes.
        self._changing = threading.Lock()
        self._wanted: tuple[ConversationId, MessageId] | None = None
        self._is_read_again = False
        self.search = ChatSearch(background, self)
        self.exporting = ChatExporting(background, over)
        self._connect()

    def _connect(self) -> None:
        panel, session = self._panel, self._session
        panel.chosen.connect(self.open)
        panel.hit_chosen.connect(self.open_hit)
        panel.searched.connect(self.search.look_for)
        panel.renamed.connect(self._on_renamed)
        panel.removal_requested.connect(self.remove)
        panel.pin_requested.connect(self._on_pin)
        panel.export_requested.connect(self._on_export)
        panel.left.connect(self.chat_wanted)
        self.search.found.connect(panel.show_hits)
        session.chats_changed.connect(self.refresh)
        session.busy_changed.connect(self._on_answering)
        session.opened.connect(self._on_opened)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self.search.attach(app)
        self.exporting.attach(app)
        self.refresh()

    def refresh(self) -> None:
        """Read the list again."""
        if self._app is not None:
            self._background.run(self._app.history.all, self._on_chats)

    def _on_chats(self, chats: list[Conversation]) -> None:
        self._panel.show_chats(chats, self._session.conversation)
        self._on_answering()
        self.search.look_again()

    def _on_answering(self) -> None:
        self._panel.show_answering(self._session.answering)

    # opening
    def open(self, conversation: ConversationId) -> None:
        """Show a chat."""
        self._wanted, self._is_read_again = None, False
        self._session.open(conversation)
        self.chat_wanted.emit()

    def open_hit(self, hit: ChatHit) -> None:
        """Show a chat at the message that was found in it."""
        if hit.message is None:
            self.open(hit.conversation)
            return
        is_open = hit.conversation == self._session.conversation
        self._wanted, self._is_read_again = (hit.conversation, hit.message), False
        self._session.open(hit.conversation)
        self.chat_wanted.emit()
        if is_open:
            self._on_opened()

    def _on_opened(self) -> None:
        # The chat view has heard of it before and laid the messages out; scrolling comes next.
        self._panel.list.mark(self._session.conversation)
        QTimer.singleShot(0, self, self._reveal)

    def _reveal(self) -> None:
        if self._wanted is None or self._wanted[0] != self._session.conversation:
            return
        is_there = self._messages.go_to(self._wanted[1])
        if is_there or self._is_read_again:
            self._wanted, self._is_read_again = None, False
        else:  # it was written in this window: what is shown does not know its number
            self._is_read_again = True
            self._session.read_again()

    # finding
    def begin_search(self) -> None:
        """To the field above the list; where the list has no room, to one of its own."""
        if self._panel.isVisible():
            self._panel.begin_search()
        else:
            self.switch()

    def switch(self) -> None:
        """Ask for another chat by a few letters."""
        switch = QuickSwitch(self._theme, self._panel.model.chats(), self._over)
        search = ChatSearch(self._background, switch)
        if self._app is not None:
            search.attach(self._app)
        switch.searched.connect(search.look_for)
        search.found.connect(switch.show_hits)
        switch.hit_chosen.connect(self.open_hit)
        switch.open()

    # changing
    def _on_renamed(self, conversation: ConversationId, title: str) -> None:
        self._change(lambda app: app.rename_conversation(conversation, title))

    def _on_pin(self, conversations: list[ConversationId], is_pinned: bool) -> None:  # noqa: FBT001 - a slot
        self._change(lambda app: app.history.pin(conversations, is_pinned=is_pinned))

    def remove(self, chats: Sequence[Conversation]) -> None:
        """Delete chats; for a while they can be brought back."""
        ids = [chat.id for chat in chats]
        was_open = self._session.conversation if self._session.conversation in ids else None
        if was_open is not None:
            self._session.stop()
            self._session.begin_new()
        self._change(lambda app: app.history.remove(ids))
        self.undo_offered.emit(
            _removed(chats),
            lambda: self._bring_back(ids, was_open),
            lambda: self._change(lambda app: app.history.purge(ids)),
        )

    def _bring_back(self, ids: list[ConversationId], was_open: ConversationId | None) -> None:
        self._change(lambda app: app.history.bring_back(ids))
        if was_open is not None and self._session.conversation is None:
            self._session.open(was_open)

    def _change(self, call: Callable[[App], Any]) -> None:
        if self._app is not None:
            app = self._app
            self._changes.append(lambda: call(app))
            self._background.run(
                self._carry_out, lambda _: self.refresh(), self._on_failed, is_owed=True
            )

    def _carry_out(self) -> None:
        """On a background thread; the next change, so that no undo is earlier than its removal."""
        with self._changing:
            self._changes.popleft()()

    def _on_failed(self, error: Any) -> None:
        self._background.failed.emit(error)
        self.refresh()  # what is shown may be what was wanted, not what is

    # handing over
    def export_answer(
        self, conversation: ConversationId, message: MessageId, question: str, kind: str
    ) -> None:
        """Ask where an answer with its question shall go as a file of a kind."""
        self.exporting.choose(question, kind, conversation, message)

    def _on_export(self, chat: Conversation, kind: str) -> None:
        self.exporting.choose(chat.title, kind, chat.id)


def _removed(chats: Sequence[Conversation]) -> str:
    if len(chats) == 1:
        return _("Deleted “{title}”.").format(title=chats[0].title)
    return counted("Deleted {n} chat.", "Deleted {n} chats.", len(chats))
