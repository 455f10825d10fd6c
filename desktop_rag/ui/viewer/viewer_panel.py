"""The panel on the right: the cited page or text, with the passage marked."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.documents import Box, DocumentId, Page
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui import icons, words
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, L, M, S, Theme
from desktop_rag.ui.viewer import external
from desktop_rag.ui.viewer.page_bar import PageBar
from desktop_rag.ui.viewer.page_view import PageView
from desktop_rag.ui.viewer.text_view import TextView

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.viewing import DocumentView
    from desktop_rag.ui.background import Background, Task

_CHANGED = "This file has changed since it was read. The passage as it was then:"
_STILL_THERE = "This file has changed since it was quoted; the passage still stands in it."
_GONE = "This file has changed, and the passage stands in it no more. As it was quoted:"
_MAX_SCALE = 6.0


class ViewerPanel(QWidget):
    """Opens a citation, a passage or a whole document.

    Signals:
        closed: the person wants the room back.
    """

    closed = Signal()

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._app: App | None = None
        self._view: DocumentView | None = None
        self._target: Citation | Passage | None = None
        self._is_found = True
        self._page = 1
        self._tasks: dict[str, Task] = {}
        self._build()
        self._connect()
        self._colour_icons()

    # building
    def _build(self) -> None:
        self.setObjectName("viewer")
        self.setMinimumWidth(340)
        self.page_bar = PageBar(self._theme)
        self.page_view = PageView(self._theme)
        self.text_view = TextView(self._theme)
        self.message = PlainLabel()
        self.message.setObjectName("lead")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(L)
        self.stack = QStackedWidget()
        for widget in (self.message, self.page_view, self.text_view):
            self.stack.addWidget(widget)
        self.notice = NoticeBar(self._theme, "warning")
        self.notice.close_button.hide()
        self.quote = PlainLabel()
        self.quote.setObjectName("storedQuote")
        self.quote.setWordWrap(True)
        self.quote.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_head())
        layout.addWidget(self._build_notes())
        layout.addWidget(self.page_bar)
        layout.addWidget(self.stack, 1)

    def _build_head(self) -> QWidget:
        self.title = ElidedLabel()
        self.title.setObjectName("panelTitle")
        self.subtitle = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.subtitle.setObjectName("smallMuted")
        self.open_button = _button("Open in its own program")
        self.folder_button = _button("Show in folder")
        self.close_button = _button("Close (Ctrl+W)")
        head = QFrame()
        head.setObjectName("panelHead")
        row = QHBoxLayout(head)
        row.setContentsMargins(L, M, S, M)
        row.setSpacing(XS)
        names = QVBoxLayout()
        names.setSpacing(2)
        names.addWidget(self.title)
        names.addWidget(self.subtitle)
        row.addLayout(names, 1)
        for button in (self.open_button, self.folder_button, self.close_button):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _build_notes(self) -> QWidget:
        self._notes = QWidget()
        column = QVBoxLayout(self._notes)
        column.setContentsMargins(M, M, M, M)
        column.setSpacing(S)
        column.addWidget(self.notice)
        column.addWidget(self.quote)
        self._notes.hide()
        return self._notes

    def _connect(self) -> None:
        self.page_bar.turned.connect(self._on_turned)
        self.page_bar.zoom_in_requested.connect(self.page_view.zoom_in)
        self.page_bar.zoom_out_requested.connect(self.page_view.zoom_out)
        self.page_bar.fit_requested.connect(self.page_view.fit_width)
        self.page_view.zoom_changed.connect(self._on_zoom_changed)
        self.page_view.picture_wanted.connect(self._on_picture_wanted)
        self.open_button.clicked.connect(self._on_open)
        self.folder_button.clicked.connect(self._on_show_in_folder)
        self.close_button.clicked.connect(self.closed)
        self._theme.changed.connect(self._colour_icons)
        for keys, slot in (
            ("Ctrl+PgUp", lambda: self._on_turned(-1)),
            ("Ctrl+PgDown", lambda: self._on_turned(1)),
            (QKeySequence.StandardKey.ZoomIn, self.page_view.zoom_in),
            (QKeySequence.StandardKey.ZoomOut, self.page_view.zoom_out),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    # opening
    def open_place(self, target: Citation | Passage) -> None:
        """Show where a quote stands."""
        self._target = target
        self._load(target.document, words.title(target), _where(target))

    def open_document(self, document: DocumentId, title: str, path: str) -> None:
        """Show a document from its beginning."""
        self._target = None
        self._load(document, title, path)

    def _load(self, document: DocumentId, title: str, where: str) -> None:
        if self._app is None:
            return
        app = self._app
        self._view = None
        self._is_found = True
        self.title.setText(title)
        self.subtitle.setText(where)
        self.open_button.setEnabled(False)
        self.folder_button.setEnabled(False)
        self._forget_tasks()
        target = self._target
        if isinstance(target, Citation):
            self._tasks["document"] = self._background.run(
                lambda: app.cited_document(target), self._on_cited_document, self._on_error
            )
        else:
            self._tasks["document"] = self._background.run(
                lambda: app.document(document), self._on_document, self._on_error
            )

    def _forget_tasks(self) -> None:
        for task in self._tasks.values():
            task.forget()
        self._tasks.clear()

    def _on_cited_document(self, found: tuple[DocumentView, Citation | None]) -> None:
        view, citation = found
        self._is_found = citation is not None
        if citation is not None:
            self._target = citation
            self.subtitle.setText(_where(citation))
        self._on_document(view)

    def _on_document(self, view: DocumentView) -> None:
        self._view = view
        self.open_button.setEnabled(True)
        self.folder_button.setEnabled(True)
        self._show_notes(view)
        self.page_bar.setVisible(bool(view.pages))
        if view.pages:
            self._page = _first_page(self._target)
            self.stack.setCurrentWidget(self.page_view)
            self._show_page()
        else:
            self.stack.setCurrentWidget(self.text_view)
            target = self._target if self._is_found else None
            span = (target.start, target.end) if target else None
            self.text_view.show_text(view.text, view.blocks, span)

    def _show_notes(self, view: DocumentView) -> None:
        target = self._target
        is_other = bool(
            target and target.sha256 and view.file.sha256 and target.sha256 != view.file.sha256
        )
        quote = "" if target is None else _quote(target)
        if not self._is_found:
            note = _GONE
        elif view.is_changed or not is_other:
            note = _CHANGED if quote else "This file has changed since it was read."
        else:
            note, quote = _STILL_THERE, ""
        self.notice.say(note)
        self.quote.setText(f"“{words.preview(quote, 600)}”")
        self.quote.setVisible(bool(quote))
        self._notes.setVisible(view.is_changed or is_other or not self._is_found)

    def _on_error(self, error: DesktopRagError) -> None:
        self.page_bar.hide()
        self._notes.hide()
        quote = _quote(self._target) if self._target else ""
        kept = f"\n\nThe passage as it was read:\n“{words.preview(quote, 600)}”" if quote else ""
        self.message.setText(error.message + kept)
        self.stack.setCurrentWidget(self.message)

    # pages
    def _show_page(self) -> None:
        if self._view is None:
            return
        page = self._current_page(self._view.pages)
        self.page_bar.show_page(page, len(self._view.pages))
        boxes = _boxes_on(self._target, page.number) if self._is_found else ()
        self.page_view.show_page(page.width, page.height, boxes)

    def _current_page(self, pages: tuple[Page, ...]) -> Page:
        self._page = max(1, min(self._page, len(pages)))
        return pages[self._page - 1]

    def _on_turned(self, by: int) -> None:
        if self._view is not None and 1 <= self._page + by <= len(self._view.pages):
            self._page += by
            self._show_page()

    def _on_zoom_changed(self) -> None:
        self.page_bar.show_zoom(self.page_view.percent, is_fitted=self.page_view.is_fitted)

    def _on_picture_wanted(self, scale: float) -> None:
        if self._app is None or self._view is None or not self._view.pages:
            return
        app, document, page = self._app, self._view.file.id, self._page
        if "page" in self._tasks:
            self._tasks["page"].forget()
        self._tasks["page"] = self._background.run(
            # Decoded there too: a large page would hold up the window for some frames.
            lambda: QImage.fromData(app.render_page(document, page, min(scale, _MAX_SCALE)).png),
            self.page_view.set_picture,
            self._on_error,
        )

    # outside
    def _on_open(self) -> None:
        self._hand_over(external.open_file)

    def _on_show_in_folder(self) -> None:
        self._hand_over(external.show_in_folder)

    def _hand_over(self, action: object) -> None:
        assert callable(action)
        if self._view is not None and not action(Path(self._view.file.path)):
            name = PurePath(self._view.file.path).name
            self.notice.say(f"“{name}” is not at its place any more; what was read is kept.")
            self._notes.show()

    def _colour_icons(self) -> None:
        colour = self._theme.colours.muted
        self.open_button.setIcon(icons.icon("open", colour))
        self.folder_button.setIcon(icons.icon("folder", colour))
        self.close_button.setIcon(icons.icon("close", colour))


def _button(label: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(label)
    button.setAccessibleName(label)
    return button


def _where(target: Citation | Passage) -> str:
    return " · ".join(part for part in (target.place, target.path) if part)


def _first_page(target: Citation | Passage | None) -> int:
    if isinstance(target, Citation):
        return target.page or 1
    return target.pages[0] if target is not None and target.pages else 1


def _boxes_on(target: Citation | Passage | None, page: int) -> tuple[Box, ...]:
    boxes = target.boxes if isinstance(target, Citation) else ()
    return tuple(box for box in boxes if box.page == page)


def _quote(target: Citation | Passage) -> str:
    return target.quote if isinstance(target, Citation) else target.text
