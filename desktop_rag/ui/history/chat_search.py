"""Looks for words in all chats while they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_rag.ui.background import while_alive

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background, Task

_PAUSE_MS = 80
"""Between two keys of a quick typist."""


class ChatSearch(QObject):
    """Only what was typed last is looked for; what came before is dropped.

    Signals:
        found (str, list[ChatHit]): for a query; an empty query finds nothing at once.
    """

    found = Signal(str, object)

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._app: App | None = None
        self._query = ""
        self._task: Task | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._look)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def look_for(self, query: str) -> None:
        """The person typed this."""
        self._query = query.strip()
        if self._task is not None:
            self._task.forget()
        if self._query:
            self._pause.start()
        else:
            self._pause.stop()
            self.found.emit("", [])

    def look_again(self) -> None:
        """Chats have changed."""
        if self._query:
            self._pause.start()

    def _look(self) -> None:
        if self._app is None:
            return
        app, query = self._app, self._query
        self._task = self._background.run(
            lambda: app.history.search(query),
            while_alive(self, lambda hits: self.found.emit(query, hits)),
        )
