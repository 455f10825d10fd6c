"""What is found in stored chats, and chats as they leave the program."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.answers import ConversationId, MessageId, Role
from desktop_rag.domain.excerpts import Excerpt
from desktop_rag.domain.structured import StructuredAnswer


@dataclass(frozen=True, slots=True)
class ChatHit:
    """A chat, or a message of one, that holds the words that were looked for."""

    conversation: ConversationId
    title: Excerpt
    """Whole."""
    at: str
    """When the message was written, or the chat was used last; UTC."""
    message: MessageId | None = None
    """`None`: only the title holds them."""
    role: Role | None = None
    snippet: Excerpt | None = None
    """Of the message."""


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A question or an answer."""

    message: int
    role: Role
    text: str
    """As Markdown; of an answer the same as `answer.answer`."""
    created_at: str
    answer: StructuredAnswer | None
    """With all that is known of its sources; null for questions."""


@dataclass(frozen=True, slots=True)
class ExportedChat:
    """A chat, or one answer of it with its question, for people and programs outside."""

    conversation: int
    title: str
    exported_at: str
    """UTC."""
    messages: tuple[ExportedMessage, ...]
