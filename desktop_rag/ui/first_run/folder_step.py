"""Step one: which folders can be asked about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.paths import shipped
from desktop_rag.ui.first_run.place_row import PlaceRow, note_on
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.domain.errors import DesktopRagError
    from desktop_rag.domain.library import AddReport, LibraryStatus
    from desktop_rag.services.suggestions import Place
    from desktop_rag.storage.folder_size import FolderSize
    from desktop_rag.ui.background import Background


def sample_documents() -> Path:
    """The folder of documents that come with the program."""
    return shipped("resources", "sample_docs")


class FolderStep(QWidget):
    """Whatever is pressed is added at once, and reading begins; nothing is chosen beforehand.

    Signals:
        told (str, str), undo_offered (str, Callable, Callable): see `Page`.
        samples_added: the sample documents are in the library.
    """

    told = Signal(str, str)
    undo_offered = Signal(str, object, object)
    samples_added = Signal()

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._app: App | None = None
        self._is_left = False
        self._waiting: list[PlaceRow] = []
        self.rows: dict[Path, PlaceRow] = {}
        self._leaving: set[Path] = set()
        """Removed for the eye; for good when the offer to undo it has passed."""
        self._build()
        self._connect()

    def _build(self) -> None:
        self.hint = PlainLabel(
            _("Drop folders and files anywhere on this window, or choose them here.")
        )
        self.hint.setObjectName("muted")
        self.hint.setWordWrap(True)
        self.choose_folder = QPushButton(_("Choose a folder …"))
        self.choose_folder.setObjectName("primaryButton")
        self.choose_files = QPushButton(_("Choose files …"))
        self.samples = QPushButton(_("Try it with the sample documents"))
        self.looking = PlainLabel(_("Looking for the usual folders …"))
        self.looking.setObjectName("smallMuted")
        self.list = QVBoxLayout()
        self.list.setSpacing(S)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addWidget(self.choose_folder)
        buttons.addWidget(self.choose_files)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.hint)
        column.addLayout(buttons)
        column.addWidget(self.looking)
        column.addLayout(self.list)
        column.addWidget(self.samples, 0, Qt.AlignmentFlag.AlignLeading)
        column.addStretch(1)

    def _connect(self) -> None:
        self.choose_folder.clicked.connect(self._choose_folder)
        self.choose_files.clicked.connect(self._choose_files)
        self.samples.clicked.connect(self._add_samples)

    # life
    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def enter(self) -> None:
        """It came into view: look for folders, and what is in the library."""
        if self._app is not None:
            self._is_left = False
            self._background.run(self._app.suggestions.places, self._show_places)

    def leave(self) -> None:
        """Nobody looks any more: stop counting."""
        self._is_left = True
        self._waiting.clear()

    def refresh(self) -> None:
        """The library changed."""
        if self._app is not None and not self._is_left:
            self._background.run(self._app.status, self._show_status)

    # content
    def _show_places(self, places: list[Place]) -> None:
        self.looking.hide()
        for place in places:
            if place.path not in self.rows:
                row = self._add_row(place.name, place.path)
                row.setToolTip(note_on(place.kind, place.name))
                row.show_counting()
                self._waiting.append(row)
        self._count_next()
        self.refresh()

    def _add_row(self, name: str, path: Path) -> PlaceRow:
        row = PlaceRow(self._theme, name, path)
        row.add_requested.connect(lambda one: self.add([one]))
        row.remove_requested.connect(self._remove)
        before = next(reversed(self.rows.values())).button if self.rows else self.choose_files
        self.rows[path] = row
        self.list.addWidget(row)
        QWidget.setTabOrder(before, row.button)  # made last, it would be reached last
        return row

    def _show_status(self, status: LibraryStatus) -> None:
        sources = {Path(source.path): source for source in status.sources}
        for path, row in list(self.rows.items()):
            row.show_added(is_added=path in sources and path not in self._leaving)
        for path in sources:
            if path not in self.rows:
                self._add_row(path.name or str(path), path).show_added(is_added=True)
        self.samples.setVisible(sample_documents() not in sources)

    def _count_next(self) -> None:
        """One folder after the other: the window has other things to ask, too."""
        if not self._waiting or self._app is None:
            return
        app, row = self._app, self._waiting.pop(0)

        def count() -> FolderSize:
            return app.suggestions.size(row.path, lambda: self._is_left)

        def show(size: FolderSize) -> None:
            row.show_size(size)
            self._count_next()

        self._background.run(count, show)

    # actions
    def add(self, paths: list[Path]) -> None:
        """Add folders and files to the library."""
        if self._app is not None:
            app = self._app
            self._leaving.difference_update(paths)
            self._background.run(lambda: app.add(paths), self._on_added, self._on_failed)

    def _remove(self, path: Path) -> None:
        """What was read of it, with its tags, may have taken hours: that can be taken back."""
        row = self.rows[path]
        row.show_added(is_added=False)
        self.undo_offered.emit(
            _("Removed {name} from the library.").format(name=row.name.text()),
            lambda: self._stay(path),
            lambda: self._forget(path),
        )
        self._leaving.add(path)  # the bar carries out what it offered before first

    def _stay(self, path: Path) -> None:
        self._leaving.discard(path)
        self.refresh()

    def _forget(self, path: Path) -> None:
        """The offer has passed, and nobody added it again meanwhile."""
        if self._app is not None and path in self._leaving:
            app = self._app
            self.rows[path].button.setEnabled(False)  # until the library has answered
            self._background.run(
                lambda: app.remove([path]),
                lambda _count: self._stay(path),
                self._on_failed,
                is_owed=True,
            )

    def _on_failed(self, error: DesktopRagError) -> None:
        self._leaving.clear()
        self.told.emit(in_window(error.message), "warning")
        self.refresh()

    def _on_added(self, report: AddReport) -> None:
        if report.skipped:
            self.told.emit(report.skipped[0][1], "warning")
        self.refresh()

    def _add_samples(self) -> None:
        if self._app is not None:
            app = self._app
            self._background.run(
                lambda: app.add([sample_documents()]), lambda _report: self.samples_added.emit()
            )

    def _choose_folder(self) -> None:
        dialog = self._dialog(_("Add a folder to the library"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.open()

    def _choose_files(self) -> None:
        dialog = self._dialog(_("Add files to the library"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self.window(), title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.add([Path(name) for name in names]))
        return dialog
