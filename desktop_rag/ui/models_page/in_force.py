"""Which choices of the Settings page shape how models run, with the way there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_rag.settings import Settings
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import S
from desktop_rag.ui.translation import _, counted


class ChoicesInForce(QWidget):
    """Signals:
    settings_requested: the person wants to change them.
    """

    settings_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = PlainLabel()
        self.sentence.setObjectName("smallMuted")
        self.sentence.setWordWrap(True)
        self.change = QPushButton(_("Change in Settings"))
        self.change.setObjectName("linkButton")
        self.change.clicked.connect(self.settings_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.change)

    def show_settings(self, settings: Settings) -> None:
        """Say what is in force."""
        effort = {
            "fast": _("fast: little is read for an answer"),
            "balanced": _("balanced"),
            "thorough": _("thorough: much is read for an answer"),
        }[settings.answers]
        card = _("graphics card allowed") if settings.gpu else _("graphics card not used")
        threads = (
            counted("{n} thread", "{n} threads", settings.threads)
            if settings.threads
            else _("threads chosen by the program")
        )
        self.sentence.setText(
            _("Answers: {effort} · {card} · {threads}").format(
                effort=effort, card=card, threads=threads
            )
        )
