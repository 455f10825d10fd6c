"""The field a question is typed into: its keys, what is pasted, and what is dropped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QFocusEvent, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QAbstractSlider, QFrame, QPlainTextEdit, QWidget

from desktop_rag.ui.translation import _, numeral

MOST_CHARS = 20_000
"""Ten times what is searched for; the layout of more would hold the window up."""
_MAX_LINES = 8


class QuestionEdit(QPlainTextEdit):
    """Grows with its text; Enter sends, Shift+Enter makes a new line, Up brings back a question.

    Signals:
        submitted: Enter was pressed.
        focus_changed: the frame around it shows the focus.
        files_pasted (list[Path]): files and folders for the library.
        scrolled (SliderAction): a page key, for the messages above.
        told (str): why less was pasted than there was.
    """

    submitted = Signal()
    focus_changed = Signal()
    files_pasted = Signal(object)
    scrolled = Signal(object)
    told = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: list[str] = []
        self._back = 0
        self._build()

    def _build(self) -> None:
        self.setObjectName("questionEdit")
        self.setAccessibleName(_("Question"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        self.document().clearUndoRedoStacks()  # Qt counts the making of the field
        self.fit()

    def fit(self) -> None:
        """As high as the text, up to a few lines."""
        height = self.document().size().height()
        lines = min(_MAX_LINES, max(1, round(height)))
        policy = Qt.ScrollBarPolicy
        is_long = height > _MAX_LINES
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if is_long else policy.ScrollBarAlwaysOff
        )
        self.setFixedHeight(math.ceil(lines * self.fontMetrics().lineSpacing()) + 6)

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs another height."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self.fit()

    # questions asked before
    def remember(self, questions: Sequence[str]) -> None:
        """What was asked in the open chat, oldest first."""
        self._asked, self._back = list(questions), 0

    def add_asked(self, question: str) -> None:
        """One more."""
        self._asked.append(question)
        self._back = 0

    def _recall(self, step: int) -> bool:
        """Go back (1) or forth (-1) among the questions; false when there is none there."""
        back = self._back + step
        if not 0 <= back <= len(self._asked):
            return False
        self.setPlainText(self._asked[-back] if back else "")
        self.moveCursor(QTextCursor.MoveOperation.End)
        self._back = back
        return True

    def _is_recalled(self) -> bool:
        """Whether the field is empty, or holds a question that was brought back, unchanged."""
        text = self.toPlainText()
        return text == (self._asked[-self._back] if 0 < self._back <= len(self._asked) else "")

    # keys
    def event(self, event: QEvent) -> bool:
        """With nothing typed to undo, the keys of Undo are for what was done in the window."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Undo)
            and not self.document().isUndoAvailable()
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends; page keys belong to the messages; Up and Down to what was asked before."""
        key, modifiers = event.key(), event.modifiers()
        is_plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if not modifiers & Qt.KeyboardModifier.ShiftModifier:
                self.submitted.emit()
                return
        elif key in _PAGES and is_plain:
            self.scrolled.emit(_PAGES[key])
            return
        elif key in _STEPS and is_plain and self._is_recalled() and self._recall(_STEPS[key]):
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self.focus_changed.emit()

    # what comes from elsewhere
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Text is welcome here; files belong to the whole window."""
        if local_files(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Words, and files to be added to the library."""
        return source.hasText() or bool(local_files(source))

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Files go into the library; of a whole book the beginning is taken."""
        if files := local_files(source):
            self.files_pasted.emit(files)
            return
        text = source.text()
        selected = len(self.textCursor().selectedText())
        room = max(0, MOST_CHARS - self.document().characterCount() + 1 + selected)
        if len(text) > room:
            self.told.emit(_too_long(len(text), room))
            text = text[:room]
        self.textCursor().insertText(text)
        self.ensureCursorVisible()


_action = QAbstractSlider.SliderAction
_PAGES = {
    int(Qt.Key.Key_PageUp): _action.SliderPageStepSub,
    int(Qt.Key.Key_PageDown): _action.SliderPageStepAdd,
}
_STEPS = {int(Qt.Key.Key_Up): 1, int(Qt.Key.Key_Down): -1}


def local_files(source: QMimeData) -> list[Path]:
    """Files and folders of this computer among what is pasted or dropped."""
    return [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]


def _too_long(chars: int, taken: int) -> str:
    return _(
        "That text has {chars} characters; only its first {taken} were pasted. Save longer texts "
        "as a file and add it to the library: then all of it can be asked."
    ).format(chars=numeral(chars), taken=numeral(taken))
