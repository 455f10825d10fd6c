"""Tags as small chips, with a field to add another; for one file or for many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui.chat.flowing_row import FlowingRow
from desktop_rag.ui.theme import XS
from desktop_rag.ui.translation import _


class TagEditor(QWidget):
    """Shows what is there; whoever listens carries out what the person wants.

    Signals:
        added (str), removed (str)
    """

    added = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[str, ...] = ()
        self._buttons: list[QPushButton] = []
        self._known = QStringListModel(self)
        self._chips = FlowingRow()
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Add a tag"))
        self.field.setAccessibleName(_("Add a tag"))
        self.field.setMaxLength(100)
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.field.returnPressed.connect(self._on_return)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addWidget(self._chips)
        column.addWidget(self.field)

    def show_tags(self, tags: Sequence[str], known: Sequence[str] = ()) -> None:
        """These are there; `known` ones are offered while typing."""
        self._known.setStringList(list(known))
        if tuple(tags) == self._tags:
            return
        self._tags = tuple(tags)
        old, self._chips = self._chips, FlowingRow()
        self._column.replaceWidget(old, self._chips)
        old.hide()
        old.deleteLater()
        self._buttons = []
        for tag in self._tags:
            self._chips.add(self._chip(tag))
        self._chips.setVisible(bool(self._tags))

    def chips(self) -> list[QPushButton]:
        """One for each tag; pressing it takes the tag off."""
        return list(self._buttons)

    def _chip(self, tag: str) -> QPushButton:
        button = QPushButton(f"{tag}  ×".replace("&", "&&"))
        button.setObjectName("tagChip")
        button.setAccessibleName(_("Take off the tag {tag}").format(tag=tag))
        button.setToolTip(_("Take off this tag"))
        button.clicked.connect(lambda: self.removed.emit(tag))
        self._buttons.append(button)
        return button

    def _on_return(self) -> None:
        tag = " ".join(self.field.text().split())
        if tag:
            self.field.clear()
            self.added.emit(tag)
