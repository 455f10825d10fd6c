"""Tags as small chips, with a field to add another; for one file or for many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

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
        self._chips = QWidget()
        self._chip_rows = QVBoxLayout(self._chips)
        self._chip_rows.setContentsMargins(0, 0, 0, 0)
        self._chip_rows.setSpacing(XS)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Add a tag"))
        self.field.setAccessibleName(_("Add a tag"))
        self.field.setMaxLength(100)
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.field.returnPressed.connect(self._on_return)
        column = QVBoxLayout(self)
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
        while (item := self._chip_rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._buttons = []
        for tag in self._tags:
            self._chip_rows.addWidget(self._chip(tag))
        self._chips.setVisible(bool(self._tags))

    def chips(self) -> list[QPushButton]:
        """One for each tag; pressing it takes the tag off."""
        return list(self._buttons)

    def _chip(self, tag: str) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        button = QPushButton(f"{tag}  ×".replace("&", "&&"))
        button.setObjectName("tagChip")
        button.setAccessibleName(_("Take off the tag {tag}").format(tag=tag))
        button.setToolTip(_("Take off this tag"))
        button.clicked.connect(lambda: self.removed.emit(tag))
        self._buttons.append(button)
        layout.addWidget(button)
        layout.addStretch(1)
        return row

    def _on_return(self) -> None:
        tag = " ".join(self.field.text().split())
        if tag:
            self.field.clear()
            self.added.emit(tag)
