"""The long jobs on models: download, copy, check, measure. One at a time for the whole window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.errors import Cancelled, DesktopRagError, NotFound
from desktop_rag.ui.byte_size import size
from desktop_rag.ui.models_page.bundle_dialogs import holds_models
from desktop_rag.ui.models_page.failures import failure
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.events import ModelProgress
    from desktop_rag.domain.tuning import Tuning
    from desktop_rag.services.model_exporting import Exported
    from desktop_rag.services.model_importing import Imported
    from desktop_rag.services.models import ModelStatus
    from desktop_rag.ui.background import Background


class JobKind(StrEnum):
    """What is being done; the values are the stages of `ModelProgress`."""

    INSTALL = "downloading"
    ADD = "copying"
    VERIFY = "checking"
    MEASURE = "measuring"
    IMPORT = "importing"
    EXPORT = "exporting"


_NAMED_BY_FILE = frozenset({JobKind.ADD, JobKind.IMPORT, JobKind.EXPORT})
"""Which models they are about turns out on the way."""


@dataclass(frozen=True, slots=True)
class Job:
    """What runs now. Bytes; `total` is 0 while nobody knows."""

    kind: JobKind
    model_id: str
    """Of a file that is being added its name without the ending, of several models its name."""
    title: str
    stage: str
    done: int = 0
    total: int = 0
    is_stopping: bool = False
    """The person pressed a button, and the job has not come to where it can stop."""

    @property
    def share(self) -> float:
        """How much is done, 0 to 1."""
        return self.done / self.total if self.total else 0.0


class ModelWork(QObject):
    """Shared by the Models page, the first run and the bar in the chat; see `work_of`.

    Signals:
        changed: a job began, got on or ended.
        ended: models may be other ones now.
        told (str, str): what came of a job, and its kind.
    """

    changed = Signal()
    ended = Signal()
    told = Signal(str, str)

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self._background = background
        self._app: App | None = None
        self._is_stopped = False
        self._is_unwanted = False
        self.job: Job | None = None

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def install(self, model_id: str, title: str) -> None:
        """Download a model, or go on with it; only ever on a person's click."""
        self._begin(
            Job(JobKind.INSTALL, model_id, title, JobKind.INSTALL.value),
            lambda app: self._installed(app, model_id),
            self._on_installed,
        )

    def add(self, path: Path) -> None:
        """Copy a model from a file or a folder, or all models of a file that carries them."""
        if holds_models(path):
            self._import(path)
            return
        self._begin(
            Job(JobKind.ADD, path.stem, path.name, JobKind.VERIFY.value),
            lambda app: self._added(app, path),
            self._on_added,
        )

    def _import(self, path: Path) -> None:
        if self.job is not None:
            self.told.emit(
                _("Other work on models is not done yet: wait for it, then import the file again."),
                "warning",
            )
            return
        self._begin(
            Job(JobKind.IMPORT, path.name, path.name, JobKind.IMPORT.value),
            lambda app: self._imported(app, path),
            self._on_imported,
        )

    def export(self, path: Path, model_ids: Sequence[str] = ()) -> None:
        """Write models into a file for another computer; without any named, the usual ones."""
        self._begin(
            Job(JobKind.EXPORT, path.name, path.name, JobKind.EXPORT.value),
            lambda app: app.models.export(path, model_ids, is_cancelled=self._stopped),
            self._on_exported,
        )

    def verify(self, model_id: str, title: str) -> None:
        """Compare a model's files with their checksums."""
        self._begin(
            Job(JobKind.VERIFY, model_id, title, JobKind.VERIFY.value),
            lambda app: app.models.verify(model_id, is_cancelled=self._stopped)[0],
            self._on_verified,
        )

    def measure(self, model_id: str, title: str) -> None:
        """Find out how quick a language model is here."""
        self._begin(
            Job(JobKind.MEASURE, model_id, title, JobKind.MEASURE.value),
            lambda app: app.models.measure(model_id, is_cancelled=self._stopped),
            self._on_measured,
        )

    def pause(self) -> None:
        """Stop the job; what has arrived of a download is kept."""
        self._is_stopped = True
        self._show_stopping()

    def cancel(self) -> None:
        """Stop the job and delete what has arrived."""
        self._is_stopped = self._is_unwanted = True
        self._show_stopping()

    def _show_stopping(self) -> None:
        """A stalled connection or a busy model takes seconds to listen."""
        if self.job is not None:
            self.job = replace(self.job, is_stopping=True)
            self.changed.emit()

    def on_progress(self, progress: ModelProgress) -> None:
        """How far the job is; others may work on models too, in a terminal for instance."""
        job = self.job
        if job is None or progress.stage == "ready":
            return
        if job.model_id and job.model_id != progress.model and job.kind not in _NAMED_BY_FILE:
            return
        name = job.model_id or progress.model
        self.job = replace(
            job,
            model_id=name,
            stage=progress.stage,
            done=progress.done,
            total=progress.total,
        )
        self.changed.emit()

    def _begin(self, job: Job, call: Callable[[App], Any], on_done: Callable[[Any], None]) -> None:
        if self._app is None or self.job is not None:
            return
        app = self._app
        self._is_stopped = self._is_unwanted = False
        self.job = job
        self.changed.emit()
        self._background.run(lambda: call(app), on_done, self._on_error)

    def _installed(self, app: App, model_id: str) -> ModelStatus:
        """Download, and load the model that is to be used now. On the job's thread."""
        status = app.models.install(model_id, is_cancelled=self._stopped)
        app.warm_up()
        return status

    def _added(self, app: App, path: Path) -> ModelStatus:
        status = app.models.add(path, is_cancelled=self._stopped)
        app.warm_up()
        return status

    def _imported(self, app: App, path: Path) -> Imported:
        done = app.models.import_(path, is_cancelled=self._stopped)
        app.warm_up()
        return done

    def _stopped(self) -> bool:
        """Asked on the thread of the job."""
        return self._is_stopped

    def _end(self, sentence: str, kind: str = "info") -> None:
        self.job = None
        self.changed.emit()
        self.ended.emit()
        if sentence:
            self.told.emit(sentence, kind)

    def _on_installed(self, status: ModelStatus) -> None:
        self._end(
            _("{model} is installed: the next answer is written by it.").format(model=status.title)
            if status.is_default
            else _("{model} is installed.").format(model=status.title)
        )

    def _on_added(self, status: ModelStatus) -> None:
        self._end(_("{model} was added.").format(model=status.title))

    def _on_imported(self, done: Imported) -> None:
        if len(done.models) == 1:
            self._end(_("{model} was imported.").format(model=done.models[0].title))
        elif done.models:
            names = ", ".join(one.title for one in done.models)
            self._end(_("Imported: {models}.").format(models=names))
        else:
            self._end(_("All models of this file are installed already."))

    def _on_exported(self, done: Exported) -> None:
        self._end(
            _(
                "Written to {path} ({size}). On the other computer, import it on the page Models, "
                "or drop it on the window."
            ).format(path=done.path, size=size(done.size))
        )

    def _on_verified(self, status: ModelStatus) -> None:
        if status.state == "ready":
            self._end(_("{model} is whole: its checksum is right.").format(model=status.title))
        else:
            self._end(
                _("{model} is damaged: its checksum is wrong.").format(model=status.title),
                "warning",
            )

    def _on_measured(self, found: Tuning | None) -> None:
        if found is not None:
            self._end(_("The speed was measured."))
        elif not self._is_stopped:
            self._end(
                _(
                    "Other programs kept the processor busy, so nothing could be measured. Try "
                    "again when the computer has nothing else to do."
                ),
                "warning",
            )
        else:
            self._end("")

    def _on_error(self, error: DesktopRagError) -> None:
        job = self.job
        if not isinstance(error, Cancelled) or job is None:
            self._end(failure(error), "warning")
        elif job.kind is not JobKind.INSTALL:
            self._end("")
        elif self._is_unwanted:
            self._discard(job.model_id)
        else:
            self._end(_("Paused at {done}. What has arrived is kept.").format(done=size(job.done)))

    def _discard(self, model_id: str) -> None:
        app = self._app
        if app is None:
            return

        def remove() -> None:
            try:
                app.models.remove(model_id)
            except NotFound:
                return  # nothing had arrived

        self._background.run(
            remove,
            lambda _none: self._end(_("The download was cancelled; nothing of it is kept.")),
            lambda error: self._end(failure(error), "warning"),
        )


def work_of(background: Background) -> ModelWork:
    """The one `ModelWork` of a window."""
    found = background.findChild(ModelWork)
    return found if isinstance(found, ModelWork) else ModelWork(background)
