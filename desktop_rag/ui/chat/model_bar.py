"""Says above the composer when no language model writes answers, why, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import EngineState, ModelProgress
from desktop_rag.ui.announce import announce
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.models_page.work import JobKind, work_of
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, numeral

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background

_PATIENCE_MS = 5000
"""A model that loads more quickly than this is not worth a word."""


class ModelBar(NoticeBar):
    """Hidden while a language model is ready, and when it was dismissed until something changes.

    Signals:
        page_requested (str): the Models page is wanted.
    """

    page_requested = Signal(str)

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(theme, "info", parent=parent)
        self._background = background
        self._app: App | None = None
        self._work = work_of(background)
        self._is_missing = self._is_empty = False
        self._is_dismissed = False
        self._engine = EngineState("llm", "")
        self._since = QElapsedTimer()
        self._since.start()
        self.add_model = QPushButton(_("Add a language model"))
        self.restart = QPushButton(_("Restart"))
        for button in (self.restart, self.add_model):
            self.add_button(button)
        self._tick = QTimer(self)
        self._tick.setInterval(1000)
        self._tick.timeout.connect(self._refresh)
        self.add_model.clicked.connect(lambda: self.page_requested.emit("models"))
        self.restart.clicked.connect(self._on_restart)
        self.closed.connect(self._on_dismissed)
        self._work.changed.connect(self._refresh)
        self.hide()

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self._work.attach(app)

    def stop(self) -> None:
        """The window closes: stop a running job; what has arrived of a download is kept."""
        self._work.pause()
        self._tick.stop()

    def show_status(self, *, has_model: bool, has_files: bool) -> None:
        """Whether there is a model to write answers, and anything to answer from."""
        if self._is_missing == has_model:
            self._is_dismissed = False
        self._is_missing, self._is_empty = not has_model, not has_files
        self._refresh()

    def show_progress(self, progress: ModelProgress) -> None:
        """A model arrives, is copied or is checked."""
        self._work.on_progress(progress)

    def show_engine(self, state: EngineState) -> None:
        """The language model's worker starts, is ready, stopped or was given up."""
        if state.state != self._engine.state:
            self._since.start()
            self._is_dismissed = False
        self._engine = state
        if state.state == "starting":
            self._tick.start()
        else:
            self._tick.stop()
        self._refresh()
        if state.state == "unavailable" and self.isVisible():
            announce(self, self.sentence.text(), is_urgent=True)

    def _refresh(self) -> None:
        sentence, kind = self._sentence()
        self.add_model.setVisible(self._is_missing)
        is_broken = not self._is_missing and self._engine.state == "unavailable"
        self.restart.setVisible(is_broken)
        self.restart.setEnabled(True)
        if sentence:
            self.say(sentence, kind)
        self.setVisible(bool(sentence) and not self._is_empty and not self._is_dismissed)

    def _sentence(self) -> tuple[str, str]:
        job = self._work.job
        if self._is_missing and job is not None and job.kind is JobKind.INSTALL and job.total:
            text = _("The language model arrives: {done} of {total}.")
            done, total = size(job.done), size(job.total)
            return text.format(done=done, total=total), "info"
        if self._is_missing:
            return _(
                "No language model is ready: answers are quoted from your documents word for word."
            ), "info"
        if self._engine.state == "unavailable":
            text = _("The language model does not work. {reason}")
            return text.format(reason=self._engine.detail), "warning"
        if self._engine.state == "starting" and self._since.elapsed() > _PATIENCE_MS:
            text = _("The language model is being loaded, {seconds} s so far …")
            return text.format(seconds=numeral(self._since.elapsed() // 1000)), "info"
        return "", "info"

    def _on_restart(self) -> None:
        if self._app is None:
            return
        app = self._app
        self.restart.setEnabled(False)
        self.say(_("The language model is being started again …"), "info")
        self._background.run(lambda: app.restart_engine("llm"), None, self._on_restart_failed)

    def _on_restart_failed(self, error: DesktopRagError) -> None:
        self.show_engine(EngineState("llm", "unavailable", error.message))

    def _on_dismissed(self) -> None:
        self._is_dismissed = True
