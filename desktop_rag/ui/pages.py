"""The pages besides chat and library: which there are, and the stack that makes them late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_rag.ui.page import Page
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.bridge import Bridge


@dataclass(frozen=True, slots=True)
class PageKind:
    """A page that the sidebar leads to. `make` imports it: none costs time before it is seen."""

    key: str
    icon: str
    label: Callable[[], str]
    make: Callable[[Theme, Background], Page]
    is_listed: bool = True
    """In the sidebar."""


def _settings(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.preferences.page import SettingsPage

    return SettingsPage(theme, background)


def _first_run(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.first_run.first_run_page import FirstRunPage

    return FirstRunPage(theme, background)


def _models(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.models_page.models_page import ModelsPage

    return ModelsPage(theme, background)


def _quality(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.quality.page import QualityPage

    return QualityPage(theme, background)


def _privacy(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.privacy.page import PrivacyPage

    return PrivacyPage(theme, background)


def _about(theme: Theme, background: Background) -> Page:
    from desktop_rag.ui.about.page import AboutPage

    return AboutPage(theme, background)


FIRST_RUN = "first-run"
ABOUT = "about"
KINDS: tuple[PageKind, ...] = (
    PageKind(FIRST_RUN, "chat", lambda: _("First steps"), _first_run, is_listed=False),
    PageKind("models", "model", lambda: _("Models"), _models),
    PageKind("quality", "chart", lambda: _("Quality"), _quality),
    PageKind("privacy", "shield-check", lambda: _("Privacy"), _privacy),
    PageKind("settings", "settings", lambda: _("Settings"), _settings),
    PageKind(ABOUT, "info", lambda: _("About Desktop RAG"), _about, is_listed=False),
)
"""In the order of the sidebar."""


class PageStack(QStackedWidget):
    """The chat from the beginning, the others from when they are first turned to.

    Signals:
        turned (str): the key of the page that is shown now.
        made (str, Page): nobody had seen this page yet; it is not attached.
        told, undo_offered, page_requested, place_requested, document_requested, quit_requested:
            of any page.
    """

    turned = Signal(str)
    made = Signal(str, object)
    told = Signal(str, str)
    undo_offered = Signal(str, object, object)
    page_requested = Signal(str)
    place_requested = Signal(object)
    document_requested = Signal(object)
    quit_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        background: Background,
        bridge: Bridge,
        kinds: tuple[PageKind, ...] = KINDS,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._background = background
        self._bridge = bridge
        self._kinds = {kind.key: kind for kind in kinds}
        self._made: dict[str, QWidget] = {}
        self._app: App | None = None

    def add(self, key: str, widget: QWidget) -> None:
        """A page that is there from the beginning."""
        if isinstance(widget, Page):
            self._adopt(widget)
        self._made[key] = widget
        self.addWidget(widget)

    def offer(self, kind: PageKind) -> None:
        """One more page that is made when it is first turned to."""
        self._kinds[kind.key] = kind

    def made_page(self, key: str) -> QWidget | None:
        """The page, if somebody has seen it."""
        return self._made.get(key)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        for widget in self._made.values():
            if isinstance(widget, Page):
                widget.attach(app)
        current = self.currentWidget()
        if isinstance(current, Page):
            current.activate()

    @property
    def current(self) -> str:
        """The key of the page that is shown."""
        shown = self.currentWidget()
        return next((key for key, widget in self._made.items() if widget is shown), "")

    @property
    def keys(self) -> set[str]:
        """Of all pages that can be turned to."""
        return {*self._kinds, *self._made}

    def page(self, key: str) -> QWidget:
        """The page, made now if nobody has seen it yet. Raises KeyError for one there is not."""
        if key not in self._made:
            self._make(self._kinds[key])
        return self._made[key]

    def turn_to(self, key: str) -> None:
        """Show a page."""
        widget = self.page(key)
        self.setCurrentWidget(widget)
        if isinstance(widget, Page) and self._app is not None:
            widget.activate()
        self.turned.emit(key)

    def _make(self, kind: PageKind) -> None:
        page = kind.make(self._theme, self._background)
        self.made.emit(kind.key, page)
        self.add(kind.key, page)
        if self._app is not None:
            page.attach(self._app)

    def _adopt(self, page: Page) -> None:
        page.told.connect(self.told)
        page.undo_offered.connect(self.undo_offered)
        page.page_requested.connect(self.page_requested)
        page.place_requested.connect(self.place_requested)
        page.document_requested.connect(self.document_requested)
        page.quit_requested.connect(self.quit_requested)
        page.listen(self._bridge)
