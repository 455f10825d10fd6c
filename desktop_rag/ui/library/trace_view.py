"""The way of a file or phrase, step by step: a mark, a sentence, what to do next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.domain.tracing import Mark, NextStep, Step, Trace, Way
from desktop_rag.ui import icons
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, L, M, S, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.window_words import in_window

_MARKS = {
    Mark.PASSED: ("check", "success"),
    Mark.STOPPED: ("close", "danger"),
    Mark.NOTE: ("info", "warning"),
    Mark.OPEN: ("clock", "muted"),
}


class TraceView(QScrollArea):
    """Shows a `Trace`; a new one replaces it.

    Signals:
        step_chosen (Step): the person wants to do what it advises.
    """

    step_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._trace: Trace | None = None
        self.setObjectName("traceView")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self._on_theme)

    def show_trace(self, trace: Trace) -> None:
        """All ways of it, one below the other."""
        self._trace = trace
        page = QWidget()
        page.setObjectName("tracePage")
        column = QVBoxLayout(page)
        set_margins(column, 0, 0, S, 0)
        column.setSpacing(XS)
        for way in (*trace.files, *([trace.phrase] if trace.phrase else [])):
            column.addWidget(self._heading(way))
            for step in way.steps:
                column.addWidget(self._row(step))
            column.addSpacing(M)
        column.addStretch(1)
        self.setWidget(page)

    def _on_theme(self) -> None:
        if self._trace is not None:
            self.show_trace(self._trace)

    def buttons(self) -> list[QPushButton]:
        """Of all steps, from top to bottom."""
        return self.findChildren(QPushButton)

    def rows(self) -> list[tuple[str, str]]:
        """(mark, name) of all steps that are shown."""
        if self._trace is None:
            return []
        ways = (*self._trace.files, *([self._trace.phrase] if self._trace.phrase else []))
        return [(step.mark.value, step.name) for way in ways for step in way.steps]

    @staticmethod
    def _heading(way: Way) -> PlainLabel:
        heading = PlainLabel(way.subject)
        heading.setObjectName("sectionLabel")
        heading.setWordWrap(True)
        return heading

    def _row(self, step: Step) -> QFrame:
        name, colour = _MARKS[step.mark]
        icon = PlainLabel()
        icon.setPixmap(icons.picture(name, getattr(self._theme.colours, colour)))
        icon.setAccessibleName(_mark_word(step.mark))
        title = PlainLabel(step_name(step.name))
        title.setObjectName("panelTitle")
        sentence = PlainLabel(in_window(step.sentence))
        sentence.setWordWrap(True)
        sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(title)
        text.addWidget(sentence)
        if step.remedy:
            remedy = PlainLabel(in_window(step.remedy))
            remedy.setObjectName("smallMuted")
            remedy.setWordWrap(True)
            text.addWidget(remedy)
        row = QFrame()
        row.setObjectName("traceRow")
        row.setProperty("mark", step.mark.value)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(M, S, M, S)
        layout.setSpacing(L)
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(text, 1)
        if step.next_step is not NextStep.NONE:
            layout.addWidget(self._button(step), 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _button(self, step: Step) -> QPushButton:
        button = QPushButton(_label(step.next_step))
        button.setObjectName("smallButton")
        button.setAccessibleName(f"{_label(step.next_step)}: {step_name(step.name)}")
        button.clicked.connect(lambda: self.step_chosen.emit(step))
        return button


def _label(step: NextStep) -> str:
    return {
        NextStep.ADD: _("Add"),
        NextStep.RULES: _("Folder options …"),
        NextStep.LIMIT: _("Settings"),
        NextStep.RETRY: _("Retry"),
        NextStep.RECOGNISE: _("Recognise text"),
        NextStep.RESUME: _("Resume"),
        NextStep.RELOCATE: _("It lies elsewhere …"),
        NextStep.OPEN: _("Open"),
        NextStep.SHOW: _("Show"),
    }[step]


def _mark_word(mark: Mark) -> str:
    return {
        Mark.PASSED: _("Passed"),
        Mark.STOPPED: _("Stopped here"),
        Mark.NOTE: _("Worth knowing"),
        Mark.OPEN: _("Not there yet"),
    }[mark]


def step_name(name: str) -> str:
    """The name of a step in the language of the window."""
    return {
        "Added": _("Added"),
        "Found in its folder": _("Found in its folder"),
        "Read": _("Read"),
        "Text": _("Text"),
        "Passages": _("Passages"),
        "Passage": _("Passage"),
        "Search index": _("Search index"),
        "Keywords": _("Keywords"),
        "Meaning": _("Meaning"),
        "Both rankings together": _("Both rankings together"),
        "Closer look": _("Closer look"),
        "Relevance": _("Relevance"),
        "Repetition": _("Repetition"),
        "Shown": _("Shown"),
    }.get(name, name)
