"""How far indexing is: a thin bar with the file being read, the counts, and a way to pause."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui import words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme


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
        self._build()
        self.hide()

    def _build(self) -> None:
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName("Indexing progress")
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setObjectName("smallText")
        self.counts = PlainLabel()
        self.counts.setObjectName("smallMuted")
        self.pause = QPushButton("Pause")
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
        is_working = bool(progress.path) and progress.done < progress.total
        self.setVisible(is_working)
        if not is_working:
            return
        self._set_paused(is_paused=False)
        self.bar.show()
        done, total = progress.done, progress.total
        if progress.page:
            # A long scan moves the bar page by page, in a library of one file, too.
            done, total = done * progress.pages + progress.page - 1, total * progress.pages
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        self.name.setText(_activity(progress))
        self.counts.setText(self._counts(progress))

    def show_pause(self, reason: str) -> None:
        """Why indexing waits."""
        self.bar.hide()
        self.name.setText(reason)
        self.counts.clear()
        self.show()

    def show_paused(self, *, is_paused: bool) -> None:
        """Whether the person paused indexing; the way back stays in sight."""
        if is_paused:
            self.show_pause("Indexing is paused.")
        elif self._is_paused:
            self.hide()
        self._set_paused(is_paused=is_paused)

    def _set_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self.pause.setText("Resume" if is_paused else "Pause")

    def _on_pause(self) -> None:
        (self.resume_requested if self._is_paused else self.pause_requested).emit()

    def _counts(self, progress: IndexingProgress) -> str:
        counts = f"{progress.done:,} of {progress.total:,}"
        if self._is_compact:
            return counts
        parts = [counts]
        if progress.failed:
            parts.append(f"{progress.failed:,} failed")
        if progress.remaining_s:
            parts.append(f"{words.duration(progress.remaining_s)} left")
        return " · ".join(parts)


def _activity(progress: IndexingProgress) -> str:
    name = PurePath(progress.path).name
    if progress.steps:
        return f"Cutting {name}, {progress.step:,} of {progress.steps:,} done"
    if not progress.page:
        return f"Reading {name}"
    if progress.pages == 1:
        return f"Recognising text in {name}"
    return f"Recognising page {progress.page} of {progress.pages} of {name}"
