"""The head of the library page: how much there is, what to know about it, and how to add more."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.domain.library import LibraryStatus
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import S
from desktop_rag.ui.translation import _, counted, numeral
from desktop_rag.ui.window_words import in_window


class LibraryHead(QWidget):
    """Signals:
    add_folder_requested, add_files_requested
    why_requested: why something cannot be found.
    """

    add_folder_requested = Signal()
    add_files_requested = Signal()
    why_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arrangement = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._arrangement.setContentsMargins(0, 0, 0, 0)
        self._arrangement.setSpacing(S)
        self._arrangement.addLayout(self._build_words(), 1)
        self._arrangement.addLayout(self._build_buttons())

    def _build_words(self) -> QVBoxLayout:
        heading = PlainLabel(_("Library"))
        heading.setObjectName("pageTitle")
        self.summary = ElidedLabel()
        self.summary.setObjectName("muted")
        self.remark = PlainLabel()
        self.remark.setObjectName("smallMuted")
        self.remark.setWordWrap(True)
        self.remark.hide()
        words = QVBoxLayout()
        words.setSpacing(2)
        for one in (heading, self.summary, self.remark):
            words.addWidget(one)
        return words

    def _build_buttons(self) -> QBoxLayout:
        self.why = QPushButton()
        self.why.setAccessibleName(_("Why can’t I find …?"))
        self.why.setToolTip(_("Follow a file or a phrase from its folder to the answer"))
        self.why.setObjectName("quietButton")
        self.add_files = QPushButton(_("Add files …"))
        self.add_folder = QPushButton(_("Add folder …"))
        self.add_folder.setObjectName("primaryButton")
        self.why.clicked.connect(self.why_requested)
        self.add_files.clicked.connect(self.add_files_requested)
        self.add_folder.clicked.connect(self.add_folder_requested)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(S)
        for one in (self.why, self.add_files, self.add_folder):
            self._buttons.addWidget(one)
        return self._buttons

    def narrow(self, *, is_narrow: bool) -> None:
        """Without much room the buttons stand below the words."""
        way = QBoxLayout.Direction
        self._arrangement.setDirection(way.TopToBottom if is_narrow else way.LeftToRight)
        self.why.setText(_("Why?") if is_narrow else self.why.accessibleName())
        self._stack()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook."""
        super().resizeEvent(event)
        self._stack()

    def _stack(self) -> None:
        """Large letters or long words: one button below the other."""
        way = QBoxLayout.Direction
        buttons = (self.why, self.add_files, self.add_folder)
        in_a_row = sum(one.sizeHint().width() for one in buttons) + 2 * S
        is_narrow = self._arrangement.direction() is way.TopToBottom
        is_stacked = is_narrow and in_a_row > self.width()
        self._buttons.setDirection(way.TopToBottom if is_stacked else way.LeftToRight)

    def show_status(self, status: LibraryStatus) -> None:
        """How much there is, and what the person should know about it."""
        self.summary.setText(_summed(status))
        remarks = [in_window(one) for one in (status.rereading, status.watching) if one]
        self.remark.setText("\n".join(remarks))
        self.remark.setVisible(bool(remarks))


def _summed(status: LibraryStatus) -> str:
    total = status.ready + status.queued + status.failed
    if status.ready == total:
        parts = [counted("{n} file", "{n} files", total)]
    else:
        ready = _("{ready} of {total} files searchable")
        parts = [ready.format(ready=numeral(status.ready), total=numeral(total))]
    parts.append(counted("{n} passage", "{n} passages", status.chunks))
    if status.pages_waiting:
        parts.append(
            counted(
                "{n} page waiting for text recognition",
                "{n} pages waiting for text recognition",
                status.pages_waiting,
            )
        )
    return " · ".join(parts)
