"""The kinds of files a chat or an answer can become, to choose from."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.ui.history.kinds import export_kinds


class ExportMenu(QMenu):
    """Signals:
    kind_chosen (str)
    """

    kind_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for kind, name in export_kinds().items():
            self.addAction(name).triggered.connect(partial(self._choose, kind))

    def _choose(self, kind: str, is_checked: object = None) -> None:
        del is_checked
        self.kind_chosen.emit(kind)
