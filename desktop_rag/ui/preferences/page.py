"""The Settings page: groups of choices, and a bar for those that wait for a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from desktop_rag.ui.card import Card, Row
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.pages import ABOUT
from desktop_rag.ui.preferences.appearance_choices import AppearanceChoices
from desktop_rag.ui.preferences.choices import Choice
from desktop_rag.ui.preferences.library_choices import LibraryChoices
from desktop_rag.ui.preferences.reranker_choice import RerankerChoice
from desktop_rag.ui.preferences.surroundings import Surroundings
from desktop_rag.ui.preferences.system_choices import SystemChoices
from desktop_rag.ui.preferences.update_row import UpdateRow
from desktop_rag.ui.preferences.wording import Group, library_groups
from desktop_rag.ui.scrolling_page import ScrollingPage
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background


class SettingsPage(ScrollingPage):
    """Filled when the library is open: until then there is nothing to choose for it.

    Signals:
        rebuild_requested: another language or size of text wants another window.
        restart_requested: the person wants what waits for a restart to be in force.
        surroundings_changed: the tray may have to come or go.
    """

    rebuild_requested = Signal()
    restart_requested = Signal()
    surroundings_changed = Signal()

    def __init__(self, theme: Theme, background: Background) -> None:
        super().__init__(theme, background, _("Settings"))
        self.choices: dict[str, Choice] = {}
        """By key of the setting, or by title for those of the window."""
        self._around: Surroundings | None = None
        self._system: SystemChoices | None = None
        self._reranker: RerankerChoice | None = None
        self._build_restart()
        theme.changed.connect(self._on_theme)

    # building
    def _build_restart(self) -> None:
        """Above what scrolls, so that the button is at hand where the choice was made."""
        self.restart_bar = NoticeBar(self.theme, "info")
        self.restart_bar.close_button.hide()
        self.restart = QPushButton(_("Restart now"))
        self.restart.clicked.connect(self.restart_requested)
        self.restart_bar.add_button(self.restart)
        self.restart_bar.say(_("Some choices take effect when Desktop RAG is started again."))
        self.restart_bar.hide()
        self.put_above(self.restart_bar)

    # life
    def surround(self, around: Surroundings) -> None:
        """What of the window and the system may be changed; called before `attach`."""
        self._around = around

    def attach(self, app: App) -> None:
        """The library is open."""
        super().attach(app)
        if self.choices:
            return
        if self._around is not None:
            self._add_appearance(self._around)
        for group in library_groups():
            self._add_group(group, app)
        if self._around is not None:
            self._add_system(self._around)
        self._add_about()

    def activate(self) -> None:
        """Show what is chosen now."""
        for choice in self.choices.values():
            choice.show()
        if self._reranker is not None:
            self._reranker.look()
        if self._system is not None:
            self._system.look_at_login()
        self._show_restart()

    @property
    def focused_row(self) -> int:
        """The place of the row that has the focus; -1 when none has."""
        focused = self.focusWidget()
        rows = [choice.row for choice in self.choices.values()]
        return next(
            (n for n, row in enumerate(rows) if focused is not None and row.isAncestorOf(focused)),
            -1,
        )

    def focus_row(self, place: int) -> None:
        """Give the focus to the row at a place."""
        if 0 <= place < len(self.choices):
            list(self.choices.values())[place].row.control.field.setFocus()

    # groups
    def _add_appearance(self, around: Surroundings) -> None:
        made = AppearanceChoices(self.theme, around.preferences, self.rebuild_requested.emit)
        card = self._card(_("Appearance"))
        for choice in made.all():
            self._add(card, choice.row.title.text(), choice)

    def _add_group(self, group: Group, app: App) -> None:
        made = LibraryChoices(self.theme, self.background, app)
        card = self._card(group.heading)
        for row in group.rows:
            self._add(card, row.key, made.choice(row))
            if row.key == "graph":
                self._reranker = RerankerChoice(self.theme, self.background, app)
                self._add(card, "reranker", self._reranker.choice)
        if any(row.key == "update_address" for row in group.rows):
            self.update_row = UpdateRow(self.background, app)
            card.add(self.update_row)

    def _add_system(self, around: Surroundings) -> None:
        self._system = SystemChoices(
            self.theme, self.background, around, self.surroundings_changed.emit
        )
        card = self._card(_("System"))
        for choice in self._system.all():
            self._add(card, choice.row.title.text(), choice)

    def _add_about(self) -> None:
        """Nothing to choose, but where people look for it."""
        row = Row(_("About Desktop RAG"), _("Version, licence, and all parts of the program."))
        self.about = QPushButton(_("Show"))
        self.about.setAccessibleName(_("Show what this program is"))
        self.about.clicked.connect(lambda: self.page_requested.emit(ABOUT))
        row.add(self.about)
        self._card(_("This program")).add(row)

    def _card(self, heading: str) -> Card:
        card = Card(heading)
        self.add(card)
        return card

    def _add(self, card: Card, key: str, choice: Choice) -> None:
        self.choices[key] = choice
        card.add(choice.row)
        choice.connect(self._on_changed)

    # what happens
    def _on_changed(self) -> None:
        if self._around is not None:
            self._around.preferences.save()
        self._show_restart()

    def _show_restart(self) -> None:
        self.restart_bar.setVisible(any(one.is_due() for one in self.choices.values()))

    def _on_theme(self) -> None:
        """The button in the sidebar changes the colours, too."""
        if (choice := self.choices.get(_("Colours"))) is not None:
            choice.show()
