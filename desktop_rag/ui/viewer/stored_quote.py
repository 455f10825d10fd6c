"""A quote as it was when it was read, for places where the file itself cannot be shown."""

from __future__ import annotations

from PySide6.QtCore import Qt

from desktop_rag.ui.plain import PlainLabel


class StoredQuote(PlainLabel):
    """Its words can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("storedQuote")
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
