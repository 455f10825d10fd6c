"""The panel on the right: the cited page, sheet or text, with the passage marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.domain.library import FileState
from desktop_rag.ui import words
from desktop_rag.ui.announce import announce
from desktop_rag.ui.library.remedies import failure_of
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, numeral
from desktop_rag.ui.viewer import external, viewer_keys
from desktop_rag.ui.viewer.file_notes import FileNotes, gone, quote_of
from desktop_rag.ui.viewer.loading import Loaded, Target, load
from desktop_rag.ui.viewer.place_bar import PlaceBar
from desktop_rag.ui.viewer.state_page import Remedy
from desktop_rag.ui.viewer.viewer_body import ViewerBody, page_of
from desktop_rag.ui.viewer.viewer_head import ViewerHead

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.library import AddReport
    from desktop_rag.services.viewing import DocumentView
    from desktop_rag.ui.background import Background, Task

_PATIENCE_MS = 250
"""A document that is there sooner needs no sentence that it is coming."""
_SOON_MS = 300
"""Many files may change at a time; what is shown is read again once for all of them."""
_LEAST_WIDTH = 340


_MAX_QUOTE = 500


@dataclass(frozen=True, slots=True)
class Reading:
    """A place in a file that outlives the numbers of the catalog."""

    path: str
    page: int | None
    quote: str
    """Empty when the person turned away from it."""


class ViewerPanel(QWidget):
    """Opens a citation, a passage or a whole document.

    Signals:
        closed: the person wants the room back.
        ask_requested (str, str): text of a file to ask about, and the file's path.
    """

    closed = Signal()
    ask_requested = Signal(str, str)

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._app: App | None = None
        self._loaded: Loaded | None = None
        self._target: Target | None = None
        self._document: DocumentId | None = None
        self._among: Sequence[Target] = ()
        self._task: Task | None = None
        self._is_waiting = False
        self._build(theme)
        self._connect()
        viewer_keys.connect(self)

    # building
    def _build(self, theme: Theme) -> None:
        self.setObjectName("viewer")
        self.setMinimumWidth(_LEAST_WIDTH)
        self.head = ViewerHead(theme)
        self.place_bar = PlaceBar(theme)
        self.place_bar.hide()
        self.notes = FileNotes(theme)
        self.body = ViewerBody(theme, self._background)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.place_bar)
        layout.addWidget(self.notes)
        layout.addWidget(self.body, 1)

    def _connect(self) -> None:
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_opening)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._look_again)
        head = self.head
        head.open_requested.connect(lambda: self._hand_over(is_folder=False))
        head.folder_requested.connect(lambda: self._hand_over(is_folder=True))
        head.copy_path_requested.connect(self._copy_path)
        head.find_requested.connect(self.body.begin_search)
        head.closed.connect(self.closed)
        self.notes.find_requested.connect(self.relocate)
        self.place_bar.stepped.connect(self.step)
        self.place_bar.copy_requested.connect(self.copy_quote)
        self.place_bar.ask_requested.connect(self._ask_about_quote)
        self.body.ask_requested.connect(self._ask_about)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app
        self.body.attach(app)

    # opening
    def open_place(self, target: Target, among: Sequence[Target] = ()) -> None:
        """Show where a quote stands.

        Args:
            target: a citation or a passage.
            among: all places of the answer, to step through.
        """
        self._target, self._document = target, None
        self._among = tuple(among) if target in among else (target,)
        self.place_bar.show_count(self._among.index(target), len(self._among))
        self.place_bar.show()
        self._open(words.title(target), _where(target))

    def open_document(self, document: DocumentId, title: str, path: str) -> None:
        """Show a document from its beginning."""
        self._target, self._document, self._among = None, document, ()
        self.place_bar.hide()
        self._open(title, path)

    def expect(self, citations: Sequence[Citation]) -> None:
        """One of these may be opened soon: have ready what draws pages, if there are any."""
        if self._app is not None and any(citation.page for citation in citations):
            self._background.run(self._app.viewing.prepare_pages, None, lambda _: None)

    def step(self, by: int) -> None:
        """To another citation of the same answer."""
        if self._target is None:
            return
        position = self._among.index(self._target) + by
        if not 0 <= position < len(self._among):
            return
        target = self._among[position]
        self.open_place(target, self._among)
        n, total = numeral(position + 1), numeral(len(self._among))
        sentence = _("Citation {n} of {total}: {title}")
        announce(self, sentence.format(n=n, total=total, title=words.title(target)))

    @property
    def reading(self) -> Reading | None:
        """What is read, for another window or the next start; `None` when nothing is open."""
        if self.isHidden() or self._loaded is None:
            return None
        view, target = self._loaded.view, self._loaded.target
        page = self.body.pages.view.page if view.pages else None
        is_there = target is not None and page in (None, page_of(target))
        quote = quote_of(target) if target is not None and is_there else ""
        return Reading(view.file.path, page, quote[:_MAX_QUOTE])

    def reload(self) -> None:
        """Read the same place once more."""
        if self._target is not None or self._document is not None:
            self._load()

    def on_library_changed(self) -> None:
        """A file that was waited for may have been read; one that is shown, again."""
        if not self._soon.isActive():
            self._soon.start()

    def _look_again(self) -> None:
        app, loaded = self._app, self._loaded
        if app is None or self.isHidden():
            return
        if self._is_waiting or loaded is None:
            self.reload()
            return
        file = loaded.view.file
        known = file.edition
        self._background.run(
            lambda: app.viewing.edition(file.id),
            lambda now: self.reload() if now != known else None,
            lambda _: self.reload(),
        )

    def _open(self, title: str, where: str) -> None:
        self.head.show_document(title, where)
        self._patience.start()
        self._load()

    def _load(self) -> None:
        wanted = self._target if self._document is None else self._document
        if self._app is None or wanted is None:
            return
        app = self._app
        if self._task is not None:
            self._task.forget()
        self._task = self._background.run(
            lambda: load(app, wanted), self._on_loaded, self._on_error
        )

    def _on_loaded(self, loaded: Loaded) -> None:
        self._patience.stop()
        self._loaded, self._is_waiting = loaded, False
        self.head.enable(is_there=True)
        if loaded.target is not None:
            self.head.subtitle.setText(_where(loaded.target))
        self.notes.show_for(loaded)
        if loaded.view.text or loaded.view.pages:
            self.body.show_loaded(loaded)
        else:
            self._show_unread(loaded.view)

    # states
    def _show_unread(self, view: DocumentView) -> None:
        remedies = [Remedy(_("Open in its own program"), lambda: self._hand_over(is_folder=False))]
        if view.file.state is FileState.FAILED:
            remedies.insert(0, Remedy(_("Retry"), lambda: self._read_again(view.file.id)))
            self._say(failure_of(view.file), icon="warning", remedies=remedies)
            return
        self._is_waiting = True
        sentence = _("This file is still being read. It opens here as soon as that is done.")
        self._say(sentence, icon="clock", remedies=remedies)

    def _say_opening(self) -> None:
        self._loaded = None
        self.notes.hide()
        self.body.say(_("Opening…"), icon="reading")

    def _say(self, sentence: str, *, icon: str, remedies: Sequence[Remedy]) -> None:
        quote = quote_of(self._target) if self._target else ""
        self.body.say(sentence, icon=icon, quote=quote, remedies=remedies)

    def _on_error(self, error: DesktopRagError) -> None:
        self._patience.stop()
        self._loaded = None
        self.notes.hide()
        remedies = [Remedy(_("Retry"), self.reload)]
        if isinstance(error, NotFound):
            self._is_waiting = True
            remedies = [Remedy(_("Find it…"), self.relocate)]
        self._say(error.message, icon="warning", remedies=remedies)

    # the quote
    def copy_quote(self) -> None:
        """The cited passage goes to the clipboard."""
        if self._target is not None:
            self._copy(quote_of(self._target))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        announce(self, _("Copied"))

    def _ask_about_quote(self) -> None:
        if self._target is not None:
            self._ask_about(quote_of(self._target))

    def _ask_about(self, text: str) -> None:
        if self._loaded is not None:
            self.ask_requested.emit(text, self._loaded.view.file.path)

    # the file
    def _copy_path(self) -> None:
        if self._loaded is not None:
            self._copy(self._loaded.view.file.path)

    def _hand_over(self, *, is_folder: bool) -> None:
        if self._loaded is None:
            return
        path = Path(self._loaded.view.file.path)
        action = external.show_in_folder if is_folder else external.open_file
        wanted = path.parent if is_folder else path

        def done(is_there: object) -> None:
            if not (is_there and action(path)):
                self.notes.say(gone(path.name))
                self.notes.find_button.show()

        self._background.run(wanted.exists, done)

    def relocate(self) -> None:
        """Let the person show where the file is now; it is read there."""
        if self._app is None:
            return
        app, known = self._app, Path(self._known_path())
        title = _("Find “{name}”").format(name=known.name)
        chosen, _filter = QFileDialog.getOpenFileName(self, title, str(known.parent))
        if chosen:
            self._background.run(lambda: app.add([Path(chosen)]), self._on_added, self._on_error)

    def _known_path(self) -> str:
        if self._loaded is not None:
            return self._loaded.view.file.path
        return self._target.path if self._target is not None else self.head.subtitle.text()

    def _on_added(self, report: AddReport) -> None:
        if report.skipped:
            self.notes.say(report.skipped[0][1])
            return
        self._is_waiting = True
        self.notes.say(_("The file is being read. The place opens here as soon as that is done."))

    def _read_again(self, document: DocumentId) -> None:
        if self._app is not None:
            app = self._app
            self._background.run(lambda: app.retry([document]), lambda _: self.reload())

    def put_away(self) -> bool:
        """Esc: close the search if there is one; whether that was it."""
        if self.body.find_bar.isHidden():
            return False
        self.body.find_bar.close_search()
        return True


def _where(target: Target) -> str:
    return " · ".join(part for part in (target.place, target.path) if part)
