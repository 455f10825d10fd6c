"""Keeps the details on the library page those of the file that is marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import FileState, LibraryFile

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.ui.background import Background
    from desktop_rag.ui.library.file_details import FileDetailsPanel
    from desktop_rag.ui.library.file_list import FileList
    from desktop_rag.ui.library.library_tasks import LibraryTasks
    from desktop_rag.ui.models.files import FileModel


class DetailsFollower(QObject):
    """The panel comes with the first file that is marked, and stays away once it was closed."""

    def __init__(
        self,
        background: Background,
        panel: FileDetailsPanel,
        files: FileList,
        model: FileModel,
        tasks: LibraryTasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._panel, self._files, self._model, self._tasks = panel, files, model, tasks
        self._app: App | None = None
        self._is_wanted = True
        panel.closed.connect(self._on_closed)

    def attach(self, app: App) -> None:
        """The library is open."""
        self._app = app

    def show_marked(self, files: Sequence[LibraryFile]) -> None:
        """These are marked now; details are those of a single one."""
        if len(files) != 1:
            self._panel.hide()
        elif self._is_wanted and files[0] != self._shown():
            self._panel.show_file(files[0])
            self._panel.show()
            self.read()

    def open(self, file: LibraryFile) -> None:
        """Show them, also where the panel was closed."""
        self._is_wanted = True
        self.show_marked([file])

    def read(self) -> None:
        """Read again what is known of the file."""
        file = self._shown()
        if self._app is None or file is None or file.state is FileState.SKIPPED:
            return
        app, number = self._app, file.id
        self._background.run(
            lambda: app.file_details(number),
            lambda found: self._panel.show_details(found, self._tasks.tags),
            lambda _error: self._on_unknown(number),
        )

    def _on_unknown(self, number: DocumentId) -> None:
        """It is gone by now; another file may be shown since."""
        if self._panel.file is not None and self._panel.file.id == number:
            self._panel.hide()

    def follow(self) -> None:
        """The list changed: the file may be in another state by now."""
        file = self._shown()
        now = self._model.file((file.id, "")) if file is not None else None
        if now is not None and now != file:
            self._panel.show_file(now)
            self.read()

    def _shown(self) -> LibraryFile | None:
        return None if self._panel.isHidden() else self._panel.file

    def _on_closed(self) -> None:
        self._is_wanted = False
        self._panel.hide()
        self._files.setFocus()
