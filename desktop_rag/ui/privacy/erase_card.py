"""Delete everything: what that means, a word to type, and a button that is dead until then."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui.announce import announce
from desktop_rag.ui.card import Card, Row, words
from desktop_rag.ui.chat.flowing_row import FlowingRow
from desktop_rag.ui.preferences.switch import Switch
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _


class EraseCard(Card):
    """Two steps: a button that only asks, and one that wants the word.

    Signals:
        confirmed (bool): delete everything; true: with the installed models.
    """

    confirmed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(_("Delete everything"), parent)
        self._theme = theme
        self._word = _("delete")
        self._row = Row(
            _("Have the program forget all of this"),
            _(
                "The library with all chats, the index, settings, logs and copies. Your own "
                "documents stay where they are."
            ),
        )
        self.begin = QPushButton(_("Delete everything …"))
        self.begin.clicked.connect(lambda: self._ask(is_asking=True))
        self._row.add(self.begin)
        self.add(self._row)
        self.question = self._build_question()
        self.add(self.question)
        self.question.hide()

    def _build_question(self) -> QWidget:
        self.models = Switch(self._theme)
        label = words(_("Also delete the installed models, which other libraries use"), "smallText")
        label.setBuddy(self.models)
        self.models.setAccessibleName(label.text())
        self.word = QLineEdit()
        self.word.setMaximumWidth(self._theme.px(260))
        prompt = _("Type “{word}” to confirm").format(word=self._word)
        self.word.setPlaceholderText(prompt)
        self.word.setAccessibleName(prompt)
        self.word.textChanged.connect(self._on_typed)
        self.word.returnPressed.connect(self._on_confirmed)
        self.confirm = QPushButton(_("Delete everything and close"))
        self.confirm.setObjectName("dangerButton")
        self.confirm.setEnabled(False)
        self.confirm.clicked.connect(self._on_confirmed)
        self.cancel = QPushButton(_("Keep everything"))
        self.cancel.clicked.connect(lambda: self._ask(is_asking=False))
        row = Row()
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addWidget(words(_warning(), "smallDanger"))
        choice = QHBoxLayout()
        choice.addWidget(self.models)
        choice.addWidget(label, 1)
        column.addLayout(choice)
        column.addWidget(self.word)
        last = FlowingRow()  # with large text the two do not fit side by side
        last.add(self.confirm)
        last.add(self.cancel)
        column.addWidget(last)
        row.words.addLayout(column)
        return row

    def _ask(self, *, is_asking: bool) -> None:
        self.question.setVisible(is_asking)
        self.begin.setVisible(not is_asking)
        self.word.clear()
        self.models.setChecked(False)
        if is_asking:
            announce(self, _warning(), is_urgent=True)
            self.word.setFocus()
        else:
            self.begin.setFocus()

    @property
    def _is_confirmed(self) -> bool:
        return self.word.text().strip().casefold() == self._word.casefold()

    def _on_typed(self) -> None:
        self.confirm.setEnabled(self._is_confirmed)

    def _on_confirmed(self) -> None:
        if self._is_confirmed:
            self.confirm.setEnabled(False)
            self.confirmed.emit(self.models.isChecked())

    def show_failure(self) -> None:
        """It could not even be written down: nothing was deleted."""
        self._on_typed()


def _warning() -> str:
    return _(
        "This cannot be undone. Answers stop, the program closes and deletes everything it has "
        "written; when you start it again, it begins anew."
    )
