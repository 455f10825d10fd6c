"""The card with all parts of the program: a list to search, and the text of the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.shipped_parts import Part
from desktop_rag.ui.about.about_words import heading, licence_of
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, words
from desktop_rag.ui.theme import L, M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted

_LIST_WIDTH, _TEXT_WIDTH, _HEIGHT = 300, 420, 400
_PART = Qt.ItemDataRole.UserRole


class PartsCard(Card):
    """Says in words while there is nothing to list.

    Signals:
        chosen (Part): its licence text is wanted.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_("Parts and their licences"), parent)
        self._theme = theme
        self._build_list()
        self._build_text()
        body = QWidget()
        body.setObjectName("settingRow")
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, body)
        self._layout.setContentsMargins(L, M, L, L)
        self._layout.setSpacing(M)
        self._layout.addWidget(self._side, 2)
        self._layout.addWidget(self.text, 3)
        self.add(body)
        theme.changed.connect(self._fit)
        self.say(_("Reading the list …"))

    def _build_list(self) -> None:
        self.field = QLineEdit()
        self.field.setObjectName("searchField")
        self.field.setPlaceholderText(_("Search parts"))
        self.field.setAccessibleName(_("Search the parts by name or licence"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaxLength(100)
        self.field.textChanged.connect(self._on_typed)
        self.state = words("", "smallMuted")
        self.list = QListWidget()
        self.list.setObjectName("plainTable")
        self.list.setAccessibleName(_("Parts of the program"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTabKeyNavigation(False)
        self.list.currentItemChanged.connect(self._on_current)
        self._side = QWidget()
        column = QVBoxLayout(self._side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.field)
        column.addWidget(self.state)
        column.addWidget(self.list, 1)

    def _build_text(self) -> None:
        self.text = QPlainTextEdit()
        self.text.setObjectName("licenceText")
        self.text.setAccessibleName(_("Licence text"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._fit()

    def _fit(self) -> None:
        self.list.setMinimumHeight(self._theme.px(_HEIGHT) // 2)
        self.text.setMinimumHeight(self._theme.px(_HEIGHT))

    # what is listed
    def say(self, sentence: str) -> None:
        """In the place of parts."""
        self.state.setText(sentence)
        self.list.clear()
        self.text.clear()
        self.field.setEnabled(False)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """In this order; the first is chosen."""
        self.list.clear()
        for part in parts:
            name = f"{part.name} {part.version}".strip()
            item = QListWidgetItem(f"{name}\n{licence_of(part)}")
            item.setData(_PART, part)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {licence_of(part)}")
            self.list.addItem(item)
        self.field.setEnabled(True)
        self._filter()
        self.list.setCurrentRow(0)

    def _on_typed(self) -> None:
        self._filter()
        announce(self, self.state.text())

    def _filter(self) -> None:
        wanted = self.field.text().casefold().split()
        shown = 0
        for row in range(self.list.count()):
            item = self.list.item(row)
            is_shown = all(word in item.text().casefold() for word in wanted)
            item.setHidden(not is_shown)
            shown += is_shown
        self.state.setText(
            counted("{n} part", "{n} parts", shown)
            if shown
            else _("No part has that in its name or licence.")
        )

    # the chosen one
    def _on_current(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_PART))

    def show_text(self, part: Part, text: str) -> None:
        """What is known of it, and its licence text below that."""
        lines = [heading(part), *(line for line in (part.summary, part.home, part.note) if line)]
        said = text or _("It brought no licence text.")
        self.text.setPlainText("\n".join(lines) + f"\n\n{said}")
        self.text.setAccessibleName(_("Licence text of {name}").format(name=part.name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both, the text stands below the list."""
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_wide = self.width() >= scaled(_LIST_WIDTH) + scaled(_TEXT_WIDTH)
        self._layout.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
