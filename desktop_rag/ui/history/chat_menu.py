"""The menu of one chat, or of several marked ones."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.domain.answers import Conversation
from desktop_rag.ui import icons
from desktop_rag.ui.history.export_menu import ExportMenu
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, counted


class ChatMenu(QMenu):
    """Signals:
    rename_requested (Conversation), pin_requested (list[ConversationId], bool),
    export_requested (Conversation, str), removal_requested (list[Conversation])
    """

    rename_requested = Signal(object)
    pin_requested = Signal(object, bool)
    export_requested = Signal(object, str)
    removal_requested = Signal(object)

    def __init__(self, theme: Theme, chats: Sequence[Conversation], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._chats = list(chats)
        self._add_pin()
        if len(self._chats) == 1:
            self._add_rename(self._chats[0])
            self._add_export(self._chats[0])
        self.addSeparator()
        self._add_removal()

    def _add_pin(self) -> None:
        is_pinned = all(chat.is_pinned for chat in self._chats)
        icon = icons.icon("unpin" if is_pinned else "pin", self._theme.colours.muted)
        action = self.addAction(icon, _("Unpin") if is_pinned else _("Pin"))
        ids = [chat.id for chat in self._chats]
        action.triggered.connect(lambda: self.pin_requested.emit(ids, not is_pinned))

    def _add_rename(self, chat: Conversation) -> None:
        action = self.addAction(icons.icon("rename", self._theme.colours.muted), _("Rename"))
        action.triggered.connect(lambda: self.rename_requested.emit(chat))

    def _add_export(self, chat: Conversation) -> None:
        self.export = ExportMenu(self)
        self.export.setTitle(_("Export as"))
        self.export.setIcon(icons.icon("export", self._theme.colours.muted))
        self.export.kind_chosen.connect(lambda kind: self.export_requested.emit(chat, kind))
        self.addMenu(self.export)

    def _add_removal(self) -> None:
        label = _("Delete")
        if len(self._chats) > 1:
            label = counted("Delete {n} chat", "Delete {n} chats", len(self._chats))
        action = self.addAction(icons.icon("trash", self._theme.colours.danger), label)
        action.triggered.connect(lambda: self.removal_requested.emit(self._chats))
