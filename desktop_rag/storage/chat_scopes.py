"""The part of the library that was chosen for a chat, kept with it."""

from __future__ import annotations

import msgspec

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.choices import Choice
from desktop_rag.storage.database import Database

_CHOICE = msgspec.json.Decoder(Choice)


class ChatScopeStore:
    """Choices by chat. Usable from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, conversation: ConversationId) -> Choice:
        """What was chosen; everything when nothing was, or the chat is gone."""
        with self._database.read() as db:
            row = db.execute(
                "SELECT scope FROM conversations WHERE id = ?", (conversation,)
            ).fetchone()
        try:
            return _CHOICE.decode(row["scope"]) if row is not None and row["scope"] else Choice()
        except msgspec.DecodeError:  # of a newer program: a wider search is the lesser harm
            return Choice()

    def keep(self, conversation: ConversationId, choice: Choice) -> None:
        """Choose for a chat; one that is gone needs nothing."""
        text = "" if choice.is_everything else msgspec.json.encode(choice).decode()
        with self._database.write() as db:
            db.execute("UPDATE conversations SET scope = ? WHERE id = ?", (text, conversation))
