"""A page of the middle of the window, and what it may ask of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_rag.ui.theme import Theme

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge


class Page(QWidget):
    """Made when it is first turned to; `attach` follows as soon as the library is open.

    Signals:
        told (str, str): a sentence for the bar on top, and its kind (`info` or `warning`).
        undo_offered (str, Callable, Callable | None): see `MainWindow.undoable`.
        page_requested (str): turn to another page, by its key.
        place_requested (Citation | Passage): open the viewer there.
        document_requested (LibraryFile): open the viewer at its beginning.
        quit_requested: end the program, also where closing the window would keep it.
    """

    told = Signal(str, str)
    undo_offered = Signal(str, object, object)
    page_requested = Signal(str)
    place_requested = Signal(object)
    document_requested = Signal(object)
    quit_requested = Signal()

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.background = background
        self.app: App | None = None

    def attach(self, app: App) -> None:
        """The library is open."""
        self.app = app

    def listen(self, bridge: Bridge) -> None:
        """Connect to the events this page follows."""

    def activate(self) -> None:
        """It came into view: bring it up to date. Called after `attach`, and must be quick."""
