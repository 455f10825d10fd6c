"""The text view with a scroll bar for the whole document, where only a part is laid out."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QWidget

from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.text_view import SHOWN_CHARS, TextView


class TextPane(QWidget):
    """The outer bar counts characters of the document instead of pixels of the part."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = TextView(theme)
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        self.bar.setAccessibleName(_("Position in the document"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.view, 1)
        row.addWidget(self.bar)
        self.bar.hide()
        self.view.moved.connect(self._on_moved)
        self.bar.actionTriggered.connect(lambda _: self._on_bar())

    def _on_moved(self) -> None:
        """Also after another document came: the bar follows what is laid out."""
        is_part = self.view.is_part
        self.bar.setVisible(is_part)
        policy = Qt.ScrollBarPolicy
        self.view.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if is_part else policy.ScrollBarAsNeeded
        )
        if not is_part:
            return
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, self.view.length)
            self.bar.setPageStep(SHOWN_CHARS // 10)
            self.bar.setSingleStep(200)
            self.bar.setValue(self.view.first_in_view)

    def _on_bar(self) -> None:
        self.view.scroll_to_offset(self.bar.sliderPosition())
