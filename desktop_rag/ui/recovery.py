"""What the page for a library that cannot be opened offers: another folder, or a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.storage.archives import Restored
    from desktop_rag.ui.main_window import MainWindow


class Recovery(QObject):
    """For one window.

    Signals:
        folder_chosen (Path): the person wants the library in this data folder.
        restored: the library was put back; it can be opened again.
    """

    folder_chosen = Signal(object)
    restored = Signal()

    def __init__(self, window: MainWindow, data_dir: Path) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        window.error_page.folder_chosen.connect(self.folder_chosen)
        window.error_page.backup_chosen.connect(self._on_backup_chosen)

    def _on_backup_chosen(self, backup: Path) -> None:
        data_dir, page = self._data_dir, self._window.error_page

        def put_back() -> Restored:
            from desktop_rag.app import restore_backup

            return restore_backup(data_dir, backup)

        page.show_restoring()
        self._window.background.run(put_back, self._on_restored, page.show_failed_restore)

    def _on_restored(self, restored: Restored) -> None:
        self.restored.emit()
        if restored.kept is not None:
            sentence = _("The library is back. The one that was there is kept in {path}.")
            self._window.tell(sentence.format(path=restored.kept), "info")
