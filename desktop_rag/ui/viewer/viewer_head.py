"""The head of the viewer: which document, and what can be done with its file."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.icon_button import icon_button
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.theme import XS, L, M, S, Theme
from desktop_rag.ui.translation import _


class ViewerHead(QFrame):
    """Title, place, and buttons.

    Signals:
        open_requested: in the program the person uses for such files.
        folder_requested: show it in its folder.
        copy_path_requested: its path goes to the clipboard.
        find_requested: search in it.
        closed
    """

    open_requested = Signal()
    folder_requested = Signal()
    copy_path_requested = Signal()
    find_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("panelHead")
        self.title = ElidedLabel()
        self.title.setObjectName("panelTitle")
        self.subtitle = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.subtitle.setObjectName("smallMuted")
        self.find_button = icon_button(_("Find in this document (Ctrl+F)"))
        self.open_button = icon_button(_("Open in its own program"))
        self.folder_button = icon_button(_("Show in folder"))
        self.more_button = icon_button(_("More"))
        self.close_button = icon_button(_("Close (Ctrl+W)"))
        self._build_menu()
        row = QHBoxLayout(self)
        set_margins(row, L, M, S, M)
        row.setSpacing(2)
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(self.title)
        names.addWidget(self.subtitle)
        row.addLayout(names, 1)
        row.addSpacing(XS)
        for button in (
            self.find_button,
            self.open_button,
            self.folder_button,
            self.more_button,
            self.close_button,
        ):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)

    def _build_menu(self) -> None:
        self.menu = QMenu(self.more_button)
        self.copy_path = self.menu.addAction(_("Copy the path of the file"))
        self.more_button.setMenu(self.menu)
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def add_action(self, action: QAction) -> None:
        """One more entry of the menu."""
        self.menu.addAction(action)

    def _connect(self) -> None:
        self.find_button.clicked.connect(self.find_requested)
        self.open_button.clicked.connect(self.open_requested)
        self.folder_button.clicked.connect(self.folder_requested)
        self.copy_path.triggered.connect(self.copy_path_requested)
        self.close_button.clicked.connect(self.closed)
        self._theme.changed.connect(self._colour_icons)

    def show_document(self, title: str, where: str) -> None:
        """Name another document; nothing can be done with it before it is there."""
        self.title.setText(words.one_line(title))
        self.subtitle.setText(where)
        self.enable(is_there=False)

    def enable(self, *, is_there: bool) -> None:
        """Whether there is a document to do anything with."""
        for button in (self.find_button, self.open_button, self.folder_button, self.more_button):
            button.setEnabled(is_there)

    def _colour_icons(self) -> None:
        colour = self._theme.colours.muted
        for button, name in (
            (self.find_button, "search"),
            (self.open_button, "open"),
            (self.folder_button, "folder"),
            (self.more_button, "more"),
            (self.close_button, "close"),
        ):
            button.setIcon(icons.icon(name, colour))
