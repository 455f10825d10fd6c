"""The history of `FakeApp`: the real service over chats in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop_rag.domain.answers import Conversation, ConversationId, Message
from desktop_rag.domain.errors import NotFound
from desktop_rag.services.chats import Chats
from desktop_rag.services.safeguards import Safeguards

if TYPE_CHECKING:
    from tests.helpers.fake_app import FakeApp


class ChatsInMemory:
    """What `Chats` wants of a store."""

    def __init__(self, app: FakeApp) -> None:
        self._app = app
        self.pinned: set[ConversationId] = set()
        self.gone: set[ConversationId] = set()

    def all(self) -> list[Conversation]:
        shown = [one for one in self._app.conversations() if one.id not in self.gone]
        return sorted(shown, key=lambda one: not one.is_pinned)

    def get(self, conversation: ConversationId) -> Conversation:
        for one in self._app.conversations():
            if one.id == conversation:
                return one
        raise NotFound("That chat was deleted; start a new one.")

    def messages(self, conversation: ConversationId) -> list[Message]:
        return self._app.messages(conversation)

    def matching(
        self, holds: Callable[[int, str], bool], limit: int, may_hold: Callable[[str], bool]
    ) -> list[Message]:
        said = [
            message
            for chat in self.all()
            for message in reversed(self._app.messages(chat.id))
            if may_hold(message.text) and holds(chat.id, message.text)
        ]
        return said[:limit]

    def pin(self, conversations: Sequence[ConversationId], *, is_pinned: bool) -> None:
        change = self.pinned.update if is_pinned else self.pinned.difference_update
        change(conversations)

    def hide(self, conversations: Sequence[ConversationId]) -> None:
        self.gone.update(conversations)

    def bring_back(self, conversations: Sequence[ConversationId]) -> None:
        self.gone.difference_update(conversations)

    def hidden(self) -> list[ConversationId]:
        return [one for one in self.gone if one in self._app.chats]

    def delete(self, conversation: ConversationId) -> None:
        self._app.delete_conversation(conversation)


def chats_of(app: FakeApp) -> tuple[Chats, ChatsInMemory]:
    store = ChatsInMemory(app)
    return Chats(store, Safeguards(), lambda _: None), store  # type: ignore[arg-type]
