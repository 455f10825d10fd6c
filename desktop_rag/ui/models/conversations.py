"""The list of chats."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.ui.plain import tip

Index = QModelIndex | QPersistentModelIndex


class ConversationModel(QAbstractListModel):
    """Chats, newest first, each with an editable title.

    Signals:
        renamed (ConversationId, str): the person typed another title.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Conversation] = []

    def replace(self, conversations: Sequence[Conversation]) -> None:
        """Show these chats; keeps the selection when only titles changed."""
        rows = list(conversations)
        if [row.id for row in rows] == [row.id for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

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
        """The title, for showing, editing, tool tips and screen readers."""
        wanted = {
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.EditRole,
            Qt.ItemDataRole.ToolTipRole,
            Qt.ItemDataRole.AccessibleTextRole,
        }
        if role not in wanted or not index.isValid():
            return None
        title = self._rows[index.row()].title
        return tip(title) if role == Qt.ItemDataRole.ToolTipRole else title

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Titles can be edited in place."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take a new title; an empty one is ignored."""
        title = str(value).strip()
        row = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not title or title == row.title:
            return False
        self._rows[index.row()] = Conversation(row.id, title, row.updated_at)
        self.dataChanged.emit(index, index)
        self.renamed.emit(row.id, title)
        return True
