"""Shows what a start of the program wants: files at a page or some words, or an offer to add them.

Nothing is added silently: whoever sends a path here may not be the person, and a folder may be
large. What the person opened in a file manager is added as if it were dropped on the window, which
says what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from desktop_rag.domain.library import FileState
from desktop_rag.domain.wanted import Wanted
from desktop_rag.ui.announce import announce
from desktop_rag.ui.library.remedies import failure_of
from desktop_rag.ui.models_page.bundle_dialogs import holds_models
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.translation import _, counted

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.placing import Placed
    from desktop_rag.ui.main_window import MainWindow
    from desktop_rag.ui.theme import Theme


class OfferBar(NoticeBar):
    """Paths that are not in the library yet, and a button that adds them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "info")
        self.paths: list[Path] = []
        self.button = QPushButton(_("Add to the library"))
        self.button.setObjectName("quietButton")
        self.add_button(self.button)
        self.hide()

    def ask_about(self, paths: Sequence[Path]) -> None:
        """Ask about these, and about those that are still being asked about."""
        known = self.paths if not self.isHidden() else []
        self.paths = list(dict.fromkeys([*known, *paths]))
        if len(self.paths) == 1:
            sentence = _("“{name}” is not in your library.").format(name=self.paths[0].name)
        else:
            sentence = counted(
                "{n} file is not in your library.",
                "{n} files are not in your library.",
                len(self.paths),
            )
        self.say(sentence)
        self.show()
        announce(self, sentence)


class OpeningWishes(QObject):
    """For one window; made when its library is open."""

    def __init__(self, window: MainWindow, theme: Theme, app: App) -> None:
        super().__init__(window)
        self._window = window
        self._app = app
        self.offer_bar = OfferBar(theme)
        window.notices.add(self.offer_bar)
        self.offer_bar.button.clicked.connect(self._on_add)

    def show(self, wanted: Wanted) -> None:
        """Look the paths up and show the first that is in the library."""
        if wanted.added:
            self._take(wanted.added)
        if not wanted.paths:
            return
        app = self._app

        def look_up() -> list[Placed]:
            first, *others = wanted.paths
            return [
                app.placing.find(first, wanted.page, wanted.quote),
                *(app.placing.find(path) for path in others),
            ]

        self._window.background.run(look_up, self._on_found)

    def _take(self, paths: Sequence[Path]) -> None:
        """What a file manager passed: bundles of models, documents that are known, and new ones."""
        bundles = [path for path in paths if holds_models(path)]
        others = [path for path in paths if path not in bundles]
        for bundle in bundles:
            self._window.import_models(bundle)
        if others:
            find = self._app.placing.find
            self._window.background.run(lambda: [find(path) for path in others], self._on_taken)

    def _on_taken(self, found: list[Placed]) -> None:
        if all(one.file is not None for one in found):
            self._open(found[0])
            return
        self._window.add_paths([one.path for one in found])
        self._window.show_library()

    def _on_found(self, found: list[Placed]) -> None:
        opened = next((one for one in found if one.file is not None), None)
        if opened is not None:
            self._open(opened)
        elif any(one.is_folder for one in found):
            self._window.show_library()
        missing = [one.path for one in found if one.file is None and one.is_missing]
        if missing:
            self._window.tell(_("There is no file {path}.").format(path=missing[0]))
        strangers = [
            one.path
            for one in found
            if one.file is None and not one.is_folder and not one.is_missing
        ]
        if strangers:
            self.offer_bar.ask_about(strangers)

    def _open(self, placed: Placed) -> None:
        assert placed.file is not None
        window, name = self._window, placed.path.name
        if placed.file.state is FileState.FAILED:
            window.tell(failure_of(placed.file))
        elif placed.file.state is not FileState.READY:
            window.tell(_("“{name}” is still to be read.").format(name=name), "info")
        elif placed.has_no_such_page:
            window.tell(_("“{name}” has no such page.").format(name=name), "info")
        elif placed.has_no_such_words:
            window.tell(_("Those words are not in “{name}”.").format(name=name), "info")
        if placed.citation is not None:
            window.show_place(placed.citation)
        else:
            window.show_document(placed.file)

    def _on_add(self) -> None:
        self.offer_bar.hide()
        self._window.add_paths(self.offer_bar.paths)
        self._window.show_library()
