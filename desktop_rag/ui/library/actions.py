"""What a person does to the library: choose, add, remove, retry. Never on the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import AddReport, LibraryFile
from desktop_rag.ui import words

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background

_ALREADY_THERE = "That is in your library already; changes are noticed."


class LibraryActions(QObject):
    """Passes wishes on to the façade and says what came of them.

    Signals:
        told (str, str): a sentence for the person, and its kind (`warning` or `info`).
        changed: the library may look different.
    """

    told = Signal(str, str)
    changed = Signal()

    def __init__(self, background: Background, over: QWidget) -> None:
        super().__init__(over)
        self._background = background
        self._over = over
        self._app: App | None = None

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def choose_folder(self) -> None:
        """Ask for a folder and add it."""
        dialog = self._file_dialog("Add a folder to the library")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.open()

    def choose_files(self) -> None:
        """Ask for files and add them."""
        dialog = self._file_dialog("Add files to the library")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.open()

    def add(self, paths: Sequence[Path]) -> None:
        """Add files and folders."""
        if self._app is not None and paths:
            app, wanted = self._app, list(paths)
            self._background.run(lambda: app.add(wanted), self._on_added)

    def remove(self, paths: Sequence[Path]) -> None:
        """Forget sources or files; the files themselves stay where they are."""
        if self._app is not None:
            app = self._app
            self._background.run(lambda: app.remove(paths), lambda _: self.changed.emit())

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Read failed files again."""
        if self._app is not None:
            app = self._app
            self._background.run(lambda: app.retry(documents), lambda _: self.changed.emit())

    def pause(self) -> None:
        """Read no more files until `resume`."""
        if self._app is not None:
            app = self._app
            self._background.run(app.pause_indexing, lambda _: self.changed.emit())

    def resume(self) -> None:
        """Go on reading."""
        if self._app is not None:
            app = self._app
            self._background.run(app.resume_indexing, lambda _: self.changed.emit())

    def find_skipped(self, show: Callable[[list[LibraryFile]], None]) -> None:
        """Look up the files that were left out."""
        if self._app is not None:
            self._background.run(self._app.skipped_files, show)

    def _file_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._over, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.add([Path(name) for name in names]))
        return dialog

    def _on_added(self, report: AddReport) -> None:
        if report.skipped:
            more = len(report.skipped) - 1
            rest = f" ({words.count(more, 'more problem')})" if more else ""
            self.told.emit(report.skipped[0][1] + rest, "warning")
        elif report.already_there and not report.added:
            self.told.emit(_ALREADY_THERE, "info")
        self.changed.emit()
