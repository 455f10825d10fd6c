"""The list of chats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.ui.history import dates
from desktop_rag.ui.plain import tip
from desktop_rag.ui.translation import _

Index = QModelIndex | QPersistentModelIndex


class ChatRole(IntEnum):
    """What else is known of a row."""

    HEADING = Qt.ItemDataRole.UserRole
    """Stands above it; empty below the first of a group."""
    IS_ANSWERING = Qt.ItemDataRole.UserRole + 1


_SHOWN: list[int] = [
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
]
"""What may change in a row without making it higher."""


class ConversationModel(QAbstractListModel):
    """Chats in their groups, each with an editable title.

    Signals:
        renamed (ConversationId, str): the person typed another title.
    """

    renamed = Signal(object, str)

    def __init__(
        self, parent: QObject | None = None, today: Callable[[], date] = date.today
    ) -> None:
        super().__init__(parent)
        self._today = today
        self._rows: list[Conversation] = []
        self._headings: list[str] = []
        self._answering: frozenset[ConversationId] = frozenset()

    def replace(self, conversations: Sequence[Conversation]) -> None:
        """Show these chats; selection, place and a title being typed stay with their chats."""
        if not self._rows or not conversations:
            self.beginResetModel()
            self._rows = list(conversations)
            self._headings = dates.headings(self._rows, self._today())
            self.endResetModel()
            return
        headings = dates.headings(conversations, self._today())
        if (self._rows, self._headings) == (list(conversations), headings):
            return
        self._drop_all_but({chat.id for chat in conversations})
        self._insert_new(conversations)
        self._put_in_order(conversations)
        is_same = self._headings == headings
        self._headings = headings
        self._tell_all(_SHOWN if is_same else [])

    def _drop_all_but(self, kept: Collection[ConversationId]) -> None:
        for row in reversed(range(len(self._rows))):
            if self._rows[row].id not in kept:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._rows[row], self._headings[row]
                self.endRemoveRows()

    def _insert_new(self, conversations: Sequence[Conversation]) -> None:
        known = {chat.id for chat in self._rows}
        for row, chat in enumerate(conversations):
            if chat.id not in known:
                at = min(row, len(self._rows))
                self.beginInsertRows(QModelIndex(), at, at)
                self._rows.insert(at, chat)
                self._headings.insert(at, "")
                self.endInsertRows()

    def _put_in_order(self, conversations: Sequence[Conversation]) -> None:
        before = [chat.id for chat in self._rows]
        if before == [chat.id for chat in conversations]:
            self._rows = list(conversations)
            return
        self.layoutAboutToBeChanged.emit()
        places = {chat.id: row for row, chat in enumerate(conversations)}
        held = self.persistentIndexList()
        moved = [self.index(places[before[one.row()]]) for one in held]
        self._rows = list(conversations)
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def show_answering(self, conversations: Collection[ConversationId]) -> None:
        """Mark the chats an answer is being written in."""
        if (answering := frozenset(conversations)) != self._answering:
            self._answering = answering
            if self._rows:
                self._tell_all([ChatRole.IS_ANSWERING, Qt.ItemDataRole.AccessibleDescriptionRole])

    def _tell_all(self, roles: list[int]) -> None:
        """All rows may look different; they are as high as before if there are `roles`."""
        self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1), roles)

    def has_heading(self, row: int) -> bool:
        """Whether a group begins with this chat."""
        return bool(self._headings[row])

    def chats(self) -> list[Conversation]:
        """All of them, in the order of the list."""
        return list(self._rows)

    def conversation(self, index: Index) -> Conversation:
        """The chat of a row."""
        return self._rows[index.row()]

    def row_of(self, conversation: ConversationId | None) -> int:
        """The row of a chat, -1 when it is not listed."""
        return next((n for n, row in enumerate(self._rows) if row.id == conversation), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many chats there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title and what stands around it, for showing, editing and screen readers."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        chat = self._rows[index.row()]
        if role in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.EditRole,
            Qt.ItemDataRole.AccessibleTextRole,
        ):
            return chat.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{chat.title}\n{dates.full(chat.updated_at)}")
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self._described(chat)
        if role == ChatRole.HEADING:
            return self._headings[index.row()]
        return chat.id in self._answering if role == ChatRole.IS_ANSWERING else None

    def _described(self, chat: Conversation) -> str:
        parts = [dates.group(chat, self._today()), dates.full(chat.updated_at)]
        if chat.id in self._answering:
            parts.append(_("An answer is being written"))
        return " · ".join(parts)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Titles can be edited in place."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take a new title; an empty one is ignored."""
        title = str(value).strip()
        row = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not title or title == row.title:
            return False
        self._rows[index.row()] = replace(row, title=title)
        self.dataChanged.emit(index, index)
        self.renamed.emit(row.id, title)
        return True
