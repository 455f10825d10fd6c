"""All models of one role, under a heading that says what they are for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.ui.models_page import words
from desktop_rag.ui.models_page.model_card import ModelCard
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.models import ModelRole, ModelStatus


class ModelSection(QWidget):
    """Keeps the card of a model as long as the model is there: focus and place stay."""

    def __init__(
        self,
        role: ModelRole,
        make_card: Callable[[str], ModelCard],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.role = role
        self._make_card = make_card
        self.cards: dict[str, ModelCard] = {}
        heading = PlainLabel(words.heading(role))
        heading.setObjectName("sectionTitle")
        explanation = PlainLabel(words.explanation(role))
        explanation.setObjectName("muted")
        explanation.setWordWrap(True)
        self.empty = PlainLabel(_("None is installed. “Add a model you have” takes one in."))
        self.empty.setObjectName("smallMuted")
        self.empty.setWordWrap(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, M, 0, 0)
        self._column.setSpacing(S)
        self._column.addWidget(heading)
        self._column.addWidget(explanation)
        self._column.addSpacing(XS)
        self._column.addWidget(self.empty)

    def arrange(self, models: Sequence[ModelStatus]) -> None:
        """Make the cards that are missing and drop those of models that are gone."""
        wanted = [one.id for one in models]
        for model_id in [name for name in self.cards if name not in wanted]:
            card = self.cards.pop(model_id)
            card.hide()
            card.deleteLater()
        for place, model_id in enumerate(wanted):
            if model_id not in self.cards:
                self.cards[model_id] = self._make_card(model_id)
                # Heading, explanation, space and the empty line come first.
                self._column.insertWidget(place + 4, self.cards[model_id])
        self.empty.setVisible(not wanted)
