"""Says that there is no language model, and installs one when the person asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import ModelProgress
from desktop_rag.ui import words
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import Theme

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background

INSTALL_COMMAND = "desktop-rag models install"
_MISSING = (
    "No language model is installed: answers are quoted from your documents word for word. "
    "For written answers, install one here or in a terminal:"
)


class ModelBar(NoticeBar):
    """Nothing is downloaded before the button is pressed; a second press cancels."""

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        self._background = background
        self._app: App | None = None
        self._is_installing = False
        self._is_cancelled = False
        super().__init__(theme, "info", INSTALL_COMMAND, parent)
        self.install = QPushButton("Install")
        self.add_action(self.install)
        self.install.clicked.connect(self._on_pressed)
        self.say(_MISSING)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def stop(self) -> None:
        """Cancel a running download; what has arrived is kept for the next try."""
        self._is_cancelled = True

    def show_progress(self, progress: ModelProgress) -> None:
        """How much has arrived."""
        if self._is_installing:
            total = f" of {words.size(progress.total)}" if progress.total else ""
            self.say(f"{progress.stage.capitalize()}: {words.size(progress.done)}{total}")

    def _on_pressed(self) -> None:
        if self._is_installing:
            self.stop()
            return
        if self._app is None:
            return
        models = self._app.models
        self._is_installing, self._is_cancelled = True, False
        self.install.setText("Cancel")
        self.say("Looking for the model that suits this computer …")
        self._background.run(
            lambda: models.install(models.suggested_llm(), is_cancelled=lambda: self._is_cancelled),
            lambda _: self._end("Installed: the next answer is written by the language model."),
            self._on_error,
        )

    def _on_error(self, error: DesktopRagError) -> None:
        self._end(_MISSING if error.code == "cancelled" else error.message)

    def _end(self, sentence: str) -> None:
        self._is_installing = False
        self.install.setText("Install")
        self.say(sentence)
