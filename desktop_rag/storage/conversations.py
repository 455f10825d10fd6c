"""Chats in the catalog's database. Answers are kept as snapshots with copies of their quotes.

A chat never depends on the library: when a document changes or leaves, what was cited stays
readable as it was. What a new version of a question or an answer takes the place of is kept, too,
out of sight, until the chat is deleted: the last cut can be undone, and then the one before it.
A deleted chat is hidden first and can be brought back until it is purged.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from desktop_rag.domain.answers import (
    Answer,
    Conversation,
    ConversationId,
    Message,
    MessageId,
    Role,
)
from desktop_rag.domain.errors import InvalidInput, NotFound
from desktop_rag.storage.database import Database

_LARGEST_ID = 2**63 - 1
"""Whoever names a larger one gets the same reply as for any that is not there."""

_TOGETHER = 512

_ANSWER = msgspec.json.Decoder(Answer)


class Conversations:
    """Stored chats. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, title: str) -> ConversationId:
        """A new, empty chat."""
        now = _now()
        with self._database.write() as db:
            cursor = db.execute(
                "INSERT INTO conversations (title, created_at, updated_at) VALUES (?, ?, ?)",
                (title, now, now),
            )
            return ConversationId(_new_id(cursor))

    def require(self, conversation: ConversationId) -> None:
        """Make sure a chat exists.

        Raises:
            NotFound: it was deleted or never was.
        """
        with self._database.read() as db:
            _require(db, conversation)

    def add(
        self, conversation: ConversationId, role: Role, text: str, answer: Answer | None = None
    ) -> MessageId:
        """Append a message, its answer with all citations, and the chat's new time: all or nothing.

        Raises:
            NotFound: the chat was deleted meanwhile; nothing is stored.
        """
        snapshot = msgspec.json.encode(answer).decode() if answer is not None else None
        with self._database.write() as db:
            _require(db, conversation)
            return _append(db, conversation, role, text, snapshot)

    def all(self) -> list[Conversation]:
        """Chats that are not deleted: pinned ones, then others; of each the one used last first."""
        with self._database.read() as db:
            rows = db.execute(
                "SELECT id, title, updated_at, is_pinned FROM conversations WHERE deleted_at = ''"
                " ORDER BY is_pinned DESC, updated_at DESC, id DESC"
            )
            return [_conversation(row) for row in rows]

    def get(self, conversation: ConversationId) -> Conversation:
        """One chat.

        Raises:
            NotFound: it was deleted or never was.
        """
        with self._database.read() as db:
            _require(db, conversation)
            row = db.execute(
                "SELECT id, title, updated_at, is_pinned FROM conversations WHERE id = ?",
                (conversation,),
            ).fetchone()
            return _conversation(row)

    def matching(
        self, holds: Callable[[int, str], bool], limit: int, may_hold: Callable[[str], bool]
    ) -> list[Message]:
        """Messages, newest first and without their answers, of chats that are not deleted.

        Args:
            holds: whether a text, said in the chat of that number, is wanted.
            limit: how many at most; the search ends with the last of them.
            may_hold: whether one of many texts, here joined to one, can be wanted.
        """
        found: list[Message] = []
        with self._database.read() as db:
            for message, conversation, text in _texts(db, may_hold):
                if not holds(conversation, text):
                    continue
                if (shown := _shown(db, message)) is not None:
                    found.append(shown)
                if len(found) >= limit:
                    break
        return found

    def messages(self, conversation: ConversationId) -> list[Message]:
        """Messages of a chat, oldest first.

        Raises:
            NotFound: there is no such chat.
        """
        with self._database.read() as db:
            _require(db, conversation)
            rows = db.execute(
                "SELECT * FROM messages WHERE conversation_id = ? AND retired = 0 ORDER BY id",
                (conversation,),
            )
            return [message_of(row) for row in rows]

    def replace(self, message: Message, text: str, answer: Answer) -> None:
        """Put a longer answer in the place of one that was cut off.

        Raises:
            NotFound: the chat, or the message, was deleted meanwhile; nothing is stored.
        """
        with self._database.write() as db:
            _require(db, message.conversation)
            cursor = db.execute(
                "UPDATE messages SET text = ?, answer_json = ? WHERE id = ? AND retired = 0",
                (text, msgspec.json.encode(answer).decode(), message.id),
            )
            if not cursor.rowcount:
                raise NotFound("That answer is not in the chat any more; ask the question again.")

    def cut(self, conversation: ConversationId, first: MessageId, instead: str = "") -> None:
        """Take a message and all after it out of a chat; `undo` brings them back.

        A question to be asked `instead` is added with it: all or nothing.

        Raises:
            NotFound: there is no such chat, or the message is not in it.
        """
        with self._database.write() as db:
            _require(db, conversation)
            cursor = db.execute(
                "UPDATE messages SET retired = (SELECT max(retired) + 1 FROM messages"
                " WHERE conversation_id = ?1) WHERE conversation_id = ?1 AND id >= ?2"
                " AND retired = 0 AND EXISTS (SELECT 1 FROM messages WHERE id = ?2"
                " AND conversation_id = ?1 AND retired = 0)",
                (conversation, first),
            )
            if not cursor.rowcount:
                raise NotFound("That message is not in the chat any more; open the chat again.")
            if instead:
                _append(db, conversation, Role.USER, instead)

    def can_undo(self, conversation: ConversationId) -> bool:
        """Whether something was cut that `undo` would bring back."""
        with self._database.read() as db:
            return _last_cut(db, conversation) is not None

    def undo(self, conversation: ConversationId) -> None:
        """Bring back what the last cut took away; what was said since then is forgotten.

        Raises:
            NotFound: there is no such chat.
            InvalidInput: nothing was cut.
        """
        with self._database.write() as db:
            _require(db, conversation)
            last = _last_cut(db, conversation)
            if last is None:
                raise InvalidInput("There is no earlier version in this chat to bring back.")
            cut, first = last
            db.execute(
                "DELETE FROM messages WHERE conversation_id = ? AND retired = 0 AND id > ?",
                (conversation, first),
            )
            db.execute(
                "UPDATE messages SET retired = 0 WHERE conversation_id = ? AND retired = ?",
                (conversation, cut),
            )

    def rename(self, conversation: ConversationId, title: str) -> None:
        """Give a chat another title.

        Raises:
            InvalidInput: the title is empty.
            NotFound: there is no such chat.
        """
        if not title.strip():
            raise InvalidInput("A conversation needs a title; type at least one letter.")
        with self._database.write() as db:
            _require(db, conversation)
            db.execute(
                "UPDATE conversations SET title = ? WHERE id = ?", (title.strip(), conversation)
            )

    def pin(self, conversations: Sequence[ConversationId], *, is_pinned: bool) -> None:
        """Keep chats on top of the list, or no longer."""
        with self._database.write() as db:
            db.executemany(
                "UPDATE conversations SET is_pinned = ? WHERE id = ?",
                [(is_pinned, one) for one in conversations],
            )

    def hide(self, conversations: Sequence[ConversationId]) -> None:
        """Delete chats in a way that `bring_back` can undo until they are purged."""
        self._mark_deleted(conversations, _now())

    def bring_back(self, conversations: Sequence[ConversationId]) -> None:
        """Undo `hide`. What was purged meanwhile stays gone."""
        self._mark_deleted(conversations, "")

    def _mark_deleted(self, conversations: Sequence[ConversationId], when: str) -> None:
        with self._database.write() as db:
            db.executemany(
                "UPDATE conversations SET deleted_at = ? WHERE id = ?",
                [(when, one) for one in conversations],
            )

    def hidden(self) -> list[ConversationId]:
        """Deleted chats that are still there."""
        with self._database.read() as db:
            rows = db.execute("SELECT id FROM conversations WHERE deleted_at <> ''")
            return [ConversationId(row["id"]) for row in rows]

    def delete(self, conversation: ConversationId) -> None:
        """Forget a chat and its messages. One that is gone already is no error."""
        with self._database.write() as db:
            db.execute("DELETE FROM messages WHERE conversation_id = ?", (conversation,))
            db.execute("DELETE FROM conversations WHERE id = ?", (conversation,))


