"""A file of models that lies beside the program: one press imports it, nothing else does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop_rag.ui.byte_size import size
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.model_importing import Offer


class OfferRow(QFrame):
    """Signals:
    chosen (Path): the person wants the models of this file.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engineStrip")
        self.offer: Offer | None = None
        self.sentence = PlainLabel()
        self.sentence.setWordWrap(True)
        self.button = QPushButton(_("Import"))
        self.button.clicked.connect(self._on_clicked)
        row = QHBoxLayout(self)
        set_margins(row, M, S, S, S)
        row.setSpacing(S)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.button)
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Show the first; the next one's turn comes when its models are installed."""
        self.offer = offers[0] if offers else None
        self.setVisible(bool(offers))
        if self.offer is not None:
            self.sentence.setText(
                _("“{name}” beside the program holds {models} ({size}).").format(
                    name=self.offer.path.name,
                    models=", ".join(self.offer.titles),
                    size=size(self.offer.size),
                )
            )
            self.button.setAccessibleName(_("Import {name}").format(name=self.offer.path.name))

    def _on_clicked(self) -> None:
        if self.offer is not None:
            self.chosen.emit(self.offer.path)
