"""What is found in stored chats, and chats as they leave the program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain.answers import ConversationId, MessageId, Role
from desktop_rag.domain.excerpts import Excerpt
from desktop_rag.domain.structured import StructuredAnswer

_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]')
_RESERVED = re.compile(r"con|prn|aux|nul|(?:com|lpt)\d", re.IGNORECASE)
_MAX_NAME_CHARS = 60
"""Bytes of a name are limited to 255, and a character may take four."""


class ExportFormat(StrEnum):
    """Kinds of files that are text; the value is what a person calls them."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"

    @property
    def suffix(self) -> str:
        """Of the file's name."""
        return ".md" if self is ExportFormat.MARKDOWN else f".{self.value}"


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


def file_name(title: str, suffix: str) -> str:
    """A name for the file of a chat that every system takes."""
    plain = " ".join(_NOT_IN_NAMES.sub(" ", title).split())[:_MAX_NAME_CHARS].strip(" .…")
    is_reserved = _RESERVED.fullmatch(plain) is not None
    return f"{plain or 'chat'}{'_' if is_reserved else ''}{suffix}"
