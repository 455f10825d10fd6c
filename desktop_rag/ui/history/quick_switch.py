"""Ctrl+K: a few letters and Enter lead to another chat, wherever one is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Conversation
from desktop_rag.domain.chats import ChatHit
from desktop_rag.domain.excerpts import Excerpt
from desktop_rag.ui.announce import announce
from desktop_rag.ui.history.hit_list import HitList
from desktop_rag.ui.history.search_field import SearchField
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted

_WIDTH, _HEIGHT = 560, 420
_RECENT = 30


class QuickSwitch(QDialog):
    """Recent chats first; then whatever holds the words, titles before messages.

    Signals:
        searched (str): the text of the field has changed.
        hit_chosen (ChatHit): to be opened; the dialogue is closed.
    """

    searched = Signal(str)
    hit_chosen = Signal(object)

    def __init__(self, theme: Theme, chats: Sequence[Conversation], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._recent = [_hit(chat) for chat in chats[:_RECENT]]
        self._build()
        self._connect()
        room = parent.size()
        self.resize(
            min(scaled(_WIDTH), room.width() - 2 * M), min(scaled(_HEIGHT), room.height() - 2 * M)
        )
        self.show_hits("", [])

    def _build(self) -> None:
        self.setObjectName("sheet")
        self.setWindowTitle(_("Go to a chat"))
        self.field = SearchField(self._theme)
        self.field.setPlaceholderText(_("Go to a chat: words of its title or of what was said"))
        self.hits = HitList(self._theme)
        self.hits.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.nothing = PlainLabel()
        self.nothing.setObjectName("smallMuted")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(M, M, M, M)
        layout.setSpacing(S)
        layout.addWidget(self.field)
        layout.addWidget(self.hits, 1)
        layout.addWidget(self.nothing, 1)

    def _connect(self) -> None:
        self.field.textChanged.connect(self.searched)
        self.field.stepped.connect(self.hits.step)
        self.field.entered.connect(self.hits.choose_current)
        self.field.left.connect(self.reject)
        self.hits.chosen.connect(self._on_chosen)

    def show_hits(self, query: str, hits: Sequence[ChatHit]) -> None:
        """What was found for a query; for none, recent chats."""
        shown = list(hits) if query else self._recent
        self.hits.show_hits(shown)
        self.hits.setVisible(bool(shown))
        self.nothing.setVisible(not shown)
        self.nothing.setText(
            _("No chat holds “{words}”.").format(words=query) if query else _("No chats yet.")
        )
        if query:
            found = counted("{n} place found", "{n} places found", len(hits))
            announce(self.field, found if hits else self.nothing.text())

    def _on_chosen(self, hit: ChatHit) -> None:
        self.accept()
        self.hit_chosen.emit(hit)


def _hit(chat: Conversation) -> ChatHit:
    return ChatHit(chat.id, Excerpt(" ".join(chat.title.split()), ()), chat.updated_at)
