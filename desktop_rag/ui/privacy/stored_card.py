"""What is kept where: a row for each kind, with its folder and, where it makes sense, Delete."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop_rag import paths
from desktop_rag.services.stored import Kind
from desktop_rag.ui import icons
from desktop_rag.ui.card import Card, Row, buttons, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.privacy import stored_words
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.words import isolated

if TYPE_CHECKING:
    from desktop_rag.services.stored import Stored


class StoredRow(Row):
    """One kind.

    Signals:
        opened (Path): its folder is to be shown.
        clear_confirmed (Kind): the person has read what it means, and wants it.
    """

    opened = Signal(object)
    clear_confirmed = Signal(object)

    def __init__(self, theme: Theme, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(stored_words.title(kind), stored_words.contents(kind), parent)
        self._theme = theme
        self.kind = kind
        self._path: Path | None = None
        self._build()
        self._colour()
        theme.changed.connect(self._colour)

    def _build(self) -> None:
        name = stored_words.title(self.kind)
        self.place = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.place.setObjectName("smallMuted")
        self.words.addWidget(self.place)
        self.amount = words("…", "smallText")
        self.amount.setWordWrap(False)
        self.open = QToolButton()
        self.open.setToolTip(_("Open the folder"))
        self.open.setAccessibleName(_("{kind}: open the folder").format(kind=name))
        self.open.clicked.connect(self._on_open)
        for widget in (self.amount, self.open):
            self.add(widget)
        if stored_words.consequence(self.kind):
            self._build_clearing(name)

    def _build_clearing(self, name: str) -> None:
        self.clear = QPushButton(_("Delete …"))
        self.clear.setAccessibleName(_("{kind}: delete").format(kind=name))
        self.clear.clicked.connect(lambda: self._ask(is_asking=True))
        self.add(self.clear)
        self.confirm = QPushButton(_("Delete"))
        self.confirm.setObjectName("dangerButton")
        self.confirm.setAccessibleName(_("{kind}: delete for good").format(kind=name))
        self.confirm.clicked.connect(self._on_confirmed)
        self.keep = QPushButton(_("Keep"))
        self.keep.setAccessibleName(_("{kind}: keep").format(kind=name))
        self.keep.clicked.connect(lambda: self._ask(is_asking=False))
        self._question = QWidget()
        column = QVBoxLayout(self._question)
        column.setContentsMargins(0, 6, 0, 0)
        column.addWidget(words(stored_words.consequence(self.kind), "smallText"))
        column.addWidget(buttons(self.confirm, self.keep))
        self.words.addWidget(self._question)
        self._question.hide()

    def show_stored(self, stored: Stored) -> None:
        """How much there is now, and where."""
        self._path = stored.path
        self.place.setText(isolated(str(stored.path)))
        self.amount.setText(stored_words.amount(stored))
        if stored.is_clearable:
            self.clear.setEnabled(bool(stored.size or stored.count))

    def _ask(self, *, is_asking: bool) -> None:
        self._question.setVisible(is_asking)
        self.clear.setVisible(not is_asking)
        (self.keep if is_asking else self.clear).setFocus()

    def _on_confirmed(self) -> None:
        self._ask(is_asking=False)
        self.clear_confirmed.emit(self.kind)

    def _on_open(self) -> None:
        if self._path is not None:
            self.opened.emit(self._path)

    def _colour(self) -> None:
        self.open.setIcon(icons.icon("folder", self._theme.colours.muted))


class StoredCard(Card):
    """All kinds.

    Signals:
        opened, clear_confirmed: of any row.
    """

    opened = Signal(object)
    clear_confirmed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_("What is kept on this computer"), parent)
        self._portable = paths.portable_dir()
        sentence = _("Everything is kept in {folder}, beside the program.")
        self.portable = Row(
            _("Portable"), sentence.format(folder=isolated(str(self._portable or "")))
        )
        self.portable.hide()
        self.add(self.portable)
        self.rows: dict[Kind, StoredRow] = {}
        for kind in Kind:
            row = self.rows[kind] = StoredRow(theme, kind)
            row.opened.connect(self.opened)
            row.clear_confirmed.connect(self.clear_confirmed)
            self.add(row)

    def show_stored(self, stored: Sequence[Stored]) -> None:
        """How much there is of everything."""
        for one in stored:
            self.rows[one.kind].show_stored(one)
        # The person may have named another folder for the library or for the models.
        folder = self._portable
        self.portable.setVisible(
            folder is not None and all(one.path.is_relative_to(folder) for one in stored)
        )
