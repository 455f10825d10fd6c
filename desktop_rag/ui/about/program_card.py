"""The card that says which program this is, and what its licence lets people do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag import __version__
from desktop_rag.domain.shipped_parts import Build
from desktop_rag.ui.card import Card, Grid, Row
from desktop_rag.ui.translation import _


class ProgramCard(Card):
    """Signals:
    copy_requested: version, licence and parts are wanted on the clipboard.
    bill_requested: the list for machines is to be shown.
    """

    copy_requested = Signal()
    bill_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Desktop RAG", parent)
        self.facts = Grid()
        self.facts.show_lines([(_("Version"), __version__)])
        self.add(self.facts)
        self.copy = QPushButton(_("Copy details"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(self.copy_requested)
        self._add_rights()
        self._add_bill()

    def _add_rights(self) -> None:
        rights = Row(
            _("Free software under the GNU Affero General Public License, version 3 or later"),
            _(
                "You may use, study, share and change it. It comes without any warranty. Whoever "
                "gives you the program must also offer you its source code at no further charge, "
                "and so must whoever lets you use a changed one over a network."
            ),
        )
        rights.add(self.copy)
        self.add(rights)
        self.source = Row(
            _("Source code"),
            _(
                "It is at the place where you got the program: the file whose name ends in "
                "“-source.tar.gz”. Pass it on with the program, or say where it is."
            ),
        )
        self.add(self.source)

    def _add_bill(self) -> None:
        self.bill = Row(
            _("List of parts for machines (SBOM)"),
            _("All parts and files with their checksums, as CycloneDX, for those who check them."),
        )
        self.show_bill = QPushButton(_("Show in its folder"))
        self.show_bill.setAccessibleName(_("Show the list of parts in its folder"))
        self.show_bill.clicked.connect(self.bill_requested)
        self.bill.add(self.show_bill)
        self.add(self.bill)
        self.bill.hide()

    def show_build(self, build: Build, *, has_bill: bool) -> None:
        """What was read about it."""
        origin = _("its source code, without a build")
        if build.is_frozen:
            origin = _("commit {commit} of {date}").format(commit=build.commit, date=build.date)
        self.facts.show_lines([(_("Version"), build.version), (_("Made from"), origin)])
        self.bill.setVisible(has_bill)
        self.copy.setEnabled(True)
