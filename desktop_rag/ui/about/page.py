"""The page About: which program this is, what it consists of, and under which licences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.shipped_parts import Build, Part
from desktop_rag.ui.about.about_words import details
from desktop_rag.ui.about.parts_card import PartsCard
from desktop_rag.ui.about.program_card import ProgramCard
from desktop_rag.ui.scrolling_page import ScrollingPage
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.external import show_in_folder

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.about import About
    from desktop_rag.ui.background import Background, Task

_WIDTH = 1000
"""List and text stand side by side."""


class AboutPage(ScrollingPage):
    """Everything is read in the background, once: a program does not change while it runs."""

    def __init__(self, theme: Theme, background: Background) -> None:
        super().__init__(
            theme,
            background,
            _("About Desktop RAG"),
            _("What this program is, what it consists of, and under which licences."),
            _WIDTH,
        )
        self.program = ProgramCard()
        self.parts = PartsCard(theme)
        self.add(self.program)
        self.add(self.parts)
        self._known: tuple[Build, Sequence[Part]] | None = None
        self._bill: Path | None = None
        self._reading: Task | None = None
        self.program.copy_requested.connect(self._on_copy)
        self.program.bill_requested.connect(self._on_bill)
        self.parts.chosen.connect(self._on_chosen)

    def attach(self, app: App) -> None:
        """The library is open; the façade tells about the program, too."""
        super().attach(app)
        if self._known is None:
            self.background.run(lambda: _read(app.about), self._on_read, self._on_unread)

    def _on_read(self, read: tuple[Build, Sequence[Part], Path | None]) -> None:
        build, parts, self._bill = read
        self._known = (build, parts)
        self.program.show_build(build, has_bill=self._bill is not None)
        self.parts.show_parts(parts)

    def _on_unread(self, error: DesktopRagError) -> None:
        self.parts.say(error.message)

    def _on_chosen(self, part: Part) -> None:
        """Who goes through the list with an arrow key wants the last one's text."""
        if self._reading is not None:
            self._reading.forget()
        if self.app is not None:
            about = self.app.about
            self._reading = self.background.run(
                lambda: about.text(part), lambda text: self.parts.show_text(part, text)
            )

    def _on_copy(self) -> None:
        if self._known is not None:
            QGuiApplication.clipboard().setText(details(*self._known))
            self.told.emit(_("The details were copied."), "info")

    def _on_bill(self) -> None:
        if self._bill is not None and not show_in_folder(self._bill):
            sentence = _("{folder} cannot be opened here.").format(folder=self._bill.parent)
            self.told.emit(sentence, "warning")


def _read(about: About) -> tuple[Build, Sequence[Part], Path | None]:
    return about.build(), about.parts(), about.bill_of_materials()
