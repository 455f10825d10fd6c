"""Takes in models that the person has: by a file dialog, or dropped on the page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from desktop_rag.ui.models_page.bundle_dialogs import ask_for_bundle, holds_models
from desktop_rag.ui.translation import _


class AddModelButton(QPushButton):
    """Signals:
    chosen (Path): a file, or a folder with an ONNX model.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Add a model you have"), parent)
        menu = QMenu(self)
        self.file_action = menu.addAction(_("A language model: a .gguf file …"))
        self.folder_action = menu.addAction(_("A search model: a folder with model.onnx …"))
        menu.addSeparator()
        self.import_action = menu.addAction(_("Import models from a file …"))
        self.import_action.triggered.connect(self.choose_bundle)
        self.file_action.triggered.connect(self.choose_file)
        self.folder_action.triggered.connect(self.choose_folder)
        self.setMenu(menu)

    def choose_file(self) -> None:
        """Ask for a .gguf file."""
        dialog = self._dialog(_("Add a language model"))
        dialog.setNameFilter(_("Language models (*.gguf *.ragmodels)"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def choose_folder(self) -> None:
        """Ask for a folder with an ONNX model."""
        dialog = self._dialog(_("Add a model for search"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.open()

    def choose_bundle(self) -> None:
        """Ask for a file that another computer has exported."""
        ask_for_bundle(self.window(), self.chosen.emit)

    def _dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self.window(), title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.chosen.emit(Path(name)))
        return dialog


def dropped_model(event: QDropEvent) -> Path | None:
    """The file with models that is being dropped; `None` for anything else: the library's."""
    urls = event.mimeData().urls()
    if len(urls) != 1 or not urls[0].isLocalFile():
        return None
    path = Path(urls[0].toLocalFile())
    return path if path.suffix.lower() == ".gguf" or holds_models(path) else None
