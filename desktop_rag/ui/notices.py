"""The bars above the page: what the window says, what can be undone, what was written."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.history.exporting import WrittenBar
from desktop_rag.ui.notice_bar import NoticeBar
from desktop_rag.ui.theme import L, M, S, Theme
from desktop_rag.ui.undo_bar import UndoBar
from desktop_rag.ui.window_words import in_window

_INFO_MS = 6000


class Notices(QWidget):
    """One sentence at a time, one offer to undo, and whatever bars are added below them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.notice = NoticeBar(theme, "warning")
        self.notice.hide()
        self.undo_bar = UndoBar(theme)
        self.written_bar = WrittenBar(theme)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(L, M, L, 0)
        self._column.setSpacing(S)
        for bar in (self.notice, self.undo_bar, self.written_bar):
            self._column.addWidget(bar)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(_INFO_MS)
        self.timer.timeout.connect(self.notice.hide)

    def tell(self, sentence: str, kind: str = "warning") -> None:
        """One sentence; a warning stays until it is dismissed."""
        told = in_window(sentence)
        self.notice.say(told, kind)
        self.notice.show()
        announce(self.notice, told, is_urgent=kind == "warning")
        if kind == "info":
            self.timer.start()
        else:
            self.timer.stop()

    def tell_while(self, sentence: str) -> None:
        """Information that stays until there is something else to say."""
        self.tell(sentence, "info")
        self.timer.stop()

    def tell_with(
        self, sentence: str, label: str, act: Callable[[], None], kind: str = "warning"
    ) -> None:
        """The same with a button that does something about it."""
        self.tell(sentence, kind)
        self.notice.offer(label, act)

    def add(self, bar: QWidget) -> None:
        """One more bar, below the others."""
        self._column.addWidget(bar)

    def stop(self) -> None:
        """The window goes: what waits to be undone is final."""
        self.undo_bar.settle()
        self.timer.stop()
