"""Asks for the files that carry models from one computer to another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag.paths import BUNDLE_SUFFIX
from desktop_rag.ui.translation import _

_USUAL_NAME = f"desktop-rag-models{BUNDLE_SUFFIX}"


def holds_models(path: Path | str) -> bool:
    """Whether a file is one that carries models, by its name."""
    return str(path).lower().endswith(BUNDLE_SUFFIX)


def ask_for_bundle(parent: QWidget, then: Callable[[Path], None]) -> None:
    """Ask for a file of models; `then` gets it unless the person changes their mind."""
    dialog = _dialog(parent, _("Import models from a file"), then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.open()


def ask_where_to_export(parent: QWidget, then: Callable[[Path], None]) -> None:
    """Ask where models are to be written to."""
    dialog = _dialog(parent, _("Export models to a file"), then)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(BUNDLE_SUFFIX.removeprefix("."))
    dialog.selectFile(_USUAL_NAME)
    dialog.open()


def _dialog(parent: QWidget, title: str, then: Callable[[Path], None]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setNameFilter(_("Models from another computer (*.ragmodels)"))
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    return dialog
