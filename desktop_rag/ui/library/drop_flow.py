"""Adds what was dropped or chosen: looked at and counted first, asked about when it is much."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.domain.library import Dropped, Intake
from desktop_rag.ui.background import Background, Task
from desktop_rag.ui.library import drop_words
from desktop_rag.ui.library.counting_dialog import CountingDialog
from desktop_rag.ui.translation import counted

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.theme import Theme

MANY_FILES = 5000
"""More than this are asked about: they take hours to read."""
_PATIENCE_MS = 500
"""What is counted sooner needs no dialog."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    sentence: str
    kind: str
    refused: list[Dropped]
    is_changed: bool


class DropFlow(QObject):
    """One drop at a time per object; make a new one for each.

    Signals:
        told (str, str, list[Dropped]): the outcome, its kind, and what was left out.
        changed: something was added.
        asked_for (list[str]): the person wants these in the library; it may have them already.
        finished: whatever came of it.
    """

    told = Signal(str, str, object)
    changed = Signal()
    asked_for = Signal(object)
    finished = Signal()
    _counted = Signal(int)

    def __init__(self, background: Background, over: QWidget, theme: Theme) -> None:
        super().__init__(over)
        self._background = background
        self._is_stopped = threading.Event()
        self._app: App | None = None
        self.dialog = CountingDialog(theme, over)
        self.dialog.stopped.connect(self._on_stopped)
        self.dialog.confirmed.connect(self._on_confirmed)
        self._intake: Intake | None = None
        self._is_much = False
        self._task: Task | None = None
        self._counted.connect(self.dialog.show_count)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PATIENCE_MS)
        self._timer.timeout.connect(self.dialog.open)

    def start(self, app: App, read: Callable[[], Sequence[str]]) -> None:
        """Look at paths and addresses, then add what can be added.

        `read` gives them, on a background thread: of a hundred thousand even that takes time.
        """
        self._app = app
        self._timer.start()

        def look() -> tuple[Intake, str]:
            intake = app.receiving.look_at(read(), self._on_count)
            return intake, drop_words.question(intake) if intake.files > MANY_FILES else ""

        self._task = self._background.run(look, self._on_looked, self._on_failed)

    def give_up(self) -> bool:
        """The window goes: stop looking. False when the person has stopped it already."""
        was_wanted = not self._is_stopped.is_set()
        self._is_stopped.set()
        if self._task is not None:
            self._task.forget()
        return was_wanted

    def _on_count(self, count: int) -> None:
        """On a background thread."""
        if self._is_stopped.is_set():
            raise Cancelled("Counting was stopped.")
        self._counted.emit(count)

    def _on_looked(self, found: tuple[Intake, str]) -> None:
        intake, question = found
        self._timer.stop()
        if self._is_stopped.is_set():
            self._end()
            return
        self.asked_for.emit([one.path for one in intake.items if one.path])
        self._intake = intake
        self._is_much = bool(question)
        if question:
            self.dialog.ask(question)
        else:
            self._add(intake)

    def _on_confirmed(self) -> None:
        if self._intake is not None:
            self._add(self._intake)

    def _add(self, intake: Intake) -> None:
        self.dialog.hide()
        app = self._app
        if app is None:
            self._end()
            return
        if self._is_much:
            adding = counted("Adding {n} file …", "Adding {n} files …", intake.files)
            self.told.emit(adding, "info", [])
        self._task = self._background.run(
            lambda: _added(app, intake), self._on_added, self._on_failed
        )

    def _on_added(self, outcome: _Outcome) -> None:
        if outcome.is_changed:
            self.changed.emit()
        if outcome.sentence:
            self.told.emit(outcome.sentence, outcome.kind, outcome.refused)
        self._end()

    def _on_stopped(self) -> None:
        self._is_stopped.set()
        self._timer.stop()
        if self._intake is not None:
            self._end()

    def _on_failed(self, error: DesktopRagError) -> None:
        if not isinstance(error, Cancelled):
            self.told.emit(error.message, "warning", [])
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self.dialog.hide()
        self.dialog.deleteLater()
        self.finished.emit()
        self.deleteLater()


def _added(app: App, intake: Intake) -> _Outcome:
    """Add what can be added. Called on a background thread."""
    paths = [Path(item.path) for item in intake.wanted]
    report = app.add(paths) if paths else None
    sentence, kind = drop_words.outcome(intake, report)
    return _Outcome(sentence, kind, drop_words.refusals(intake, report), bool(paths))
