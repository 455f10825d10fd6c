"""Thumbs up and down in the catalog's database; a verdict goes with its message."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from desktop_rag.domain.answers import MessageId, Role
from desktop_rag.domain.errors import NotFound
from desktop_rag.domain.feedback import Feedback, Rating, Reason
from desktop_rag.storage.database import Database

_QUESTION = f"""
(SELECT asked.text FROM messages AS asked WHERE asked.conversation_id = m.conversation_id
    AND asked.role = '{Role.USER}' AND asked.id < m.id ORDER BY asked.id DESC LIMIT 1)
"""
"""The last one before the answer, also one that an edit has cut off since."""
_AT_ONCE = 500
"""Fewer than SQLite takes parameters."""


class FeedbackStore:
    """The store. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, message: MessageId, rating: Rating) -> None:
        """Keep a verdict on an answer, in the place of an earlier one.

        Raises:
            NotFound: there is no such answer any more.
        """
        with self._database.write() as db:
            cursor = db.execute(
                "INSERT OR REPLACE INTO feedback (message_id, rating, reason, comment, created_at)"
                " SELECT id, ?, ?, ?, ? FROM messages WHERE id = ? AND role = ?",
                (
                    1 if rating.is_good else -1,
                    rating.reason.value,
                    rating.comment,
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    message,
                    Role.ASSISTANT.value,
                ),
            )
            if not cursor.rowcount:
                raise NotFound("That answer is not in the chat any more; open the chat again.")

    def forget(self, message: MessageId) -> None:
        """No verdict on this answer. That there was none is no error."""
        with self._database.write() as db:
            db.execute("DELETE FROM feedback WHERE message_id = ?", (message,))

    def of(self, messages: Sequence[MessageId]) -> dict[MessageId, Rating]:
        """The verdicts on these answers, as far as there are any."""
        found: dict[MessageId, Rating] = {}
        with self._database.read() as db:
            for first in range(0, len(messages), _AT_ONCE):
                some = messages[first : first + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = db.execute(f"SELECT * FROM feedback WHERE message_id IN ({marks})", some)
                found |= {MessageId(row["message_id"]): _rating(row) for row in rows}
        return found

    def all(self) -> list[Feedback]:
        """Every verdict, the newest first."""
        with self._database.read() as db:
            rows = db.execute(
                f"SELECT f.*, {_QUESTION} AS question FROM feedback AS f"
                " JOIN messages AS m ON m.id = f.message_id ORDER BY f.created_at DESC, m.id DESC"
            ).fetchall()
        return [
            Feedback(
                row["created_at"],
                MessageId(row["message_id"]),
                row["question"] or "",
                _rating(row),
            )
            for row in rows
        ]


def _rating(row: sqlite3.Row) -> Rating:
    known = {reason.value: reason for reason in Reason}
    return Rating(row["rating"] > 0, known.get(row["reason"], Reason.OTHER), row["comment"])
