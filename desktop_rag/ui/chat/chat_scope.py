"""Which part of the library the open chat asks. No widgets; the composer shows what this says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.choices import Choice, Resolved
from desktop_rag.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_rag.app import App
    from desktop_rag.domain.answers import ConversationId
    from desktop_rag.ui.background import Background


class ChatScope(QObject):
    """A choice and what of it is still in the library.

    Signals:
        changed (Resolved): another choice, or another chat's.
        nothing_left (str): a question was not asked: all that was chosen to be searched is gone.
        left (str): a question was not asked: another chat was opened meanwhile.
    """

    changed = Signal(object)
    nothing_left = Signal(str)
    left = Signal(str)

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._app: App | None = None
        self._resolved = Resolved()
        self._turn = 0

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    @property
    def choice(self) -> Choice:
        """What was chosen."""
        return self._resolved.choice

    @property
    def scope(self) -> Scope:
        """Which documents are asked."""
        return self._resolved.scope

    def leave(self) -> None:
        """Another chat is being opened: what is on its way is not for that one."""
        self._turn += 1

    def show(self, resolved: Resolved) -> None:
        """Another chat is shown."""
        self.leave()
        self._take(resolved)

    def choose(self, choice: Choice, conversation: ConversationId | None) -> None:
        """Ask another part of the library from now on; kept with a chat that is stored."""
        if self._app is None:
            return
        app, turn = self._app, self._turn

        def keep() -> Resolved:
            if conversation is not None:
                app.scopes.choose(conversation, choice)
            return app.scopes.resolved(choice)

        self._background.run(keep, lambda resolved: self._take_in_turn(turn, resolved))

    def if_anything_is_left(self, question: str, go: Callable[[], None]) -> None:
        """Go on, unless all chosen files have left; the whole library is not asked unbidden."""
        if self._app is None or self.choice.is_everything:
            go()
            return
        app, choice, turn = self._app, self.choice, self._turn

        def look(resolved: Resolved) -> None:
            if turn != self._turn:
                self.left.emit(question)
                return
            self._take(resolved)
            if resolved.has_nothing:
                self.nothing_left.emit(question)
            else:
                go()

        self._background.run(lambda: app.scopes.resolved(choice), look)

    def _take_in_turn(self, turn: int, resolved: Resolved) -> None:
        if turn == self._turn:
            self._take(resolved)

    def _take(self, resolved: Resolved) -> None:
        if resolved != self._resolved:
            self._resolved = resolved
            self.changed.emit(resolved)
