"""Decides what is worth a notification. Only what a person cannot see, and nothing of a document.

Neither an answer nor a passage is ever shown: notifications stay on lock screens and in lists of
the desktop. A question is shown only when that was chosen and no personal data is to be masked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.answers import ConversationId
from desktop_rag.domain.errors import Cancelled, Paused
from desktop_rag.domain.events import (
    AnswerCompleted,
    AnswerFailed,
    EngineState,
    IndexingPaused,
    IndexingProgress,
)
from desktop_rag.ui.preferences_store import Preferences
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.ui.bridge import Bridge

_LEAST_FILES = 2
"""One file that was saved again is no news."""
_QUESTION_CHARS = 120


class Notifications(QObject):
    """Listens to a window's events.

    Signals:
        said (str, str, object): a title, a sentence, and the chat to open on a click or None.
    """

    said = Signal(str, str, object)

    def __init__(
        self,
        window: QWidget,
        bridge: Bridge,
        preferences: Preferences,
        is_masking: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._preferences = preferences
        self._is_masking = is_masking
        self._total = 0
        bridge.completed.connect(self._on_completed)
        bridge.failed.connect(self._on_failed)
        bridge.progress.connect(self._on_progress)
        bridge.paused.connect(self._on_paused)
        bridge.engine_state.connect(self._on_engine_state)

    def _say(self, title: str, sentence: str, conversation: ConversationId | None = None) -> None:
        is_seen = self._window.isVisible() and not self._window.isMinimized()
        if self._preferences.notifies and not is_seen:
            self.said.emit(title, sentence, conversation)

    def _on_completed(self, event: AnswerCompleted) -> None:
        if event.answer.stopped:
            return
        sentence = (
            _("Your question has an answer.")
            if event.answer.found
            else _("Your documents do not say.")
        )
        if self._preferences.names_in_notifications and not self._is_masking():
            question = " ".join(event.answer.question.split())
            sentence = f"{_short(question)}\n{sentence}"
        self._say(_("The answer is ready"), sentence, event.conversation)

    def _on_failed(self, event: AnswerFailed) -> None:
        if event.code != Cancelled.code:
            self._say(
                _("No answer"),
                _("Your question could not be answered. Open the chat to see why."),
                event.conversation,
            )

    def _on_progress(self, progress: IndexingProgress) -> None:
        if progress.path and progress.done < progress.total:
            self._total = max(self._total, progress.total)
            return
        total, self._total = self._total, 0
        if total >= _LEAST_FILES:
            self._say(_("All files are read"), _finished(progress))

    def _on_paused(self, paused: IndexingPaused) -> None:
        if paused.code != Paused.code:
            self._say(_("Reading waits"), _("Open the window to see what is missing."))

    def _on_engine_state(self, state: EngineState) -> None:
        # A role without its model is no news, and nothing that could be mended at once.
        if state.state == "unavailable" and state.role != "llm":
            self._say(_("Something does not work"), _("Open the window to see what is missing."))


def _finished(progress: IndexingProgress) -> str:
    if progress.failed:
        return counted(
            "Your library is up to date; {n} file could not be read.",
            "Your library is up to date; {n} files could not be read.",
            progress.failed,
        )
    return _("Your library is up to date.")


def _short(question: str) -> str:
    if len(question) <= _QUESTION_CHARS:
        return question
    return question[: _QUESTION_CHARS - 1].rstrip() + "…"
