"""Explains an answer's sources: what was found how, and why it was taken or left out."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Answer, SearchResult
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.announce import announce
from desktop_rag.ui.background import Task
from desktop_rag.ui.chat.activity import Activity
from desktop_rag.ui.chat.answer_desk import AnswerDesk
from desktop_rag.ui.chat.failure_box import FailureBox
from desktop_rag.ui.chat.why_rows import Column, WhyModel, rows_of
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XL, L, M, S, Theme
from desktop_rag.ui.translation import _, counted

_WORDY_CHARS = 24
"""Longer words and reasons are cut; the tool tip and the line below have all."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class WhyTable(QTableView):
    """Rows to walk through with the arrows; Enter opens, Tab leaves.

    Signals:
        chosen (int): Enter or a double click on a row.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("whyTable")
        self.setAccessibleName(_("Passages that were found"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names and pages stay
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        alignment = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        self.horizontalHeader().setDefaultAlignment(alignment)
        self.doubleClicked.connect(lambda index: self.chosen.emit(index.row()))

    def show_rows(self, model: WhyModel) -> None:
        """Show them with the best selected."""
        self.setModel(model)
        self.setColumnHidden(Column.LATE, not any(row.has_late for row in model.rows))
        self.setColumnHidden(Column.READ, not any(row.was_read for row in model.rows))
        self.resizeColumnsToContents()
        for column in (Column.MATCHED, Column.DECISION):
            self.setColumnWidth(column, min(self.columnWidth(column), self._wordy_width()))
        self.horizontalHeader().setMinimumSectionSize(self.fontMetrics().averageCharWidth() * 6)
        self._fit_place()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 2 * S)
        self.selectRow(0)

    def _wordy_width(self) -> int:
        return self.fontMetrics().averageCharWidth() * _WORDY_CHARS

    def _fit_place(self) -> None:
        """The name of the file gets the room that is left, or enough to be read."""
        header = self.horizontalHeader()
        others = header.length() - header.sectionSize(Column.PLACE)
        header.setSectionResizeMode(Column.PLACE, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(
            Column.PLACE, max(self.viewport().width() - others, self._wordy_width())
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        if self.model() is not None:
            self._fit_place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the row."""
        if event.key() in _ENTER and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class WhyDialog(QDialog):
    """Searches again in the background; the window stays usable beside it.

    Signals:
        opened (Passage): a row shall be shown in the viewer.
    """

    opened = Signal(object)

    def __init__(self, theme: Theme, desk: AnswerDesk, answer: Answer, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._desk = desk
        self._answer = answer
        self._question = answer.understood.rewritten or answer.question
        self._model: WhyModel | None = None
        self._task: Task | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("whyDialog")
        self.setWindowTitle(_("Why these sources?"))
        self._build()
        self.resize(min(theme.px(1060), parent.width() - XL), min(theme.px(600), parent.height()))
        self.table.chosen.connect(self._on_chosen)
        self.open_button.clicked.connect(lambda: self._on_chosen(self.table.currentIndex().row()))
        self.close_button.clicked.connect(self.close)
        self.failure.retry.clicked.connect(self.search)
        self.search()

    def _build(self) -> None:
        heading = PlainLabel(_("Why these sources?"))
        heading.setObjectName("pageTitle")
        question = PlainLabel(f"“{self._question}”")
        question.setObjectName("muted")
        question.setWordWrap(True)
        self.reading = PlainLabel()
        self.reading.setObjectName("smallMuted")
        self.reading.setWordWrap(True)
        self.detail = PlainLabel()
        self.detail.setObjectName("smallMuted")
        self.detail.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, L, XL, L)
        column.setSpacing(S)
        for widget in (heading, question, self.reading):
            column.addWidget(widget)
        column.addWidget(self._build_pages(), 1)
        column.addWidget(self.detail)
        column.addLayout(self._build_buttons())

    def _build_pages(self) -> QStackedWidget:
        self.activity = Activity(self._theme)
        self.table = WhyTable()
        self.failure = FailureBox(_("Try again"))
        self.empty = PlainLabel(_("No passage of the library came near this question."))
        self.empty.setObjectName("lead")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        failed = QWidget()
        on_top = QVBoxLayout(failed)
        on_top.setContentsMargins(0, M, 0, 0)
        on_top.addWidget(self.failure)
        on_top.addStretch(1)
        self.pages = QStackedWidget()
        self._failed = failed
        for page in (self.activity, self.table, failed, self.empty):
            self.pages.addWidget(page)
        return self.pages

    def _build_buttons(self) -> QHBoxLayout:
        note = PlainLabel(
            _("The library was searched again just now; it may have changed since the answer.")
        )
        note.setObjectName("smallMuted")
        note.setWordWrap(True)
        self.open_button = QPushButton(_("Open the place"))
        self.open_button.setObjectName("primaryButton")
        self.open_button.setEnabled(False)
        self.open_button.setAutoDefault(False)
        self.close_button = QPushButton(_("Close"))
        self.close_button.setAutoDefault(False)
        row = QHBoxLayout()
        row.setSpacing(S)
        row.addWidget(note, 1)
        row.addWidget(self.close_button)
        row.addWidget(self.open_button)
        return row

    # searching
    def search(self) -> None:
        """Ask the library again."""
        self.activity.say(_("Searching again …"))
        self.pages.setCurrentWidget(self.activity)
        self._task = self._desk.explain(self, self._question, self._on_explained, self._on_failed)

    def _on_explained(self, result: SearchResult) -> None:
        self._task = None
        self._model = WhyModel(self._theme, rows_of(result, self._answer.citations))
        lines = [*_beside_the_search(self._answer), *result.explanation.reading]
        self.reading.setText("\n".join(lines))
        self.reading.setVisible(bool(lines))
        if not self._model.rows:
            self.pages.setCurrentWidget(self.empty)
            announce(self, self.empty.text())
            return
        self.table.show_rows(self._model)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self._on_row(self.table.currentIndex())
        self.pages.setCurrentWidget(self.table)
        self.table.setFocus()
        announce(self, counted("{n} passage found", "{n} passages found", len(self._model.rows)))

    def _on_failed(self, error: DesktopRagError) -> None:
        self._task = None
        self.failure.say(error.message)
        self.pages.setCurrentWidget(self._failed)
        announce(self, error.message, is_urgent=True)

    # rows
    def _on_row(self, current: QModelIndex) -> None:
        if self._model is None or not current.isValid():
            return
        self.detail.setText(self._model.sentence(current.row()))
        self.open_button.setEnabled(self._model.rows[current.row()].passage is not None)

    def _on_chosen(self, row: int) -> None:
        if self._model is not None and 0 <= row < len(self._model.rows):
            passage = self._model.rows[row].passage
            if passage is not None:
                self.opened.emit(passage)

    def done(self, result: int) -> None:
        """A search that is still running is of no use any more."""
        if self._task is not None:
            self._task.forget()
        super().done(result)


def _beside_the_search(answer: Answer) -> list[str]:
    """What an answer rests on that searching for its question again does not show."""
    kept = answer.understood.inherited
    told = _("The answer kept to {condition} from an earlier question; this search does not.")
    return [
        *([answer.scope_note] if answer.scope_note else []),
        *([told.format(condition=kept)] if kept else []),
    ]