def _require(db: sqlite3.Connection, conversation: ConversationId) -> None:
    found = None
    if abs(conversation) <= _LARGEST_ID:
        found = db.execute("SELECT 1 FROM conversations WHERE id = ?", (conversation,)).fetchone()
    if found is None:
        raise NotFound(
            f"Conversation {conversation} does not exist any more; start a new one.",
            conversation=str(conversation),
        )


def _append(
    db: sqlite3.Connection,
    conversation: ConversationId,
    role: Role,
    text: str,
    snapshot: str | None = None,
) -> MessageId:
    now = _now()
    cursor = db.execute(
        "INSERT INTO messages (conversation_id, role, text, created_at, answer_json)"
        " VALUES (?, ?, ?, ?, ?)",
        (conversation, role.value, text, now, snapshot),
    )
    db.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation))
    return MessageId(_new_id(cursor))


def _last_cut(db: sqlite3.Connection, conversation: ConversationId) -> tuple[int, int] | None:
    """Number of the last cut and the first message it took away; `None` when nothing was cut."""
    row = db.execute(
        "SELECT retired, min(id) AS first FROM messages WHERE conversation_id = ? AND retired > 0"
        " GROUP BY retired ORDER BY retired DESC LIMIT 1",
        (conversation,),
    ).fetchone()
    return (row["retired"], row["first"]) if row is not None else None


