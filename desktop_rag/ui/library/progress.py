"""How far indexing is: a thin bar with the file being read and the counts."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from desktop_rag.domain.events import IndexingProgress
from desktop_rag.ui import words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.theme import XS, S, Theme


class ProgressStrip(QWidget):
    """Visible only while there is something to do or a reason why it waits."""

    def __init__(
        self, theme: Theme, *, is_compact: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_compact = is_compact
        self._build()
        self.hide()

    def _build(self) -> None:
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName("Indexing progress")
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.setObjectName("smallText")
        self.counts = QLabel()
        self.counts.setObjectName("smallMuted")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(self.name, 1)
        row.addWidget(self.counts)
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
        self.bar.show()
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        name = PurePath(progress.path).name
        self.name.setText(f"Reading {name}")
        self.counts.setText(self._counts(progress))

    def show_pause(self, reason: str) -> None:
        """Why indexing waits."""
        self.bar.hide()
        self.name.setText(reason)
        self.counts.clear()
        self.show()

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
