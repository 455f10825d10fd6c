"""Why files are not searchable, a card for each reason: how many, what helps, and buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.library.remedies import Problem, Remedy, label, reason_of
from desktop_rag.ui.mirroring import set_margins
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme
from desktop_rag.ui.translation import _, counted

_SINGLE = frozenset({Remedy.OPEN, Remedy.SHOW})
"""Make sense for one file only."""


class ProblemsPanel(QScrollArea):
    """Empty and hidden when nothing is wrong.

    Signals:
        remedy_chosen (Remedy, Problem)
    """

    remedy_chosen = Signal(object, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._problems: list[Problem] = []
        self.setObjectName("problemsPanel")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()
        theme.changed.connect(self._render)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Replace the cards when something changed."""
        if list(problems) != self._problems:
            self._problems = list(problems)
            self._render()

    def buttons(self) -> list[QPushButton]:
        """Of all cards, from top to bottom."""
        return self.findChildren(QPushButton)

    def _render(self) -> None:
        page = QWidget()
        page.setObjectName("problemsPage")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        if len(self._problems) > 1:
            column.addLayout(self._summary())
        for problem in self._problems:
            column.addWidget(self._card(problem))
        column.addStretch(1)
        self.setWidget(page)
        height = page.sizeHint().height()
        self.setMinimumHeight(min(height, self.fontMetrics().height() * 6))
        self.setMaximumHeight(min(height, self.fontMetrics().height() * 13))

    def _summary(self) -> QHBoxLayout:
        files = tuple(file for problem in self._problems for file in problem.files)
        text = counted("{n} file is not searchable", "{n} files are not searchable", len(files))
        heading = PlainLabel(text)
        heading.setObjectName("smallMuted")
        self.retry_all = QPushButton(_("Retry all"))
        self.retry_all.setObjectName("smallButton")
        everything = Problem("", reason_of(""), files)
        self.retry_all.clicked.connect(lambda: self.remedy_chosen.emit(Remedy.RETRY, everything))
        row = QHBoxLayout()
        row.addWidget(heading, 1)
        row.addWidget(self.retry_all)
        return row

    def _card(self, problem: Problem) -> QFrame:
        card = QFrame()
        card.setObjectName("problemCard")
        icon = PlainLabel()
        icon.setPixmap(icons.picture("warning", self._theme.colours.danger))
        heading = PlainLabel(problem.heading)
        heading.setObjectName("panelTitle")
        heading.setWordWrap(True)
        advice = PlainLabel(problem.reason.advice)
        advice.setObjectName("smallMuted")
        advice.setWordWrap(True)
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(heading)
        text.addWidget(advice)
        row = QHBoxLayout(card)
        set_margins(row, M, S, S, S)
        row.setSpacing(S)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(XS)
        for remedy in _offered(problem):
            buttons.addWidget(self._button(remedy, problem))
        row.addLayout(buttons)
        return card

    def _button(self, remedy: Remedy, problem: Problem) -> QPushButton:
        button = QPushButton(label(remedy))
        button.setObjectName("smallButton")
        button.setAccessibleName(f"{label(remedy)}: {problem.heading}")
        button.clicked.connect(lambda: self.remedy_chosen.emit(remedy, problem))
        return button


def _offered(problem: Problem) -> list[Remedy]:
    is_one = len(problem.files) == 1
    fitting = [one for one in problem.reason.remedies if is_one or one not in _SINGLE]
    return fitting if is_one else [Remedy.LIST, *fitting]
