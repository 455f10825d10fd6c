"""The list of chats: opening, marking several, and the button with three dots."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop_rag.domain.answers import Conversation, ConversationId
from desktop_rag.ui.chat_row_delegate import ChatRowDelegate
from desktop_rag.ui.models.conversations import ChatRole, ConversationModel, Index
from desktop_rag.ui.row_focus import RowFocus
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class ChatList(QListView):
    """Chats in their groups; hundreds of them cost no more than those in view.

    Signals:
        chosen (ConversationId): a chat shall be opened.
        removal_requested (list[Conversation]): the Delete key.
        menu_requested (QModelIndex, QPoint): the button of a row or a context menu; a place on
            the screen.
    """

    chosen = Signal(object)
    removal_requested = Signal(object)
    menu_requested = Signal(QModelIndex, QPoint)

    def __init__(
        self, theme: Theme, model: ConversationModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._chats = model
        self._build(theme)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        self.customContextMenuRequested.connect(self._on_context_menu)

    def _build(self, theme: Theme) -> None:
        self.setObjectName("chatList")
        self.setAccessibleName(_("Chats"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(self._chats)
        self._rows = ChatRowDelegate(theme, self)
        self.setItemDelegate(self._rows)
        self.setMouseTracking(True)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        RowFocus(self)

    def dataChanged(self, top: Index, bottom: Index, roles: Sequence[int] = ()) -> None:
        """Qt would ask for the size of all rows again, also when none of them became higher."""
        if not roles or ChatRole.HEADING in roles:
            super().dataChanged(top, bottom, list(roles))
            return
        area = self.viewport().rect()
        first, last = self.indexAt(area.topLeft()), self.indexAt(area.bottomLeft())
        start = max(top.row(), first.row())
        end = min(bottom.row(), last.row()) if last.isValid() else bottom.row()
        if start <= end:
            model = self._chats
            QAbstractItemView.dataChanged(self, model.index(start), model.index(end), list(roles))

    def mark(self, conversation: ConversationId | None) -> None:
        """Mark the open chat; several that the person has marked stay as they are."""
        row = self._chats.row_of(conversation)
        if row < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif len(self.selectedIndexes()) < 2 or not self.hasFocus():
            self.setCurrentIndex(self._chats.index(row))

    def marked(self) -> list[Conversation]:
        """What a key acts on: the marked chats, or the one with the focus."""
        rows = self.selectedIndexes() or [self.currentIndex()]
        return [self._chats.conversation(one) for one in rows if one.isValid()]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes what is marked."""
        is_editing = self.state() == QAbstractItemView.State.EditingState
        if event.matches(QKeySequence.StandardKey.Delete) and not is_editing:
            if marked := self.marked():
                self.removal_requested.emit(marked)
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A heading is no chat; the button opens the menu and nothing else."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._is_heading(index, event):
            return
        if index.isValid() and self._is_button(index, event):
            self.menu_requested.emit(index, event.globalPosition().toPoint())
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As for a single press; on a title it is to be typed anew."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and (self._is_heading(index, event) or self._is_button(index, event)):
            return
        super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The button shows where the pointer is."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.viewport().update(self.visualRect(index))

    def changeEvent(self, event: QEvent) -> None:
        """Text of another size makes rows of another height."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.scheduleDelayedItemsLayout()

    def _is_heading(self, index: QModelIndex, event: QMouseEvent) -> bool:
        row = self._rows.row_rect(self.visualRect(index), index)
        return not row.contains(event.position().toPoint())

    def _is_button(self, index: QModelIndex, event: QMouseEvent) -> bool:
        button = self._rows.menu_rect(self.visualRect(index), index)
        is_left = event.button() == Qt.MouseButton.LeftButton
        return is_left and button.contains(event.position().toPoint())

    def _on_clicked(self, index: QModelIndex) -> None:
        # With Ctrl or Shift the person marks several.
        if len(self.selectedIndexes()) == 1:
            self.chosen.emit(self._chats.conversation(index).id)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._chats.conversation(index).id)

    def _on_context_menu(self, position: QPoint) -> None:
        index = self.indexAt(position)
        if index.isValid():
            self.menu_requested.emit(index, self.viewport().mapToGlobal(position))
