"""Pages with their thumbnails, and the pictures and lines both are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer.page_pictures import PagePictures
from desktop_rag.ui.viewer.page_text import PageText
from desktop_rag.ui.viewer.page_view import PageView
from desktop_rag.ui.viewer.thumbnails import Thumbnails

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.viewing import DocumentView
    from desktop_rag.ui.background import Background

_PICTURE_BYTES = 64_000_000
_THUMBNAIL_BYTES = 6_000_000


class PagePane(QWidget):
    """One document with pages.

    Signals:
        failed (int, DesktopRagError): this page cannot be drawn.
    """

    failed = Signal(int, object)

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pictures = PagePictures(background, _PICTURE_BYTES, self)
        self._small = PagePictures(background, _THUMBNAIL_BYTES, self)
        self.text = PageText(background, self)
        self.view = PageView(theme, self._pictures, self.text)
        self.thumbnails = Thumbnails(theme, self._small)
        self.thumbnails.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.thumbnails)
        row.addWidget(self.view, 1)
        self._pictures.failed.connect(self.failed)
        self.thumbnails.chosen.connect(self.view.turn_to)
        self.view.page_changed.connect(self.thumbnails.mark)

    def show_document(self, app: App, view: DocumentView) -> None:
        """Another document, from its first page."""
        document = view.file.id
        render = _renderer(app, view)
        self._pictures.open(render)
        self._small.open(render)
        self.text.open(view.text, view.pages, lambda pages: app.viewing.lines(document, pages))
        self.view.show_pages(view.pages)
        self.thumbnails.show_pages(view.pages)
        self.thumbnails.mark(1)

    def forget(self) -> None:
        """Let go of the document and its pictures."""
        self._pictures.open(None)
        self._small.open(None)
        self.text.open("", (), None)
        self.view.show_pages(())
        self.thumbnails.show_pages(())

    def try_again(self) -> None:
        """Draw the pages that could not be drawn."""
        self._pictures.try_again()
        self._small.try_again()
        self.view.ask()

    @property
    def selected_text(self) -> str:
        """What is selected on the pages."""
        span = self.view.selection.span
        return self.text.text[slice(*span)] if span else ""


def _renderer(app: App, view: DocumentView) -> Callable[[int, float], QImage]:
    """Decoded in the background, too: a large page would hold up the window for some frames."""
    document = view.file.id
    return lambda page, scale: QImage.fromData(app.render_page(document, page, scale).png)
