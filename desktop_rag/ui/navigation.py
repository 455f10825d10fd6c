"""The foot of the sidebar: one row for each page besides chat and library."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.pages import KINDS, PageKind
from desktop_rag.ui.theme import Theme, scaled


class Navigation(QWidget):
    """Buttons that stay pressed while their page is shown.

    Signals:
        requested (str): the key of a page.
    """

    requested = Signal(str)

    def __init__(self, theme: Theme, kinds: tuple[PageKind, ...] = KINDS) -> None:
        super().__init__()
        self._theme = theme
        self._kinds = tuple(kind for kind in kinds if kind.is_listed)
        self.buttons: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for kind in self._kinds:
            self.buttons[kind.key] = self._button(kind)
            column.addWidget(self.buttons[kind.key])
        self._colour_icons()
        theme.changed.connect(self._colour_icons)

    def _button(self, kind: PageKind) -> QPushButton:
        button = QPushButton(f"  {kind.label()}")
        button.setObjectName("navigationRow")
        button.setAccessibleName(kind.label())
        button.setCheckable(True)
        button.setIconSize(QSize(scaled(18), scaled(18)))
        button.clicked.connect(lambda: self._on_clicked(kind.key))
        return button

    def mark(self, key: str) -> None:
        """This page is shown; a key of none of them: neither is."""
        for one, button in self.buttons.items():
            button.setChecked(one == key)

    def _on_clicked(self, key: str) -> None:
        self.buttons[key].setChecked(True)
        self.requested.emit(key)

    def _colour_icons(self) -> None:
        for kind in self._kinds:
            self.buttons[kind.key].setIcon(icons.icon(kind.icon, self._theme.colours.muted))
