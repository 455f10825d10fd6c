"""What can be done with several marked files, in sight and within reach of the keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.ui.chat.flowing_row import FlowingRow
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S
from desktop_rag.ui.translation import _, counted


class SelectionBar(QFrame):
    """Shown while more than one file is marked.

    Signals:
        retry_requested, collect_requested, tag_requested, remove_requested
        cleared: mark none.
    """

    retry_requested = Signal()
    collect_requested = Signal()
    tag_requested = Signal()
    remove_requested = Signal()
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selectionBar")
        self.number = PlainLabel()
        self.retry = self._button(_("Read again"), self.retry_requested)
        self.collect = self._button(_("Add to collection …"), self.collect_requested)
        self.tag = self._button(_("Tag …"), self.tag_requested)
        self.remove = self._button(_("Remove"), self.remove_requested)
        self.clear = self._button(_("Mark none"), self.cleared)
        row = FlowingRow()
        for one in (self.number, self.retry, self.collect, self.tag, self.remove, self.clear):
            row.add(one)
        column = QVBoxLayout(self)
        set_margins(column, M, S, S, S)
        column.addWidget(row)
        self.hide()

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName("smallButton")
        button.clicked.connect(lambda: signal.emit())  # type: ignore[attr-defined]
        return button

    def show_marked(self, files: Sequence[LibraryFile]) -> None:
        """These are marked."""
        known = [file for file in files if file.state is not FileState.SKIPPED]
        self.number.setText(counted("{n} file marked", "{n} files marked", len(known)))
        self.setVisible(len(known) > 1)
