"""Step three: nothing is in the way of the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.first_run.folder_step import sample_documents
from desktop_rag.ui.library.progress import ProgressStrip
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, Theme
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.events import IndexingProgress
    from desktop_rag.domain.library import LibraryStatus
    from desktop_rag.ui.background import Background

_PICTURE = 44


class GoStep(QWidget):
    """How far reading is, who writes the answers, and what to do first."""

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._app: App | None = None
        self.picture = PlainLabel()
        self.files, self.model, self.tip = (PlainLabel() for _number in range(3))
        self.files.setObjectName("lead")
        self.tip.setObjectName("muted")
        for label in (self.files, self.model, self.tip):
            label.setWordWrap(True)
        self.progress = ProgressStrip(theme, is_compact=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        for widget in (self.picture, self.files, self.progress, self.model, self.tip):
            column.addWidget(widget)
        column.addStretch(1)
        theme.changed.connect(self._colour_icons)
        self._colour_icons()

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def enter(self) -> None:
        """Read how things stand."""
        if self._app is not None and self.isVisible():
            self._background.run(self._app.status, self._show)

    def show_progress(self, progress: IndexingProgress) -> None:
        """How far reading is."""
        self.progress.show_progress(progress)

    def _show(self, status: LibraryStatus) -> None:
        total = status.ready + status.queued + status.failed
        if not total:
            self.files.setText(
                _("Your library is still empty. Drop a folder on this window whenever you like.")
            )
        elif status.queued:
            ready = counted("{n} file is searchable", "{n} files are searchable", status.ready)
            rest = counted("{n} is still being read", "{n} are still being read", status.queued)
            self.files.setText(
                _("{ready}, {rest}. You can ask right away.").format(ready=ready, rest=rest)
            )
        else:
            self.files.setText(
                counted("{n} file is searchable.", "{n} files are searchable.", status.ready)
            )
        self.model.setText(
            _("Answers are written by {model}, each with its sources.").format(model=status.llm)
            if status.llm
            else _(
                "Answers are quoted from your documents word for word, until a language model is "
                "added on the page Models."
            )
        )
        is_sample = any(source.path == str(sample_documents()) for source in status.sources)
        self.tip.setText(
            _("Try: “How long is the warranty on the Aurora heat pump?”")
            if is_sample
            else _("Ask in your own words, and press a number in the answer to see the page.")
        )

    def _colour_icons(self) -> None:
        self.picture.setPixmap(icons.picture("chat", self._theme.colours.accent, _PICTURE))
