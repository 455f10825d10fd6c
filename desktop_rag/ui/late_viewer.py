"""The viewer beside the chat, which costs nothing until something is to be read there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge
    from desktop_rag.ui.columns import Columns
    from desktop_rag.ui.theme import Theme
    from desktop_rag.ui.viewer.viewer_panel import Reading, ViewerPanel


class LateViewer(QObject):
    """Makes the `viewer` when it is first asked for.

    Signals:
        closed, ask_requested: of the viewer.
    """

    closed = Signal()
    ask_requested = Signal(str, str)

    def __init__(
        self, theme: Theme, background: Background, bridge: Bridge, columns: Columns
    ) -> None:
        super().__init__(columns)
        self._theme = theme
        self._background = background
        self._bridge = bridge
        self._columns = columns
        self._app: App | None = None
        self._viewer: ViewerPanel | None = None

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        if self._viewer is not None:
            self._viewer.attach(app)

    @property
    def is_made(self) -> bool:
        """Whether there is one."""
        return self._viewer is not None

    @property
    def reading(self) -> Reading | None:
        """What is read, if anything."""
        return self._viewer.reading if self._viewer is not None else None

    @property
    def viewer(self) -> ViewerPanel:
        """Made now if nobody has needed it yet."""
        if self._viewer is None:
            self._viewer = self._make()
        return self._viewer

    def _make(self) -> ViewerPanel:
        from desktop_rag.ui.viewer.viewer_panel import ViewerPanel

        made = ViewerPanel(self._theme, self._background)
        made.closed.connect(self.closed)
        made.ask_requested.connect(self.ask_requested)
        self._bridge.library_changed.connect(lambda _: made.on_library_changed())
        self._bridge.completed.connect(lambda done: made.expect(done.answer.citations))
        self._columns.put_viewer(made)
        if self._app is not None:
            made.attach(self._app)
        return made
