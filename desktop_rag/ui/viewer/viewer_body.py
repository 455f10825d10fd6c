"""What shows a document: pages, text or a grid, with the bars that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.errors import DesktopRagError, RoleUnavailable
from desktop_rag.ui.announce import announce
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.find_bar import FindBar
from desktop_rag.ui.viewer.finding import Finder, Searchable
from desktop_rag.ui.viewer.grid_view import GridView
from desktop_rag.ui.viewer.loading import Loaded, Target
from desktop_rag.ui.viewer.page_bar import PageBar
from desktop_rag.ui.viewer.page_canvas import Fit
from desktop_rag.ui.viewer.page_pane import PagePane
from desktop_rag.ui.viewer.selection_bar import SelectionBar
from desktop_rag.ui.viewer.state_page import Remedy, StatePage
from desktop_rag.ui.viewer.text_pane import TextPane

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.viewing import DocumentView
    from desktop_rag.ui.background import Background


class ViewerBody(QWidget):
    """One document at a time, or a sentence in its place.

    Signals:
        ask_requested (str): this text of the document goes into the question.
    """

    ask_requested = Signal(str)

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._app: App | None = None
        self._loaded: Loaded | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.find_bar = FindBar(theme)
        self.page_bar = PageBar(theme)
        self.state = StatePage(theme)
        self.pages = PagePane(theme, self._background)
        self.texts = TextPane(theme)
        self.grid = GridView(theme)
        self.selection_bar = SelectionBar(theme)
        self.finder = Finder(self.find_bar, self._background, self)
        self.stack = QStackedWidget()
        for view in (self.state, self.pages, self.texts, self.grid):
            self.stack.addWidget(view)
        for bar in (self.find_bar, self.page_bar, self.selection_bar):
            bar.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.page_bar)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.selection_bar)

    def _connect(self) -> None:
        bar, view = self.page_bar, self.pages.view
        bar.turned.connect(self.turn)
        bar.page_chosen.connect(self._on_page_chosen)
        bar.zoom_in_requested.connect(view.zoom_in)
        bar.zoom_out_requested.connect(view.zoom_out)
        bar.fit_requested.connect(lambda key: view.fit_to(Fit[key.upper()]))
        bar.percent_requested.connect(view.zoom_to)
        bar.thumbnails_toggled.connect(self.pages.thumbnails.setVisible)
        bar.text_toggled.connect(lambda is_text: self._turn_into(is_text=is_text))
        view.page_changed.connect(bar.show_page)
        view.zoom_changed.connect(self._on_zoom_changed)
        self.pages.failed.connect(self._on_page_failed)
        self.selection_bar.copy_requested.connect(self.copy_selection)
        self.selection_bar.ask_requested.connect(self.ask_about_selection)
        for signal in (
            view.selection_changed,
            self.texts.view.selection_changed,
            self.grid.selection_changed,
            self.stack.currentChanged,
        ):
            signal.connect(self._on_selection)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    # showing
    def show_loaded(self, loaded: Loaded) -> None:
        """Show a document, or only another place of the one that is shown."""
        before, self._loaded = self._loaded, loaded
        is_other = before is None or not _is_same(before.view, loaded.view)
        if is_other or self.is_state_shown:
            self._show_document(loaded)
        else:
            self._show_place(loaded)

    def say(
        self, sentence: str, *, icon: str, quote: str = "", remedies: Sequence[Remedy] = ()
    ) -> None:
        """A sentence in the place of a document; that one is let go of."""
        self._loaded = None
        self.page_bar.hide()
        self.pages.forget()
        self._say(sentence, icon=icon, quote=quote, remedies=remedies)

    def _say(
        self, sentence: str, *, icon: str, quote: str = "", remedies: Sequence[Remedy] = ()
    ) -> None:
        self.state.say(sentence, icon=icon, quote=quote, remedies=remedies)
        self.stack.setCurrentWidget(self.state)
        self.finder.open("", None)

    @property
    def is_state_shown(self) -> bool:
        """Whether a sentence stands in the place of a document."""
        return self.stack.currentWidget() is self.state

    def _show_document(self, loaded: Loaded) -> None:
        """In the view that is made for its kind; pages of a file that is gone, as text."""
        view = loaded.view
        self.page_bar.setVisible(bool(view.pages))
        if view.pages and self._app is not None:
            self.page_bar.show_pages(view.pages)
            self.page_bar.buttons["text"].setChecked(view.is_missing)
            self.pages.show_document(self._app, view)
        else:
            self.pages.forget()
        if loaded.sheets:
            self.stack.setCurrentWidget(self.grid)
            self.grid.show_sheets(loaded.sheets, loaded.span)
        elif view.pages and not self.page_bar.buttons["text"].isChecked():
            self.stack.setCurrentWidget(self.pages)
            self._show_on_pages(loaded)
        else:
            self._show_text(loaded)
        self._begin_search()

    def _show_text(self, loaded: Loaded) -> None:
        view = loaded.view
        self.stack.setCurrentWidget(self.texts)
        self.texts.view.show_text(view.text, view.blocks, loaded.span, view.parts)

    def _show_place(self, loaded: Loaded) -> None:
        shown = self.stack.currentWidget()
        if shown is self.pages:
            self._show_on_pages(loaded)
        elif shown is self.texts:
            self.texts.view.show_mark(loaded.span)
        elif shown is self.grid:
            self.grid.show_mark(loaded.span)

    def _show_on_pages(self, loaded: Loaded) -> None:
        """A place on a page that has no lines (yet) is at least on that page."""
        self.pages.view.show_mark(loaded.boxes)
        page = page_of(loaded.target)
        if page and not loaded.boxes:
            self.pages.view.turn_to(page)

    # pages
    def turn(self, by: int) -> None:
        """To the next page, or back."""
        self._on_page_chosen(self.pages.view.page + by)

    def _on_page_chosen(self, number: int) -> None:
        view = self._loaded.view if self._loaded else None
        if view is None or not 1 <= number <= len(view.pages):
            return
        self.pages.view.turn_to(number)
        if self.stack.currentWidget() is self.texts:
            self.texts.view.scroll_to_offset(view.pages[number - 1].start)
            self.page_bar.show_page(number)

    def _on_zoom_changed(self) -> None:
        fit = self.pages.view.fit
        self.page_bar.show_zoom(self.pages.view.percent, fit.name.lower() if fit else "")

    def _turn_into(self, *, is_text: bool) -> None:
        """The text of the pages, for reading aloud, copying or a broken file; or the pages."""
        loaded = self._loaded
        if loaded is None or not loaded.view.pages or self.is_state_shown:
            return
        if is_text:
            self._show_text(loaded)
        else:
            self.stack.setCurrentWidget(self.pages)
            self._show_on_pages(loaded)
        self._begin_search()

    def _on_page_failed(self, number: int, error: DesktopRagError) -> None:
        """Of pages that are not looked at, nothing is said."""
        view = self.pages.view
        if self.stack.currentWidget() is not self.pages or number not in view.pages_in_view():
            return
        remedies = [
            Remedy(_("Retry"), lambda: self._draw_again(error)),
            Remedy(_("Show its text"), self._show_text_instead),
        ]
        self._say(error.message, icon="warning", remedies=remedies)

    def _draw_again(self, error: DesktopRagError) -> None:
        if isinstance(error, RoleUnavailable) and self._app is not None:
            app, shown = self._app, self._loaded

            def go_on(_: object) -> None:
                if shown is self._loaded:  # another document may have been opened meanwhile
                    self._try_again()

            self._background.run(lambda: app.restart_engine("view"), go_on)
        else:
            self._try_again()

    def _try_again(self) -> None:
        self.pages.try_again()
        self.stack.setCurrentWidget(self.pages)
        self._begin_search()

    def _show_text_instead(self) -> None:
        if self._loaded is not None:
            self._show_text(self._loaded)
            self.page_bar.buttons["text"].setChecked(True)
            self._begin_search()

    # searching
    def begin_search(self) -> None:
        """Search in the document; what is selected is looked for at once."""
        if self._loaded is not None and not self.is_state_shown:
            selected = self.selected_text.strip()
            self.find_bar.begin(selected if "\n" not in selected else "")

    def _begin_search(self) -> None:
        """In another document or another view an open search goes on."""
        loaded = self._loaded
        if loaded is not None:
            near = loaded.span[0] if loaded.span else 0
            self.finder.open(loaded.view.text, self._searchable(), near)

    def _searchable(self) -> Searchable | None:
        shown = self.stack.currentWidget()
        if shown is self.pages:
            return self.pages.view
        if shown is self.texts:
            return self.texts.view
        return self.grid if shown is self.grid else None

    # selecting
    @property
    def selected_text(self) -> str:
        """What is selected in the document."""
        shown = self.stack.currentWidget()
        if shown is self.pages:
            return self.pages.selected_text
        if shown is self.texts:
            return self.texts.view.selected_text
        return self.grid.selected_text if shown is self.grid else ""

    def _on_selection(self) -> None:
        self.selection_bar.show_for(self.selected_text)

    def copy_selection(self) -> None:
        """What is selected goes to the clipboard."""
        if self.selected_text:
            QGuiApplication.clipboard().setText(self.selected_text)
            announce(self, _("Copied"))

    def ask_about_selection(self) -> None:
        """What is selected goes into the question."""
        if self.selected_text.strip():
            self.ask_requested.emit(self.selected_text)


def page_of(target: Target | None) -> int | None:
    """The page a place is on, where there are pages."""
    if isinstance(target, Citation):
        return target.page
    return target.pages[0] if target is not None and target.pages else None


def _is_same(one: DocumentView, other: DocumentView) -> bool:
    """Whether a view that shows one shows the other."""
    return one.file.id == other.file.id and one.text == other.text and one.pages == other.pages
