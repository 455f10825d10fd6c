"""A job on a model: how far it is, and what stops it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui.byte_size import size
from desktop_rag.ui.models_page import words
from desktop_rag.ui.models_page.work import Job, JobKind
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import S
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _, numeral

_STEPS = 1000


class ProgressRow(QWidget):
    """Signals:
    paused, cancelled: the person wants it so.
    """

    paused = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = ThinBar("")  # named by its sentence
        self.sentence = PlainLabel()
        self.sentence.setObjectName("smallMuted")
        self.sentence.setWordWrap(True)
        self.pause = QPushButton(_("Pause"))
        self.cancel = QPushButton(_("Cancel"))
        self.pause.clicked.connect(self.paused)
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.pause)
        row.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, S, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.bar)
        column.addLayout(row)
        self.hide()

    def show_job(self, job: Job | None) -> None:
        """Show how far a job is; `None` hides the row."""
        self.setVisible(job is not None)
        if job is None:
            return
        self.bar.setRange(0, _STEPS if job.total else 0)
        self.bar.setValue(round(job.share * _STEPS))
        self.sentence.setText(_sentence(job))
        self.bar.setAccessibleName(self.sentence.text())
        for button in (self.pause, self.cancel):
            button.setEnabled(not job.is_stopping)
        self.pause.setVisible(job.kind is JobKind.INSTALL)
        self.cancel.setText(_("Cancel") if job.kind in _WITH_RESULT else _("Stop"))


_WITH_RESULT = frozenset({JobKind.INSTALL, JobKind.ADD, JobKind.IMPORT, JobKind.EXPORT})


def _sentence(job: Job) -> str:
    name = words.stage(job.stage)
    if job.is_stopping:
        return _("Stopping …")
    if job.kind is JobKind.MEASURE:
        return _("Measuring; this takes up to a minute.")
    if not job.total:
        return _("{stage} …").format(stage=name)
    return _("{stage}: {done} of {total} ({percent} %)").format(
        stage=name,
        done=size(job.done),
        total=size(job.total),
        percent=numeral(int(100 * job.share)),
    )
