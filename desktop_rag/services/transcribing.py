"""What the chat page reads of a stored chat: its end at once, the rest where somebody looks."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answers import ConversationId, Message, MessageId
from desktop_rag.domain.transcripts import Transcript
from desktop_rag.storage.conversations import Conversations
from desktop_rag.storage.database import Database
from desktop_rag.storage.transcripts import Transcripts

_READ_AT_FIRST = 24
_MOST_AT_ONCE = 200


class Transcribing:
    """Chats in parts. Usable from any thread."""

    def __init__(self, database: Database, conversations: Conversations) -> None:
        self._transcripts = Transcripts(database)
        self._conversations = conversations

    def open(self, conversation: ConversationId) -> Transcript:
        """The shape of a chat and its last messages. Raises NotFound when it was deleted."""
        self._conversations.require(conversation)
        return Transcript(
            tuple(self._transcripts.outlines(conversation)),
            tuple(self._transcripts.last(conversation, _READ_AT_FIRST)),
        )

    def read(self, conversation: ConversationId, messages: Sequence[MessageId]) -> list[Message]:
        """These messages, oldest first; what is gone meanwhile is left out."""
        return self._transcripts.some(conversation, messages[:_MOST_AT_ONCE])

    def find(self, conversation: ConversationId, text: str) -> list[MessageId]:
        """The messages that hold a text, in capitals or not, oldest first."""
        sought = text.strip().casefold()
        if not sought:
            return []
        texts = self._transcripts.texts(conversation)
        return [message for message, said in texts if sought in said.casefold()]
