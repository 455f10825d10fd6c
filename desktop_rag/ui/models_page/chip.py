"""A word on a coloured ground that says how something stands."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.ui.plain import PlainLabel


class Chip(PlainLabel):
    """`kind` is `plain`, `accent`, `success`, `warning` or `danger`; the word says it all, too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("stateChip")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def say(self, text: str, kind: str = "plain") -> None:
        """Show a word; an empty one hides the chip."""
        self.setText(text)
        self.setVisible(bool(text))
        if self.property("kind") != kind:
            self.setProperty("kind", kind)
            self.style().unpolish(self)
            self.style().polish(self)
