"""What was found in all chats: title, date, and the place with the words marked."""

from __future__ import annotations

from collections.abc import Sequence
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
from PySide6.QtWidgets import QFrame, QListView, QWidget

from desktop_rag.domain.answers import Role
from desktop_rag.domain.chats import ChatHit
from desktop_rag.ui.history import dates
from desktop_rag.ui.history.hit_delegate import HitDelegate
from desktop_rag.ui.plain import tip
from desktop_rag.ui.row_focus import RowFocus
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

Index = QModelIndex | QPersistentModelIndex


class HitRole(IntEnum):
    """What the delegate paints."""

    HIT = Qt.ItemDataRole.UserRole
    DATE = Qt.ItemDataRole.UserRole + 1


class HitModel(QAbstractListModel):
    """Found chats and messages, in the order they were found in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[ChatHit] = []

    def replace(self, hits: Sequence[ChatHit]) -> None:
        """Show these."""
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def hit(self, index: Index) -> ChatHit:
        """Of a row."""
        return self._hits[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many were found."""
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Title, place and date."""
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return hit.title.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(f"{hit.title.text}\n{dates.full(hit.at)}")
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return _described(hit)
        if role == HitRole.DATE:
            return dates.short(hit.at, date.today())
        return hit if role == HitRole.HIT else None


def _described(hit: ChatHit) -> str:
    if hit.snippet is None:
        return dates.full(hit.at)
    said = _("You asked: {text}") if hit.role is Role.USER else _("Answer: {text}")
    return f"{said.format(text=hit.snippet.text)} · {dates.full(hit.at)}"


class HitList(QListView):
    """Signals:
    chosen (ChatHit): a click, or Enter.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hits = HitModel(self)
        self.setObjectName("hitList")
        self.setAccessibleName(_("Found in your chats"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(self.hits)
        self.setItemDelegate(HitDelegate(theme, self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        RowFocus(self)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def show_hits(self, hits: Sequence[ChatHit]) -> None:
        """Show what was found; the first is marked, so that Enter opens it."""
        self.hits.replace(hits)
        self.scrollToTop()
        if hits:
            self.setCurrentIndex(self.hits.index(0))

    def step(self, rows: int) -> None:
        """Mark another row, as the arrow keys do while the focus is in a field."""
        row = min(max(self.currentIndex().row() + rows, 0), self.hits.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self.hits.index(row))

    def choose_current(self) -> None:
        """As Enter does."""
        if self.currentIndex().isValid():
            self._on_chosen(self.currentIndex())

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(self.hits.hit(index))
