"""Below the question: what it is asked of, as a button and removable chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop_rag.domain.choices import Resolved
from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.background import Background
from desktop_rag.ui.chat.fitting import show_what_fits
from desktop_rag.ui.chat.scope_model import name_of
from desktop_rag.ui.chat.scope_popup import ScopePopup
from desktop_rag.ui.plain import tip
from desktop_rag.ui.theme import XS, Theme, scaled
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.app import App

_MOST = 3
"""Chips beside the button; the others are in the list it opens."""
_CHIP_CHARS = 16


class ScopeBar(QWidget):
    """ "All documents" until something is chosen, then a chip for each.

    Signals:
        chosen (Choice): the person wants another part of the library asked.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._app: App | None = None
        self._resolved = Resolved()
        self.chips: list[QToolButton] = []
        self.popup = ScopePopup(theme, self)
        self._build()
        self.popup.chosen.connect(self.chosen)
        theme.changed.connect(self._colour_icons)
        self.show_scope(Resolved())

    def _build(self) -> None:
        self.button = QToolButton()
        self.button.setObjectName("scopeButton")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(scaled(15), scaled(15)))
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.clicked.connect(self.choose)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(XS)
        self._row.addWidget(self.button)
        self._row.addStretch(1)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def choose(self) -> None:
        """Open the list; its rows are read meanwhile."""
        if self._app is None:
            return
        self.popup.open_above(self.button)
        choice = self._resolved.choice
        self._background.run(
            self._app.scopes.options, lambda options: self.popup.show_options(options, choice)
        )

    def show_scope(self, resolved: Resolved) -> None:
        """What the open chat asks."""
        is_same = resolved == self._resolved
        self._resolved = resolved
        names = (*resolved.choice.collections, *resolved.choice.paths)
        self._show_chips(names)
        chosen = counted("{n} chosen", "{n} chosen", len(names))
        self.button.setText(chosen if names else _("All documents"))
        told = _("Choose what is searched: collections, folders and files")
        self.button.setToolTip(told)
        self.button.setAccessibleDescription(told)
        self._colour_icons()
        self._fit()
        if not is_same:
            announce(self, self._spoken())

    def minimumSizeHint(self) -> QSize:
        """Chips that do not fit are left out; the button counts them."""
        return QSize(self.button.sizeHint().width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self.button.sizeHint().width() - XS
        show_what_fits(room, self.chips, XS)

    def _spoken(self) -> str:
        names = (*self._resolved.choice.collections, *map(name_of, self._resolved.choice.paths))
        if not names:
            return _("All documents are searched.")
        return _("Only this is searched: {names}").format(names=", ".join(names))

    def _show_chips(self, names: tuple[str, ...]) -> None:
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [self._chip(name) for name in names[:_MOST]]
        previous: QWidget = self.button
        for place, chip in enumerate(self.chips):
            self._row.insertWidget(1 + place, chip)
            self.setTabOrder(previous, chip)
            previous = chip
        self.button.setAccessibleName(self._spoken())

    def _chip(self, name: str) -> QToolButton:
        chip = QToolButton(self)
        chip.setObjectName("scopeChip")
        is_gone = name in self._resolved.gone
        chip.setProperty("gone", is_gone)
        short = name_of(name) if name in self._resolved.choice.paths else name
        room = chip.fontMetrics().averageCharWidth() * _CHIP_CHARS
        mode = Qt.TextElideMode.ElideMiddle
        chip.setText(chip.fontMetrics().elidedText(short, mode, room).replace("&", "&&"))
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        chip.setIconSize(QSize(scaled(12), scaled(12)))
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        sentence = _("{name} is not in the library any more. Click to leave it out.")
        usual = _("Search {name} no longer")
        chip.setAccessibleName((sentence if is_gone else usual).format(name=short))
        chip.setToolTip(tip(f"{name}\n{chip.accessibleName()}"))
        chip.clicked.connect(lambda: self.chosen.emit(self._resolved.choice.without(name)))
        return chip

    def _colour_icons(self) -> None:
        muted = self._theme.colours.muted
        self.button.setIcon(icons.icon("filter", muted))
        for chip in self.chips:
            chip.setIcon(icons.icon("close", muted))