def _conversation(row: sqlite3.Row) -> Conversation:
    return Conversation(
        ConversationId(row["id"]), row["title"], row["updated_at"], bool(row["is_pinned"])
    )


def _texts(
    db: sqlite3.Connection, may_hold: Callable[[str], bool]
) -> Iterator[tuple[int, int, str]]:
    """(message, chat, text) of all messages that can be wanted, newest first.

    Hundreds of them come as one row: between rows other threads get their turn, which would make
    a search of thousands wait as often while one of them is busy.
    """
    between = f"\1{secrets.token_hex(8)}\1"  # stands in no text
    newest = db.execute("SELECT max(id) AS id FROM messages").fetchone()["id"] or 0
    for last in range(newest, 0, -_TOGETHER):
        row = db.execute(
            "SELECT group_concat(id) AS ids, group_concat(conversation_id) AS chats,"
            " group_concat(text, ?) AS texts FROM"
            " (SELECT id, conversation_id, text FROM messages WHERE id > ? AND id <= ?"
            " ORDER BY id DESC)",
            (between, last - _TOGETHER, last),
        ).fetchone()
        if row["ids"] is not None and may_hold(row["texts"]):
            texts = row["texts"].split(between)
            yield from zip(_numbers(row["ids"]), _numbers(row["chats"]), texts, strict=True)


def _numbers(joined: str) -> list[int]:
    return [int(one) for one in joined.split(",")]


def _shown(db: sqlite3.Connection, message: int) -> Message | None:
    """A message without its answer; `None` when it, or its chat, was taken away."""
    row = db.execute(
        "SELECT messages.id, conversation_id, role, text, messages.created_at,"
        " NULL AS answer_json FROM messages JOIN conversations ON conversations.id ="
        " conversation_id WHERE messages.id = ? AND retired = 0 AND deleted_at = ''",
        (message,),
    ).fetchone()
    return message_of(row) if row is not None else None


def message_of(row: sqlite3.Row) -> Message:
    """A row of `messages` as a value."""
    snapshot = row["answer_json"]
    return Message(
        id=MessageId(row["id"]),
        conversation=ConversationId(row["conversation_id"]),
        role=Role(row["role"]),
        text=row["text"],
        created_at=row["created_at"],
        answer=_ANSWER.decode(snapshot) if snapshot else None,
    )


def _new_id(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None  # an INSERT has just run
    return cursor.lastrowid


def _now() -> str:
    """UTC time; to the microsecond, so that chats of one second keep their order."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
