"""A small button on every block of code that copies it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.announce import announce
from desktop_rag.ui.chat.answer_places import Listing
from desktop_rag.ui.theme import XS, Theme
from desktop_rag.ui.translation import _

_DONE_MS = 1500


class ListingButton(QToolButton):
    """Copies one block; shows for a moment that it did."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text_to_copy = ""
        self.setObjectName("listingButton")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(_("Copy code"))
        self.setToolTip(_("Copy code"))
        self._done = QTimer(self)
        self._done.setSingleShot(True)
        self._done.setInterval(_DONE_MS)
        self._done.timeout.connect(self.colour)
        self.clicked.connect(self._on_clicked)
        self.colour()

    def colour(self) -> None:
        """The usual icon in the colours of the theme."""
        self.setIcon(icons.icon("copy", self._theme.colours.muted))

    def _on_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.text_to_copy)
        self.setIcon(icons.icon("check", self._theme.colours.success))
        self._done.start()
        announce(self, _("Code copied"))


class ListingButtons(QObject):
    """As many buttons as there are blocks, each at the end of the first line of its own."""

    def __init__(self, theme: Theme, viewport: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = parent
        self._viewport = viewport
        self.shown: list[ListingButton] = []
        theme.changed.connect(self._on_theme_changed)

    def place(self, listings: Sequence[Listing]) -> None:
        """Put the buttons where the blocks are now."""
        while len(self.shown) > len(listings):
            self.shown.pop().deleteLater()
        while len(self.shown) < len(listings):
            self._add()
        for button, listing in zip(self.shown, listings, strict=True):
            button.text_to_copy = listing.text
            button.adjustSize()
            x = listing.rect.right() - button.width() - XS
            button.move(round(x), round(listing.rect.top()) + XS)
            button.show()

    def _add(self) -> None:
        button = ListingButton(self._theme, self._viewport)
        # Tab would come to what is made later after everything else in the window.
        QWidget.setTabOrder(self.shown[-1] if self.shown else self._text, button)
        self.shown.append(button)

    def _on_theme_changed(self) -> None:
        for button in self.shown:
            button.colour()
