"""What was not added, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.library import Dropped
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import XL, M, scaled
from desktop_rag.ui.translation import _, counted
from desktop_rag.ui.window_words import in_window


class LeftOutDialog(QDialog):
    """A list to read; nothing is decided here."""

    def __init__(self, refused: Sequence[Dropped], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Left out"))
        number = counted("{n} thing was left out", "{n} things were left out", len(refused))
        heading = PlainLabel(number)
        heading.setObjectName("panelTitle")
        self.list = QTreeWidget()
        self.list.setObjectName("plainTable")
        self.list.setAccessibleName(_("What was left out"))
        self.list.setHeaderLabels([_("What"), _("Why")])
        self.list.setRootIsDecorated(False)
        self.list.setWordWrap(True)
        self.list.setColumnWidth(0, scaled(220))
        for one in refused:
            row = QTreeWidgetItem([one.given, in_window(one.sentence)])
            row.setToolTip(0, tip(one.given))
            row.setToolTip(1, tip(one.sentence))
            self.list.addTopLevelItem(row)
        close = QPushButton(_("Close"))
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(heading)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        self.resize(scaled(640), scaled(380))
