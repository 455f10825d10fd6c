"""“Why can't I find …?”: follows a file or a phrase, and offers what helps."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.errors import Cancelled, DesktopRagError
from desktop_rag.domain.tracing import Trace
from desktop_rag.ui.announce import announce
from desktop_rag.ui.background import Background, Task
from desktop_rag.ui.dialog_size import open_at
from desktop_rag.ui.library.trace_view import TraceView
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, M, S, Theme
from desktop_rag.ui.thin_bar import ThinBar
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window

if TYPE_CHECKING:
    from desktop_rag.app import App


class TraceDialog(QDialog):
    """Not modal: the person may go on working while it looks.

    Signals:
        step_chosen (Step): what is advised is to be done.
    """

    step_chosen = Signal(object)

    def __init__(
        self, theme: Theme, background: Background, app: App, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._app = app
        self._task: Task | None = None
        self._is_stopped = threading.Event()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Why can’t I find …?"))
        self._build(theme)
        open_at(self, 660, 620)

    def _build(self, theme: Theme) -> None:
        heading = PlainLabel(_("What can’t you find?"))
        heading.setObjectName("pageTitle")
        lead = PlainLabel(
            _(
                "Type the name of a file, or words you know are in your documents. Each step from "
                "the folder to the answer is looked at."
            )
        )
        lead.setObjectName("muted")
        lead.setWordWrap(True)
        self.text = QLineEdit()
        self.text.setPlaceholderText(_("A file name or a phrase"))
        self.text.setAccessibleName(_("A file name or a phrase"))
        self.text.setMaxLength(1000)
        self.file = QLineEdit()
        self.file.setPlaceholderText(_("In which file? (if you know)"))
        self.file.setAccessibleName(_("The file in which the words stand"))
        self.look = QPushButton(_("Look"))
        self.look.setObjectName("primaryButton")
        self.look.setDefault(True)
        self.look.clicked.connect(self.start)
        self.bar = ThinBar(_("Looking"), is_busy=True)
        self.bar.hide()
        self.conclusion = PlainLabel()
        self.conclusion.setObjectName("conclusion")
        self.conclusion.setWordWrap(True)
        self.conclusion.hide()
        self.trace = TraceView(theme)
        self.trace.step_chosen.connect(self.step_chosen)
        self._lay_out(heading, lead)

    def _lay_out(self, heading: QWidget, lead: QWidget) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(S)
        fields.addWidget(self.text, 3)
        fields.addWidget(self.file, 2)
        fields.addWidget(self.look)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(M)
        column.addWidget(heading)
        column.addWidget(lead)
        column.addLayout(fields)
        column.addWidget(self.bar)
        column.addWidget(self.conclusion)
        column.addWidget(self.trace, 1)

    def ask(self, text: str, file: str = "") -> None:
        """Fill in and look at once."""
        self.text.setText(text)
        self.file.setText(file)
        if text:
            self.start()

    def start(self) -> None:
        """Look for what is typed; what was looked for before is dropped."""
        self._stop()
        text, file = self.text.text(), self.file.text()
        stopped = self._is_stopped = threading.Event()

        def step() -> None:
            if stopped.is_set():
                raise Cancelled("Another thing is looked for.")

        app = self._app
        self.bar.show()
        self._task = self._background.run(
            lambda: app.tracing.why(text, file, step), self._on_trace, self._on_error
        )

    def _stop(self) -> None:
        self._is_stopped.set()
        if self._task is not None:
            self._task.forget()

    def _on_trace(self, trace: Trace) -> None:
        self.bar.hide()
        self._conclude(trace.conclusion, is_good=trace.is_found)
        self.trace.show_trace(trace)

    def _on_error(self, error: DesktopRagError) -> None:
        self.bar.hide()
        self._conclude(error.message, is_good=False)
        self.trace.show_trace(Trace("", ""))

    def _conclude(self, sentence: str, *, is_good: bool) -> None:
        self.conclusion.setText(in_window(sentence))
        self.conclusion.setProperty("kind", "good" if is_good else "bad")
        self.conclusion.style().unpolish(self.conclusion)
        self.conclusion.style().polish(self.conclusion)
        self.conclusion.show()
        announce(self, self.conclusion.text())

    def done(self, code: int) -> None:
        """Closed: nothing is looked for any more."""
        self._stop()
        super().done(code)
