"""Chats as they leave the program: what of them goes out, and as which kind of file.

Every answer keeps its numbered sources with file, place, quote and checksum, how sure it is, what
was looked at, and which of its sentences no source supports. PDF is made by the window, from the
pieces of the HTML.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

import msgspec

from desktop_rag.domain.answers import Conversation, Message
from desktop_rag.domain.chats import ExportedChat, ExportedMessage, ExportFormat
from desktop_rag.domain.structured import StructuredAnswer, as_json, structured_answer
from desktop_rag.services import chat_html, chat_markdown
from desktop_rag.services.safeguards import Safeguards


def exported(
    chat: Conversation, messages: Sequence[Message], now: str, safeguards: Safeguards
) -> ExportedChat:
    """A chat without the personal data that shall stay here, if the person chose that."""
    return ExportedChat(
        conversation=chat.id,
        title=_safe(chat.title, safeguards),
        exported_at=now,
        messages=tuple(_message(one, safeguards) for one in messages),
    )


def rendered(chat: ExportedChat, as_format: ExportFormat) -> str:
    """The chat as the text of a file."""
    return _RENDERED[as_format](chat)


def _message(message: Message, safeguards: Safeguards) -> ExportedMessage:
    answer = None
    if message.answer is not None:
        values = as_json(structured_answer(message.answer, "", message.conversation))
        answer = msgspec.convert(safeguards.exported(values), StructuredAnswer)
    return ExportedMessage(
        message=message.id,
        role=message.role,
        text=answer.answer if answer is not None else _safe(message.text, safeguards),
        created_at=message.created_at,
        answer=answer,
    )


def _safe(text: str, safeguards: Safeguards) -> str:
    return str(safeguards.exported({"text": text})["text"])


def _as_json(chat: ExportedChat) -> str:
    return json.dumps(asdict(chat), ensure_ascii=False, indent=2) + "\n"


_RENDERED: Mapping[ExportFormat, Callable[[ExportedChat], str]] = {
    ExportFormat.MARKDOWN: chat_markdown.rendered,
    ExportFormat.HTML: chat_html.rendered,
    ExportFormat.JSON: _as_json,
}
