"""What can be done about the last answer and its question: quiet buttons above the composer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from desktop_rag.domain.revisions import Possible
from desktop_rag.ui import icons
from desktop_rag.ui.theme import XS, Theme
from desktop_rag.ui.translation import _


class ChatActions(QWidget):
    """Shows only what is possible; hidden when nothing is.

    Signals:
        go_on_requested, again_requested, edit_requested, undo_requested
    """

    go_on_requested = Signal()
    again_requested = Signal()
    edit_requested = Signal()
    undo_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons: dict[QToolButton, str] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(XS)
        self._build()
        self._row.addStretch(1)
        theme.changed.connect(self._colour_icons)
        self._colour_icons()
        self.show_possible(Possible())

    def _build(self) -> None:
        self.go_on = self._button(
            "next", _("Go on"), _("Write on where the answer ended"), self.go_on_requested
        )
        self.again = self._button(
            "retry",
            _("Answer again"),
            _("Answer the last question again, in other words"),
            self.again_requested,
        )
        self.edit = self._button(
            "rename",
            _("Edit question"),
            _("Ask the last question in other words; its answer is replaced"),
            self.edit_requested,
        )
        self.undo = self._button(
            "previous",
            _("Earlier version"),
            _("Bring back what the last change took away"),
            self.undo_requested,
        )

    def show_possible(self, possible: Possible) -> None:
        """Offer what can be done now."""
        has_question = possible.question is not None
        self.go_on.setVisible(possible.can_go_on)
        self.again.setVisible(has_question)
        self.edit.setVisible(has_question)
        self.undo.setVisible(possible.can_undo)
        self.setVisible(has_question)

    def _button(self, icon: str, label: str, told: str, signal: SignalInstance) -> QToolButton:
        button = QToolButton()
        button.setObjectName("chatAction")
        button.setText(label)
        button.setAccessibleName(label)  # what is seen is what one says to press it
        button.setAccessibleDescription(told)
        button.setToolTip(told)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(signal)
        self._icons[button] = icon
        self._row.addWidget(button)
        return button

    def _colour_icons(self) -> None:
        for button, name in self._icons.items():
            button.setIcon(icons.icon(name, self._theme.colours.muted))
