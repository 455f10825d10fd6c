"""Asks for a name: of a collection, or a tag; offers those there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S, scaled
from desktop_rag.ui.translation import _


class NameDialog(QDialog):
    """`on_named` gets what was typed, without spaces around it, never empty."""

    def __init__(
        self,
        title: str,
        on_named: Callable[[str], None],
        parent: QWidget,
        known: Sequence[str] = (),
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        heading = PlainLabel(title)
        heading.setObjectName("panelTitle")
        self.field = QLineEdit()
        self.field.setAccessibleName(_("Name"))
        self.field.setMaxLength(100)
        completer = QCompleter(QStringListModel(list(known), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.save = QPushButton(_("OK"))
        self.save.setObjectName("primaryButton")
        self.save.setDefault(True)
        self.save.setEnabled(False)
        self.field.textChanged.connect(lambda: self.save.setEnabled(bool(self.name())))
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self.accept)
        self._on_named = on_named
        self.accepted.connect(self._on_accepted)
        buttons = QHBoxLayout()
        buttons.setSpacing(S)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(heading)
        column.addWidget(self.field)
        column.addLayout(buttons)
        self.setMinimumWidth(scaled(360))

    def _on_accepted(self) -> None:
        if name := self.name():
            self._on_named(name)

    def name(self) -> str:
        """What is typed."""
        return " ".join(self.field.text().split())
