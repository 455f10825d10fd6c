"""How far something is, as a thin line; words beside it say the rest."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from desktop_rag.ui.theme import scaled

_HEIGHT = 4


class ThinBar(QProgressBar):
    """Without words of its own, so it has a name for screen readers.

    Args:
        is_busy: nobody knows how far it is; only that something is being done.
    """

    def __init__(self, name: str, *, is_busy: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setFixedHeight(scaled(_HEIGHT))
        self.setAccessibleName(name)
        if is_busy:
            self.setRange(0, 0)
