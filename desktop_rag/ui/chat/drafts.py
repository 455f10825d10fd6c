"""What was typed and not sent, by chat, while the program runs."""

from __future__ import annotations

from desktop_rag.domain.answers import ConversationId


class Drafts:
    """One text for each chat, and one for a chat that has not begun."""

    def __init__(self) -> None:
        self._texts: dict[ConversationId | None, str] = {}
        self._open: ConversationId | None = None

    def switch(self, to: ConversationId | None, text: str) -> str:
        """Keep `text` for the chat that was open; returns what was typed in the other one."""
        if to == self._open:
            return text
        self._texts[self._open] = text
        self._open = to
        return self._texts.pop(to, "")

    def begin(self, conversation: ConversationId) -> None:
        """The open chat has begun: what is typed belongs to it from now on."""
        self._open = conversation

    def take_over(self, others: Drafts) -> None:
        """Those of a window that is gone; what was open there is told by who knows where it is."""
        self._texts = others._texts
