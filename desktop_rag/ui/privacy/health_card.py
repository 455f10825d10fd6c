"""How workers, index and disk do, and the versions; a report of it to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.ui.card import Card, Grid, Row
from desktop_rag.ui.privacy import health_words
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.health import HealthReport


class HealthCard(Card):
    """Shows a `HealthReport`.

    Signals:
        copy_requested: the report is wanted on the clipboard.
    """

    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Health"), parent)
        self.lines = Grid()
        self.add(self.lines)
        row = Row(
            _("Report for somebody who helps you"),
            _("Versions, states and checks. Names of folders, files and people are left out."),
        )
        self.copy = QPushButton(_("Copy report"))
        self.copy.clicked.connect(self.copy_requested)
        row.add(self.copy)
        self.add(row)

    def show_report(self, report: HealthReport) -> None:
        """As it is now."""
        self.lines.show_lines(health_words.lines(report))
