"""Reads a chat in parts, so that one of thousands of messages opens like one of ten."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from desktop_rag.domain.answers import ConversationId, Message, MessageId, Role
from desktop_rag.domain.transcripts import MessageOutline
from desktop_rag.storage.conversations import message_of
from desktop_rag.storage.database import Database


class Transcripts:
    """Stored messages by chat and number. Usable from any thread; a chat that is gone is empty."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def outlines(self, conversation: ConversationId) -> list[MessageOutline]:
        """Of all messages, oldest first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT id, role, length(text) AS chars, coalesce(length(answer_json), 0) AS kept"
                " FROM messages WHERE conversation_id = ? AND retired = 0 ORDER BY id",
                (conversation,),
            )
            return [_outline(row) for row in rows]

    def last(self, conversation: ConversationId, count: int) -> list[Message]:
        """The last messages, oldest first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT * FROM messages WHERE conversation_id = ? AND retired = 0"
                " ORDER BY id DESC LIMIT ?",
                (conversation, count),
            ).fetchall()
            return [message_of(row) for row in reversed(rows)]

    def some(self, conversation: ConversationId, messages: Sequence[MessageId]) -> list[Message]:
        """These messages, as far as they are still there, oldest first."""
        marks = ",".join("?" * len(messages))
        with self._database.read() as db:
            rows = db.execute(
                f"SELECT * FROM messages WHERE conversation_id = ? AND id IN ({marks})"
                " AND retired = 0 ORDER BY id",
                (conversation, *messages),
            )
            return [message_of(row) for row in rows]

    def texts(self, conversation: ConversationId) -> list[tuple[MessageId, str]]:
        """The words of all messages, oldest first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT id, text FROM messages WHERE conversation_id = ? AND retired = 0"
                " ORDER BY id",
                (conversation,),
            )
            return [(MessageId(row["id"]), row["text"]) for row in rows]


def _outline(row: sqlite3.Row) -> MessageOutline:
    return MessageOutline(MessageId(row["id"]), Role(row["role"]), row["chars"], row["kept"])
