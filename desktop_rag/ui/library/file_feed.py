"""Keeps the list of files up to date without reading all of them again for every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.events import LibraryChanged
from desktop_rag.domain.library import LibraryFile
from desktop_rag.ui.background import Background
from desktop_rag.ui.library.file_filter import Order, Row
from desktop_rag.ui.models.files import FileModel, rows_of

if TYPE_CHECKING:
    from desktop_rag.app import App

_SOON_MS = 250
"""Files that change many times a second are looked up a few times a second."""
_MANY = 1500
"""Changed files above this are cheaper to read with all others."""
_REST = 8
"""Reading everything may take an eighth of the time at most: 100,000 files take seconds."""


class FileFeed(QObject):
    """Fills a `FileModel`: once with everything, then with what changed; none while out of sight.

    Signals:
        loaded: the model holds the library as it was a moment ago.
        failed (DesktopRagError): it could not be read; `reload` tries again.
    """

    loaded = Signal()
    failed = Signal(object)

    def __init__(self, background: Background, model: FileModel, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._model = model
        self._app: App | None = None
        self._is_active = False
        self._is_loading = False
        self._is_stale = True
        self._changed: dict[DocumentId, None] = {}
        self._took_ms = 0
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._catch_up)

    @property
    def is_loaded(self) -> bool:
        """Whether everything was read once."""
        return self._since.isValid()

    def attach(self, app: App) -> None:
        """The library is open; reading begins with `set_active`."""
        self._app = app
        self._is_stale = True

    def set_active(self, *, is_active: bool) -> None:
        """Whether somebody looks: out of sight, changes are only collected."""
        self._is_active = is_active
        if is_active:
            self._catch_up()

    def reload(self) -> None:
        """Read everything again, soon."""
        self._is_stale = True
        self._schedule()

    def on_changed(self, event: LibraryChanged) -> None:
        """A change of the library: of some files, or of many."""
        if event.documents and not self._is_stale:
            self._changed.update(dict.fromkeys(event.documents))
            self._is_stale = len(self._changed) > _MANY
        else:
            self._is_stale = True
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_active or self._is_loading or self._timer.isActive():
            return
        wait_ms = _SOON_MS
        if self._is_stale and self._since.isValid():
            wait_ms = max(wait_ms, _REST * self._took_ms - self._since.elapsed())
        self._timer.start(wait_ms)

    def _catch_up(self) -> None:
        if self._app is None or not self._is_active or self._is_loading:
            return
        if self._is_stale:
            self._read_all(self._app)
        elif self._changed:
            self._read_changed(self._app)

    def _read_all(self, app: App) -> None:
        self._is_loading, self._is_stale = True, False
        self._changed.clear()
        order = self._model.order

        def read() -> tuple[list[Row], Order, int]:
            clock = QElapsedTimer()
            clock.start()
            return rows_of(app.files(), order), order, clock.elapsed()

        self._background.run(read, self._on_all, self._on_failed)

    def _on_all(self, found: tuple[list[Row], Order, int]) -> None:
        rows, order, self._took_ms = found
        self._is_loading = False
        self._since.start()
        if order == self._model.order:
            self._model.replace(rows)
        else:
            self._model.replace_files([row[2] for row in rows])
        self.loaded.emit()
        self._go_on()

    def _read_changed(self, app: App) -> None:
        self._is_loading = True
        wanted = list(self._changed)
        self._changed.clear()

        def show(files: list[LibraryFile]) -> None:
            self._is_loading = False
            there = {file.id for file in files}
            self._model.update(files, [one for one in wanted if one not in there])
            self._go_on()

        self._background.run(lambda: app.files_of(wanted), show, self._on_failed)

    def _on_failed(self, error: DesktopRagError) -> None:
        self._is_loading, self._is_stale = False, True
        self.failed.emit(error)

    def _go_on(self) -> None:
        if self._is_stale or self._changed:
            self._schedule()
