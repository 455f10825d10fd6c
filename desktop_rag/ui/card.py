"""Building blocks of cards: a heading with a frame, lines of words, and rows with a button."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, L, M, S, scaled

WORDS_WIDTH = 280
"""The least room for the words of a row; where there is less, its controls stand below."""


class Card(QFrame):
    """A heading, a frame below it, and in that `rows`."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = PlainLabel(heading)
        self.heading.setObjectName("settingHeading")
        self.setAccessibleName(heading)
        self.frame = QFrame()
        self.frame.setObjectName("settingCard")
        self._rows = QVBoxLayout(self.frame)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        column.addWidget(self.heading)
        column.addWidget(self.frame)

    def add(self, row: QWidget) -> None:
        """One more row at the end."""
        row.setProperty("isFirst", self._rows.count() == 0)
        self._rows.addWidget(row)

    def clear(self, keep: int = 0) -> None:
        """Take away all rows but the first few."""
        while self._rows.count() > keep:
            item = self._rows.takeAt(keep)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


class Row(QFrame):
    """Words at the leading side, controls at the trailing one."""

    def __init__(self, title: str = "", sentence: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingRow")
        self.title = words(title, "settingTitle")
        self.sentence = words(sentence, "smallMuted")
        self.words = QVBoxLayout()
        self.words.setSpacing(2)
        self.words.addWidget(self.title)
        self.words.addWidget(self.sentence)
        self._side = QWidget()
        self._controls = QHBoxLayout(self._side)
        self._controls.setContentsMargins(0, 0, 0, 0)
        self._controls.setSpacing(S)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(L, M, L, M)
        self._layout.setSpacing(M)
        self._layout.addLayout(self.words, 1)
        self._layout.addWidget(self._side)
        self._side.hide()
        self.say(title, sentence)

    def say(self, title: str, sentence: str = "") -> None:
        """Other words; those that are empty take no room."""
        for label, text in ((self.title, title), (self.sentence, sentence)):
            label.setText(text)
            label.setVisible(bool(text))

    def lead_with(self, widget: QWidget) -> None:
        """A picture before the words."""
        self._layout.insertWidget(0, widget)

    def add(self, control: QWidget) -> None:
        """A control at the trailing side."""
        self._controls.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._side.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both, the controls stand below the words."""
        super().resizeEvent(event)
        needed = self._side.sizeHint().width() + scaled(WORDS_WIDTH)
        is_stacked = not self._side.isHidden() and self.width() < needed
        direction = QBoxLayout.Direction
        wanted = direction.TopToBottom if is_stacked else direction.LeftToRight
        if self._layout.direction() != wanted:
            self._layout.setDirection(wanted)
            side = Qt.AlignmentFlag.AlignLeading if is_stacked else Qt.AlignmentFlag(0)
            self._layout.setAlignment(self._side, side)

    def minimumSizeHint(self) -> QSize:
        """Any width: a row that became narrow arranges itself anew."""
        return QSize(scaled(WORDS_WIDTH) // 2, super().minimumSizeHint().height())


def words(text: str, name: str) -> PlainLabel:
    """Text that breaks into lines, in the look of `name`."""
    label = PlainLabel(text)
    label.setObjectName(name)
    label.setWordWrap(True)
    return label


def buttons(*some: QAbstractButton) -> QWidget:
    """Buttons in a row, with the rest of the width after them."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(S)
    for button in some:
        row.addWidget(button)
    row.addStretch(1)
    return holder


class Grid(QFrame):
    """A table of a few short lines; a screen reader hears a line as one sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingRow")
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(L, M, L, M)
        self._lines.setSpacing(XS)
        self.labels: list[PlainLabel] = []

    def show_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Names with values, in the place of what was there."""
        if 2 * len(lines) == len(self.labels):
            for number, (name, value) in enumerate(lines):
                self._say(self.labels[2 * number], self.labels[2 * number + 1], name, value)
            return
        self.labels.clear()
        while (item := self._lines.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for name, value in lines:
            self._lines.addWidget(self._line(name, value))

    def _line(self, name: str, value: str) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(L)
        first, second = words("", "smallMuted"), words("", "smallText")
        row.addWidget(first, 2)
        row.addWidget(second, 5)
        self.labels += [first, second]
        self._say(first, second, name, value)
        return line

    @staticmethod
    def _say(first: PlainLabel, second: PlainLabel, name: str, value: str) -> None:
        """Labels that say this already are left alone: they would be laid out anew."""
        if (first.text(), second.text()) != (name, value):
            first.setText(name)
            second.setText(value)
            second.setAccessibleName(f"{name}: {value}")
