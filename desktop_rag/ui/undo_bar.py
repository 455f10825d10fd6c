"""What was done a moment ago, and a button that takes it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _

OFFERED_MS = 8000
"""Time to read a sentence and reach for the button; with the focus on it there is no end."""


class UndoBar(NoticeBar):
    """One offer at a time: what can no longer be taken back is carried out for good."""

    def __init__(
        self, theme: Theme, offered_ms: int = OFFERED_MS, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, "info", parent=parent)
        self._undo: Callable[[], None] | None = None
        self._commit: Callable[[], None] | None = None
        self.button = QPushButton(_("Undo"))
        self.button.setObjectName("quietButton")
        self.button.clicked.connect(self._on_undo)
        self.add_button(self.button)
        self.closed.connect(self.settle)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(offered_ms)
        self._timer.timeout.connect(self._on_time_up)
        self.hide()

    def offer(
        self, sentence: str, undo: Callable[[], None], commit: Callable[[], None] | None = None
    ) -> None:
        """Show what was done; `undo` takes it back, `commit` makes it final when time is up."""
        self.settle()
        self._undo, self._commit = undo, commit
        self.say(sentence)
        self.show()
        announce(self, _("{sentence} This can be undone.").format(sentence=sentence))
        self._timer.start()

    def settle(self) -> None:
        """Carry out what waits, now: another offer comes, or the window closes."""
        self._timer.stop()
        commit, self._undo, self._commit = self._commit, None, None
        self.hide()
        if commit is not None:
            commit()

    def take_back(self) -> bool:
        """Undo what is offered; false when nothing is."""
        if self._undo is None:
            return False
        self._on_undo()
        return True

    def _on_undo(self) -> None:
        self._timer.stop()
        undo, self._undo, self._commit = self._undo, None, None
        self.hide()
        if undo is not None:
            undo()

    def _on_time_up(self) -> None:
        if self.button.hasFocus() or self.button.underMouse():
            self._timer.start()
        else:
            self.settle()
