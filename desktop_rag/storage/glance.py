"""A first look into a catalog before it is opened: what the window shows at once.

It reads, without the library's lock, and gives up at the first difficulty: opening says what is
wrong. Kept apart from the rest, so that it is there long before the rest is imported.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from desktop_rag.domain.answers import Conversation, ConversationId

_CHATS = (
    "SELECT id, title, updated_at, is_pinned FROM conversations WHERE deleted_at = ''"
    " ORDER BY is_pinned DESC, updated_at DESC, id DESC"
)
_FILES = (
    "SELECT count(*), total(chunk_count), total(state = 'ready'), total(state = 'failed')"
    " FROM documents"
)
_VERSION = 5
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class Glance:
    """Chats and counts as they were when the program was closed."""

    conversations: tuple[Conversation, ...]
    files: int
    chunks: int
    ready: int
    failed: int


def glance(path: Path) -> Glance | None:
    """What a catalog holds; `None` when that cannot be told at once."""
    return _seen(path, lambda db, version: _look(db) if version == _VERSION else None)


def is_outdated(path: Path) -> bool:
    """Whether opening a catalog brings it up to date first, which takes time."""
    return bool(_seen(path, lambda _db, version: 0 < version < _VERSION))


def _seen(path: Path, look: Callable[[sqlite3.Connection, int], _Found]) -> _Found | None:
    try:
        if not path.is_file():
            return None
        address = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=0.1)) as db:
            return look(db, int(db.execute("PRAGMA user_version").fetchone()[0]))
    except (OSError, sqlite3.Error):
        return None


def _look(db: sqlite3.Connection) -> Glance:
    files, chunks, ready, failed = db.execute(_FILES).fetchone()
    chats = tuple(
        Conversation(ConversationId(number), title, updated_at, bool(is_pinned))
        for number, title, updated_at, is_pinned in db.execute(_CHATS)
    )
    return Glance(chats, files, int(chunks), int(ready), int(failed))
