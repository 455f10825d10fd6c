"""How far indexing is: a thin bar with the file being read, the counts, and a way to pause."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui import words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _, counted, numeral
from desktop_rag.ui.window_words import in_window


class ProgressStrip(QWidget):
    """Visible only while there is something to do or a reason why it waits.

    Signals:
        pause_requested, resume_requested
    """

    pause_requested = Signal()
    resume_requested = Signal()

    def __init__(
        self, theme: Theme, *, is_compact: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_compact = is_compact
        self._is_paused = False
        self._last: IndexingProgress | None = None
        self._build()
        self.hide()

    def _build(self) -> None:
        self.bar = ThinBar(_("Indexing progress"))
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setObjectName("smallText")
        self.counts = PlainLabel()
        self.counts.setObjectName("smallMuted")
        self.pause = QPushButton(_("Pause"))
        self.pause.setObjectName("quietButton")
        self.pause.clicked.connect(self._on_pause)
        if self._is_compact:
            self.pause.hide()
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.name, 1)
        row.addWidget(self.counts)
        row.addWidget(self.pause)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(XS + 2)
        layout.addLayout(row)
        layout.addWidget(self.bar)

    def show_progress(self, progress: IndexingProgress) -> None:
        """Bring the bar up to date."""
        is_working = progress.done + progress.failed < progress.total or progress.is_yielding
        if self._is_compact and self._last is not None and not is_working:
            announce(self.window(), _all_read(progress))
        self._last = progress if is_working else None
        if self._is_paused and (progress.path or not is_working):
            self._set_paused(is_paused=False)
        self.setVisible(is_working)
        if is_working:
            self._show_work(progress)

    def _show_work(self, progress: IndexingProgress) -> None:
        done, total = progress.done + progress.failed, progress.total
        if progress.page:
            # A long scan moves the bar page by page, in a library of one file, too.
            done, total = done * progress.pages + progress.page - 1, total * progress.pages
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.bar.show()
        self.name.setText(_activity(progress))
        self.counts.setText(self._counts(progress))

    def show_pause(self, reason: str) -> None:
        """Why indexing waits."""
        self.bar.hide()
        self.name.setText(in_window(reason))
        self.counts.clear()
        self.show()

    def show_paused(self, *, is_paused: bool, queued: int = 0) -> None:
        """Whether the person paused indexing, and how many files wait; both stay in sight."""
        if is_paused:
            self.show_pause(_("Indexing is paused."))
            if queued:
                self.counts.setText(counted("{n} file waits", "{n} files wait", queued))
        elif self._is_paused and self._last is None:
            self.hide()
        elif queued and self._last is None:
            self.show_pause(counted("{n} file waits", "{n} files wait", queued))
        elif not queued and self._last is None:
            self.hide()
        self._set_paused(is_paused=is_paused)

    def _set_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self.pause.setText(_("Resume") if is_paused else _("Pause"))

    def _on_pause(self) -> None:
        (self.resume_requested if self._is_paused else self.pause_requested).emit()

    def _counts(self, progress: IndexingProgress) -> str:
        counts = _("{done} of {total}").format(
            done=numeral(progress.done), total=numeral(progress.total)
        )
        if self._is_compact:
            return counts
        parts = [counts]
        if progress.failed:
            parts.append(counted("{n} failed", "{n} failed", progress.failed))
        if not progress.is_yielding:
            parts += _speed(progress)
        return " · ".join(parts)


def _all_read(progress: IndexingProgress) -> str:
    """For who does not see the bar go."""
    if not progress.failed:
        return _("All files were read.")
    failed = counted("{n} failed", "{n} failed", progress.failed)
    return _("All files were read, {failed}.").format(failed=failed)


def _speed(progress: IndexingProgress) -> list[str]:
    """How fast it goes and how long it takes, as far as that is known."""
    parts = []
    if progress.files_per_minute:
        parts.append(_("{n} files/min").format(n=_rounded(progress.files_per_minute)))
    if progress.pages_per_second:
        parts.append(_("{n} pages/s").format(n=_rounded(progress.pages_per_second)))
    if progress.remaining_s:
        left = words.duration(progress.remaining_s)
        parts.append(_("{duration} left").format(duration=left))
    return parts


def _rounded(value: float) -> str:
    return numeral(round(value)) if value >= 10 else QLocale().toString(value, "f", 1)


def _activity(progress: IndexingProgress) -> str:
    name = words.file_name(progress.path)
    if progress.is_yielding:
        return _("Paused while answering")
    if not name:
        return _("Waiting …")
    if progress.steps:
        return _("Cutting {name}, {step} of {steps} done").format(
            name=name, step=numeral(progress.step), steps=numeral(progress.steps)
        )
    if not progress.page:
        return _("Reading {name}").format(name=name)
    if progress.pages == 1:
        return _("Recognising text in {name}").format(name=name)
    return _("Recognising page {page} of {pages} of {name}").format(
        page=numeral(progress.page), pages=numeral(progress.pages), name=name
    )
