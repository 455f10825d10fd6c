"""Where the person left off: kept at the end, shown again at the next start.

Shown once the library is open, one thing after another; what is gone meanwhile is passed over.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from desktop_rag.domain.answers import ConversationId, MessageId
from desktop_rag.ui.pages import FIRST_RUN
from desktop_rag.ui.preferences_store import Preferences

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.placing import Placed
    from desktop_rag.ui.main_window import MainWindow

_KEY = "session"
_MAX_DRAFT = 100_000


@dataclass(frozen=True, slots=True)
class SessionState:
    """What is open in a window."""

    chat: int = 0
    """0 for a chat that has not begun."""
    message: int = 0
    """At the top of the view; 0 for the end of the chat."""
    page: str = ""
    draft: str = ""
    columns: tuple[int, ...] = ()
    """Widths of sidebar, middle and viewer."""
    document: str = ""
    """Path of the file in the viewer; empty when that is closed."""
    document_page: int = 0
    quote: str = ""


class SessionMemory:
    """Keeps one state in the preferences of the window."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    def keep(self, window: MainWindow) -> None:
        """Remember what is open now; nothing where the person does not want that."""
        is_wanted = self._preferences.restores_session
        state = self.state_of(window) if is_wanted else SessionState()
        text = json.dumps(asdict(state))
        if text != self._preferences.text(_KEY):
            self._preferences.set_text(_KEY, text)
            self._preferences.save()

    def restore(self, window: MainWindow, app: App) -> None:
        """Show what was open at the end of the last run."""
        self.show(window, app, _state(self._preferences.text(_KEY)))

    def state_of(self, window: MainWindow) -> SessionState:
        """What is open now."""
        reading = window.late_viewer.reading
        return SessionState(
            chat=int(window.session.conversation or 0),
            message=int(window.chat.messages.place or 0),
            page=window.pages.current,
            draft=window.chat.composer.draft[:_MAX_DRAFT],
            columns=tuple(window.columns.sizes()),
            document=reading.path if reading else "",
            document_page=reading.page or 0 if reading else 0,
            quote=reading.quote if reading else "",
        )

    def show(self, window: MainWindow, app: App, state: SessionState) -> None:
        """Open it. What the person opened first stays open."""
        if state.draft and not window.chat.composer.edit.toPlainText():
            window.chat.composer.edit.setPlainText(state.draft)
        if state.page in window.pages.keys and state.page != FIRST_RUN:
            window.show_page(state.page)
        if state.chat:
            chat = ConversationId(state.chat)
            window.background.run(
                lambda: any(one.id == chat for one in app.conversations()),
                lambda is_there: _open_chat(window, chat, state) if is_there else None,
            )
        if state.document:
            window.background.run(
                lambda: app.placing.find(
                    Path(state.document), state.document_page or None, state.quote
                ),
                lambda placed: _open_document(window, placed, state),
            )
        else:
            _set_columns(window, state)


def _set_columns(window: MainWindow, state: SessionState) -> None:
    if len(state.columns) == window.columns.count() and any(state.columns):
        window.columns.setSizes(list(state.columns))


def _open_chat(window: MainWindow, chat: ConversationId, state: SessionState) -> None:
    session = window.session
    # Whoever has turned to a chat since the start, or begun one, means that one.
    if session.conversation is not None or session.is_busy or session.has_turned:
        return
    if state.message:
        message = MessageId(state.message)
        session.opened.connect(
            lambda *_: window.chat.messages.go_to(message),
            Qt.ConnectionType.SingleShotConnection,
        )
    window.chat.keep_draft(chat)
    session.open(chat)
    window.sidebar.mark(chat)


def _open_document(window: MainWindow, placed: Placed, state: SessionState) -> None:
    if placed.file is None or window.columns.is_viewer_open:
        return
    if placed.citation is not None:
        window.show_place(placed.citation)
    else:
        window.show_document(placed.file)
    _set_columns(window, state)


def _state(text: str) -> SessionState:
    """What was kept; an empty state for what makes no sense."""
    try:
        found: dict[str, Any] = json.loads(text)
        columns = tuple(max(int(one), 0) for one in found.pop("columns", ()))
        kinds = {name: type(value) for name, value in asdict(SessionState()).items()}
        known = {name: kinds[name](value) for name, value in found.items() if name in kinds}
        return SessionState(columns=columns, **known)
    except (ValueError, TypeError, AttributeError):
        return SessionState()
