"""The check-up: made on demand, its findings, and a button that mends what can be mended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.services.upkeep import Outcome
from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, Row
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.privacy import health_words
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.upkeep import Finding

_LEVELS = {
    Outcome.OK: "high",
    Outcome.NOTE: "medium",
    Outcome.PROBLEM: "low",
    Outcome.SKIPPED: "none",
}


class CheckCard(Card):
    """Shows findings; what is not fine stands first.

    Signals:
        check_requested, repair_requested
    """

    check_requested = Signal()
    repair_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_("Check-up"), parent)
        self.findings: Sequence[Finding] = ()
        self.head = Row(
            _("Not checked yet"),
            _("Looks whether the library, the index and the models are whole and agree."),
        )
        self.repair = QPushButton(_("Repair"))
        self.repair.setObjectName("primaryButton")
        self.repair.clicked.connect(self.repair_requested)
        self.repair.hide()
        self.check = QPushButton(_("Check now"))
        self.check.clicked.connect(self.check_requested)
        self.head.add(self.repair)
        self.head.add(self.check)
        self.add(self.head)

    def show_busy(self, sentence: str) -> None:
        """It runs; it cannot be begun twice."""
        self.head.say(sentence)
        for button in (self.check, self.repair):
            button.setEnabled(False)
        announce(self, sentence)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """The result, what wants attention first."""
        self.findings = findings
        verdict = health_words.verdict(findings)
        self.head.say(verdict)
        announce(self, verdict)
        self._show_buttons()
        self.clear(keep=1)
        for finding in sorted(findings, key=lambda one: _RANKS[one.outcome]):
            self.add(_FindingRow(finding))

    def show_failure(self, sentence: str) -> None:
        """It could not be made."""
        self.head.say(_("The check-up did not finish."), sentence)
        self._show_buttons()

    def _show_buttons(self) -> None:
        is_mendable = any(one.repair is not None for one in self.findings)
        self.repair.setVisible(is_mendable)
        for button in (self.check, self.repair):
            button.setEnabled(True)


_RANKS = {Outcome.PROBLEM: 0, Outcome.NOTE: 1, Outcome.SKIPPED: 2, Outcome.OK: 3}


class _FindingRow(Row):
    """One finding, with a mark that has words as well as a colour."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message, health_words.remedy(finding))
        self.title.setObjectName("smallText")
        mark = PlainLabel(health_words.outcome(finding.outcome))
        mark.setObjectName("badge")
        mark.setProperty("level", _LEVELS[finding.outcome])
        self.add(mark)
