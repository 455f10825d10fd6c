"""The text of a model's licence."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_rag.ui.theme import L, M, scaled
from desktop_rag.ui.translation import _


class LicenceDialog(QDialog):
    """Read, scroll, copy, close."""

    def __init__(self, name: str, text: str, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(name)
        self.text = QPlainTextEdit(text)
        self.text.setObjectName("licenceText")
        self.text.setAccessibleName(name)
        self.text.setReadOnly(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox()
        self.close_button = buttons.addButton(_("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(L, L, L, L)
        column.setSpacing(M)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(scaled(640), scaled(520))
