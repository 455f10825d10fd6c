"""Finds words in the open chat, also in messages that are not on screen, and steps through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rag.ui.viewer.find_bar import FindBar

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.answers import MessageId
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.chat.message_list import MessageList
    from desktop_rag.ui.chat.session import ChatSession


class ChatFinding(QObject):
    """Between the bar, the store and the list. The last place is found first: chats grow there."""

    def __init__(
        self,
        bar: FindBar,
        session: ChatSession,
        messages: MessageList,
        background: Background,
    ) -> None:
        super().__init__(bar)
        self._bar = bar
        self._session = session
        self._messages = messages
        self._background = background
        self._app: App | None = None
        self._found: list[MessageId] = []
        self._current = 0
        self._text = ""
        bar.wanted.connect(self._on_wanted)
        bar.stepped.connect(self._on_stepped)
        bar.closed.connect(messages.setFocus)
        session.opened.connect(lambda *_opened: self._put_away())

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def begin(self) -> None:
        """Ready to type what to find."""
        if self._session.conversation is not None:
            self._bar.begin()

    def _on_wanted(self, text: str) -> None:
        app, chat = self._app, self._session.conversation
        self._text = text
        if app is None or chat is None:
            return
        self._background.run(
            lambda: app.transcripts.find(chat, text), lambda found: self._on_found(text, found)
        )

    def _on_found(self, text: str, found: list[MessageId]) -> None:
        if text != self._text or self._bar.isHidden():
            return
        self._found, self._current = found, len(found) - 1
        self._show()

    def _on_stepped(self, by: int) -> None:
        if self._found:
            self._current = (self._current + by) % len(self._found)
            self._show()

    def _show(self) -> None:
        self._bar.show_count(self._current, len(self._found))
        if self._found:
            self._messages.go_to(self._found[self._current])

    def _put_away(self) -> None:
        self._found = []
        self._bar.hide()
