"""Which questions are asked, the button that asks them, and how far that is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from desktop_rag.services.quality import Origin
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Row
from desktop_rag.ui.choice_box import ChoiceBox
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _


class Measuring(Row):
    """One run at a time.

    Signals:
        wanted (Origin, Path | None): the person wants a run.
        stop_wanted: they do not want it any more.
    """

    wanted = Signal(object, object)
    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            _("Measure the search on your own questions"),
            _(
                "Questions whose place in your documents is known are asked, thirty at most; "
                "what is found is compared with it. It takes some seconds."
            ),
            parent,
        )
        self.origin = ChoiceBox(theme)
        self.origin.setAccessibleName(_("Questions to ask"))
        for origin, words in (
            (Origin.DOCUMENTS, _("Made from your documents")),
            (Origin.GOOD_ANSWERS, _("Answers you found good")),
            (Origin.FILE, _("From a file …")),
        ):
            self.origin.addItem(words, origin)
        self.start = QPushButton(_("Measure"))
        self.start.setObjectName("primaryButton")
        self.start.clicked.connect(self._on_start)
        self.stop = QPushButton(_("Stop"))
        self.stop.clicked.connect(self.stop_wanted)
        self.stop.hide()
        self.progress = ThinBar(_("Questions asked"))
        self.progress.hide()
        self.words.addWidget(self.progress)
        for control in (self.origin, self.start, self.stop):
            self.add(control)

    def _on_start(self) -> None:
        origin = Origin(self.origin.currentData())
        if origin is not Origin.FILE:
            self.wanted.emit(origin, None)
            return
        name, _kind = QFileDialog.getOpenFileName(
            self, _("Choose a file of questions"), "", _("Questions (*.jsonl)")
        )
        if name:
            self.wanted.emit(origin, Path(name))

    def show_busy(self, *, is_busy: bool) -> None:
        """A run begins or has ended."""
        had_focus = self.start.hasFocus() or self.stop.hasFocus()
        self.progress.setRange(0, 0)
        for widget in (self.progress, self.stop):
            widget.setVisible(is_busy)
        self.start.setVisible(not is_busy)
        self.origin.setEnabled(not is_busy)
        if had_focus:
            (self.stop if is_busy else self.start).setFocus()
        if is_busy:
            announce(self, _("Measuring …"))

    def show_progress(self, done: int, total: int) -> None:
        """How many questions were asked."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)
