"""Where a question is typed, with one button that is Send or Stop, and what it is asked of."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons, words
from desktop_rag.ui.background import Background
from desktop_rag.ui.chat.question_edit import QuestionEdit
from desktop_rag.ui.chat.scope_bar import ScopeBar
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import SEND_RADIUS, XS, L, S, Theme, scaled
from desktop_rag.ui.translation import _

_QUOTED = 400
"""Characters of a selection that a question quotes: enough to find it by and to read."""


class Composer(QFrame):
    """The question and its button.

    Signals:
        sent (str): a question that is not empty.
        edited (str): the same, to take the place of the last question.
        typed (str): what is in the field has changed.
        stopped: the person wants the running answer to end.
    """

    sent = Signal(str)
    edited = Signal(str)
    typed = Signal(str)
    stopped = Signal()

    def __init__(self, theme: Theme, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._background = background
        self._is_busy = False
        self._is_ready = False
        self._has_files = True
        self._put_aside: str | None = None
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        self.setObjectName("composer")
        self.edit = QuestionEdit()
        self.edit.setPlaceholderText(_invitation())
        self.button = QToolButton()
        self.button.setObjectName("sendButton")
        self.button.setFixedSize(2 * scaled(SEND_RADIUS), 2 * scaled(SEND_RADIUS))
        self.button.setIconSize(QSize(scaled(18), scaled(18)))
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.edit_bar = PlainLabel(
            _("Your question, in other words. Enter asks it again, Esc leaves it as it was.")
        )
        self.edit_bar.setObjectName("editBar")
        self.edit_bar.setWordWrap(True)
        self.edit_bar.hide()
        self.scope = ScopeBar(self._theme, self._background)
        column = QVBoxLayout(self)
        set_margins(column, L, S, S, S)
        column.setSpacing(XS)
        column.addWidget(self.edit_bar)
        column.addWidget(self.edit)
        row = QHBoxLayout()
        column.addLayout(row)
        row.setSpacing(S)
        row.addWidget(self.scope, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setTabOrder(self.edit, self.scope.button)

    def _connect(self) -> None:
        self.edit.submitted.connect(self.send)
        self.edit.textChanged.connect(self._refresh)
        self.edit.textChanged.connect(lambda: self.typed.emit(self.edit.toPlainText()))
        self.edit.focus_changed.connect(self._on_focus_changed)
        self.button.clicked.connect(self._on_button)
        self._theme.changed.connect(self._refresh)

    def set_ready(self, ready: bool) -> None:  # noqa: FBT001 - a plain property setter
        """Questions can be sent once the library is open; typing is possible before."""
        self._is_ready = ready
        self._refresh()

    def set_has_files(self, has_files: bool) -> None:  # noqa: FBT001 - a plain property setter
        """Without a file nothing can be answered; the field says what to do first."""
        self._has_files = has_files
        self.edit.setPlaceholderText(_invitation() if has_files else _nothing_yet())
        self.scope.setVisible(has_files)
        self._refresh()

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - connected to `busy_changed(bool)`
        """The button becomes Stop while an answer is on its way."""
        self._is_busy = busy
        self._refresh()

    @property
    def is_editing(self) -> bool:
        """Whether what is in the field is to take the place of the last question."""
        return self._put_aside is not None

    @property
    def draft(self) -> str:
        """What was typed and not sent; while a question is edited, what waits behind it."""
        return self.edit.toPlainText() if self._put_aside is None else self._put_aside

    def begin_edit(self, question: str) -> None:
        """Put the last question into the field; what was typed there waits."""
        if self._put_aside is None:
            self._put_aside = self.edit.toPlainText()
        self.edit.setPlainText(question)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()
        self.edit_bar.show()

    def end_edit(self) -> None:
        """Leave the question as it was; what was typed before is back."""
        if self._put_aside is not None:
            self.edit.setPlainText(self._put_aside)
            self._put_aside = None
            self.edit_bar.hide()

    def put(self, text: str) -> None:
        """Show a text that was typed before, or is suggested; nothing is sent."""
        if text != self.edit.toPlainText():
            self.edit.setPlainText(text)
            self.edit.moveCursor(QTextCursor.MoveOperation.End)

    def quote(self, text: str) -> None:
        """Begin a question about a stretch of a document; what was typed already asks about it."""
        self.end_edit()
        typed = self.edit.toPlainText().strip()
        self.edit.setPlainText(f"“{words.preview(text, _QUOTED)}”\n{typed}")
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    def send(self) -> None:
        """Send what is typed, unless there is nothing or an answer is running."""
        question = self.edit.toPlainText().strip()
        if question and self._can_send() and not self._is_busy:
            signal = self.edited if self.is_editing else self.sent
            self.edit.clear()
            self.end_edit()
            signal.emit(question)

    def _can_send(self) -> bool:
        return self._is_ready and self._has_files

    def _on_button(self) -> None:
        if self._is_busy:
            self.stopped.emit()
        else:
            self.send()

    def _on_focus_changed(self) -> None:
        self.setProperty("focused", self.edit.hasFocus())
        self.style().unpolish(self)
        self.style().polish(self)

    def _refresh(self, _changed: QObject | None = None) -> None:
        colours = self._theme.colours
        can_send = self._can_send() and bool(self.edit.toPlainText().strip())
        self.button.setEnabled(self._is_busy or can_send)
        name, label = (
            ("stop", _("Stop answering (Esc)")) if self._is_busy else ("send", _("Send question"))
        )
        colour = colours.on_accent if self.button.isEnabled() else colours.faint
        self.button.setIcon(icons.icon(name, colour))
        self.button.setToolTip(label)
        self.button.setAccessibleName(label)


def _invitation() -> str:
    return _("Ask about your documents …")


def _nothing_yet() -> str:
    return _("Add documents, then ask about them …")
