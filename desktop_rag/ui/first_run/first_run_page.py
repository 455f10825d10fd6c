"""The first steps, inside the window: each can be skipped, and all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui.announce import announce
from desktop_rag.ui.first_run.folder_step import FolderStep
from desktop_rag.ui.first_run.go_step import GoStep
from desktop_rag.ui.first_run.model_step import ModelStep
from desktop_rag.ui.page import Page
from desktop_rag.ui.page_column import in_the_middle, scrolled
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, XXL, L, S, Theme, scaled
from desktop_rag.ui.translation import _, numeral

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.events import IndexingProgress
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge

FOLDERS, MODEL, GO = range(3)


class FirstRunPage(Page):
    """Turning to it begins with the first step; leaving it, in whatever way, ends it."""

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(theme, background, parent)
        self._build()
        self._connect()
        self._show_step(FOLDERS)

    # building
    def _build(self) -> None:
        self.count = PlainLabel()
        self.count.setObjectName("smallMuted")
        self.title = PlainLabel()
        self.title.setObjectName("hero")
        self.title.setWordWrap(True)
        self.lead = PlainLabel()
        self.lead.setObjectName("lead")
        self.lead.setWordWrap(True)
        self.folders = FolderStep(self.theme, self.background)
        self.model = ModelStep(self.theme, self.background)
        self.go = GoStep(self.theme, self.background)
        self.steps = QStackedWidget()
        for step in (self.folders, self.model, self.go):
            self.steps.addWidget(step)
        content = QWidget()
        content.setObjectName("pageContent")
        content.setMaximumWidth(scaled(COLUMN_WIDTH) + 2 * XL)
        column = QVBoxLayout(content)
        column.setContentsMargins(XL, XXL, XL, L)
        column.setSpacing(S)
        column.addWidget(self.count)
        column.addWidget(self.title)
        column.addWidget(self.lead)
        column.addSpacing(L)
        column.addWidget(self.steps, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(scrolled(in_the_middle(content)), 1)
        outer.addWidget(self._build_foot())

    def _build_foot(self) -> QWidget:
        self.skip = QPushButton(_("Skip"))
        self.skip.setObjectName("quietButton")
        self.skip.setAccessibleName(_("Skip the first steps"))
        self.back = QPushButton(_("Back"))
        self.forward = QPushButton()
        self.forward.setObjectName("primaryButton")
        inner = QWidget()
        inner.setMaximumWidth(scaled(COLUMN_WIDTH) + 2 * XL)
        row = QHBoxLayout(inner)
        row.setContentsMargins(XL, S, XL, L)
        row.setSpacing(S)
        row.addWidget(self.skip)
        row.addStretch(1)
        row.addWidget(self.back)
        row.addWidget(self.forward)
        return in_the_middle(inner)

    def _connect(self) -> None:
        self.skip.clicked.connect(self._finish)
        self.back.clicked.connect(lambda: self.turn_to(self.step - 1))
        self.forward.clicked.connect(self._on_forward)
        self.folders.told.connect(self.told)
        self.folders.undo_offered.connect(self.undo_offered)
        self.folders.samples_added.connect(self._on_samples)
        self.model.told.connect(self.told)
        self.model.page_requested.connect(self.page_requested)
        self.model.changed.connect(self._name_forward)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        super().attach(app)
        for step in (self.folders, self.model, self.go):
            step.attach(app)

    def listen(self, bridge: Bridge) -> None:
        """Follow what is added and read."""
        bridge.library_changed.connect(lambda _event: self._on_library())
        bridge.progress.connect(self._on_progress)

    def activate(self) -> None:
        """It came into view."""
        self.turn_to(FOLDERS)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing is counted any more."""
        super().hideEvent(event)
        self.folders.leave()

    # steps
    @property
    def step(self) -> int:
        """Which step is shown: 0 to 2."""
        return self.steps.currentIndex()

    def turn_to(self, step: int) -> None:
        """Show a step, say so, and put the focus where it begins."""
        self._show_step(step)
        (self.folders, self.model, self.go)[step].enter()
        count, title = self.count.text(), self.title.text()
        announce(self, _("{step}. {title}").format(step=count, title=title))
        first = (self.folders.choose_folder, self.forward, self.forward)[step]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_step(self, step: int) -> None:
        self.steps.setCurrentIndex(step)
        self.count.setText(
            _("Step {n} of {all}").format(n=numeral(step + 1), all=numeral(self.steps.count()))
        )
        title, lead = _words(step)
        self.title.setText(title)
        self.lead.setText(lead)
        self.lead.setVisible(bool(lead))
        self.setAccessibleName(title)
        self.back.setVisible(step > FOLDERS)
        self.skip.setVisible(step < GO)
        self._name_forward()

    def _name_forward(self) -> None:
        is_without = self.step == MODEL and not self.model.has_model
        words = {
            FOLDERS: _("Continue"),
            MODEL: _("Continue without") if is_without else _("Continue"),
            GO: _("Start asking"),
        }
        self.forward.setText(words[self.step])

    def _on_forward(self) -> None:
        if self.step == GO:
            self._finish()
        else:
            self.turn_to(self.step + 1)

    def _finish(self) -> None:
        self.page_requested.emit("chat")

    # events
    def _on_samples(self) -> None:
        if self.isVisible():
            self.turn_to(GO)

    def _on_library(self) -> None:
        if not self.isVisible():
            return
        if self.step == FOLDERS:
            self.folders.refresh()
        elif self.step == GO:
            self.go.enter()

    def _on_progress(self, progress: IndexingProgress) -> None:
        self.go.show_progress(progress)


def _words(step: int) -> tuple[str, str]:
    """Title and lead of a step."""
    return (
        (
            _("What would you like to ask about?"),
            _("Your files stay where they are, and nothing leaves this computer."),
        ),
        (
            _("Who writes the answers?"),
            _("A language model that runs on this computer, from your passages only."),
        ),
        (_("Ready when you are"), ""),
    )[step]
