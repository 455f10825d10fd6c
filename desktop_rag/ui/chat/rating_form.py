"""A small form under an answer that asks what was wrong with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from desktop_rag.domain.feedback import Rating, Reason
from desktop_rag.ui.chat.flowing_row import FlowingRow
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import M, S
from desktop_rag.ui.translation import _

MAX_CHARS = 2_000


def reason_words(reason: Reason) -> str:
    """A reason as people say it."""
    return {
        Reason.NONE: "",
        Reason.WRONG: _("Wrong"),
        Reason.NOT_IN_SOURCE: _("Not in the source"),
        Reason.INCOMPLETE: _("Incomplete"),
        Reason.TOO_SLOW: _("Too slow"),
        Reason.OTHER: _("Something else"),
    }[reason]


class RatingForm(QFrame):
    """Reasons to choose from, a comment in free words, Save and Cancel; Esc cancels.

    Signals:
        saved (Rating): the person pressed Save.
        taken_back: no verdict after all.
        cancelled: nothing is to change.
    """

    saved = Signal(object)
    taken_back = Signal()
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ratingForm")
        self.setAccessibleName(_("What was wrong with this answer?"))
        self._build()
        self.save.clicked.connect(self._on_save)
        self.cancel.clicked.connect(self.cancelled)
        self.take_back.clicked.connect(self.taken_back)
        self.comment.returnPressed.connect(self._on_save)
        self.hide()

    def _build(self) -> None:
        heading = PlainLabel(_("What was wrong with this answer?"))
        heading.setObjectName("panelTitle")
        self.failure = PlainLabel()
        self.failure.setObjectName("smallDanger")
        self.failure.setWordWrap(True)
        self.failure.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, M)
        column.setSpacing(S)
        column.addWidget(heading)
        column.addWidget(self._build_reasons())
        column.addWidget(self._build_comment())
        column.addWidget(self.failure)
        column.addLayout(self._build_buttons())

    def _build_reasons(self) -> FlowingRow:
        self._group = QButtonGroup(self)
        self.reasons: dict[Reason, QPushButton] = {}
        row = FlowingRow()
        for reason in Reason:
            if reason is Reason.NONE:
                continue
            button = QPushButton(reason_words(reason))
            button.setObjectName("reasonChip")
            button.setCheckable(True)
            self._group.addButton(button)
            self.reasons[reason] = button
            row.add(button)
        return row

    def _build_comment(self) -> QLineEdit:
        self.comment = QLineEdit()
        self.comment.setMaxLength(MAX_CHARS)
        self.comment.setPlaceholderText(_("Tell more, if you like"))
        self.comment.setAccessibleName(_("Comment"))
        return self.comment

    def _build_buttons(self) -> QHBoxLayout:
        note = PlainLabel(_("Kept in this library only."))
        note.setObjectName("smallMuted")
        self.save = QPushButton(_("Save"))
        self.save.setObjectName("primaryButton")
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.setObjectName("quietButton")
        self.take_back = QPushButton(_("Take back"))
        self.take_back.setObjectName("quietButton")
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(note, 1)
        for button in (self.take_back, self.cancel, self.save):
            row.addWidget(button)
        return row

    def open_with(self, rating: Rating | None) -> None:
        """Show the form with an earlier verdict in it, or empty."""
        self._group.setExclusive(False)
        for reason, button in self.reasons.items():
            button.setChecked(rating is not None and rating.reason is reason)
        self._group.setExclusive(True)
        self.comment.setText(rating.comment if rating is not None else "")
        self.take_back.setVisible(rating is not None)
        self.failure.hide()
        self.show()
        first: QAbstractButton = next(iter(self.reasons.values()))
        (self._group.checkedButton() or first).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_failure(self, message: str) -> None:
        """It could not be kept; the words stay."""
        self.failure.setText(message)
        self.failure.show()

    def _on_save(self) -> None:
        chosen = (reason for reason, button in self.reasons.items() if button.isChecked())
        reason = next(chosen, Reason.NONE)
        self.saved.emit(Rating(is_good=False, reason=reason, comment=self.comment.text().strip()))

    def event(self, event: QEvent) -> bool:
        """Esc belongs to the form before it belongs to the window."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels; Enter on a reason chooses it and does no more."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
