"""What happens in the engine room, told where the window shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rag.domain.errors import Paused, RoleUnavailable
from desktop_rag.domain.events import (
    EngineState,
    IndexingPaused,
    IndexingProgress,
    ModelProgress,
    WatchingChanged,
)
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.ui.bridge import Bridge
    from desktop_rag.ui.chat.model_bar import ModelBar
    from desktop_rag.ui.library.progress import ProgressStrip
    from desktop_rag.ui.notices import Notices


class News(QObject):
    """Passes events on to the strip of progress, the bar of the model, and the notices."""

    def __init__(
        self,
        bridge: Bridge,
        strip: ProgressStrip,
        models: ModelBar,
        notices: Notices,
        restart: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._strip = strip
        self._models = models
        self._notices = notices
        self._restart = restart
        self._trouble = ("", "")
        """Role (empty: indexing) and sentence of what was told last and may end by itself."""
        bridge.progress.connect(self._on_progress)
        bridge.paused.connect(self._on_paused)
        bridge.watching.connect(self._on_watching)
        bridge.model_progress.connect(self._on_model_progress)
        bridge.engine_state.connect(self._on_engine_state)

    def _on_progress(self, progress: IndexingProgress) -> None:
        self._end_trouble("")
        self._strip.show_progress(progress)

    def _on_paused(self, paused: IndexingPaused) -> None:
        self._strip.show_pause(paused.reason)
        # An engine that gave up has told it already, with a button to start it again.
        if paused.code not in {Paused.code, RoleUnavailable.code}:
            self._notices.tell(paused.reason)
            self._note_trouble("")

    def _on_watching(self, watching: WatchingChanged) -> None:
        if watching.limit:
            self._notices.tell(watching.limit)

    def _on_model_progress(self, progress: ModelProgress) -> None:
        self._models.show_progress(progress)

    def _on_engine_state(self, state: EngineState) -> None:
        if state.role == "llm":
            self._models.show_engine(state)  # which has a button to do something about it
        elif state.state == "ready":
            self._end_trouble(state.role)
        elif state.state == "unavailable" and state.detail:
            self._notices.tell_with(
                state.detail, _("Start it again"), lambda: self._restart(state.role)
            )
            self._note_trouble(state.role)

    def _note_trouble(self, role: str) -> None:
        self._trouble = (role, self._notices.notice.sentence.text())

    def _end_trouble(self, role: str) -> None:
        """It goes on: what was told of it is no longer true."""
        if self._trouble == (role, self._notices.notice.sentence.text()):
            self._notices.notice.hide()
