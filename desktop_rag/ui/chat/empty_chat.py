"""A new chat over a library that has files: what can be asked, and something to begin with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.domain.library import LibraryStatus
from desktop_rag.ui import icons
from desktop_rag.ui.plain import PlainLabel, centred, tip
from desktop_rag.ui.theme import COLUMN_WIDTH, XL, M, S, Theme, scaled
from desktop_rag.ui.translation import _, counted, numeral

_TITLE_CHARS = 44


class EmptyChat(QWidget):
    """Signals:
    suggested (str): the beginning of a question for the composer; nothing is sent.
    """

    suggested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: list[str] = []
        self.suggestions: list[QPushButton] = []
        self._build()
        theme.changed.connect(self._colour_icons)
        self._colour_icons()

    def _build(self) -> None:
        self._picture = PlainLabel()
        self.lead = centred("", "lead")
        self.note = centred("", "muted")
        self.note.hide()
        self._chips = QVBoxLayout()
        self._chips.setSpacing(S)
        column = QVBoxLayout()
        column.setSpacing(S)
        column.addStretch(1)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(centred(_("What would you like to know?"), "hero"))
        column.addWidget(self.lead)
        column.addWidget(self.note)
        column.addSpacing(M)
        column.addLayout(self._chips)
        column.addStretch(1)
        row = QHBoxLayout(self._scrolled())
        row.setContentsMargins(XL, XL, XL, XL)
        inner = QWidget()
        inner.setLayout(column)
        inner.setMaximumWidth(scaled(COLUMN_WIDTH))
        row.addStretch(1)
        row.addWidget(inner, 1000)
        row.addStretch(1)

    def _scrolled(self) -> QWidget:
        """Large text in a low window needs to be scrolled."""
        content = QWidget()
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setWidget(content)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(area)
        return content

    def show_status(self, status: LibraryStatus) -> None:
        """How much can be asked already, and what answers are made of."""
        total = status.ready + status.queued + status.failed
        self.lead.setText(_lead(status.ready, total, is_reading=status.queued > 0))
        self.note.setVisible(not status.llm and status.ready > 0)
        self.note.setText(
            _("Without a language model, answers are searched and quoted word for word.")
        )

    def show_titles(self, titles: Sequence[str]) -> None:
        """Suggest to ask these files; clicking begins a question that the person finishes."""
        if list(titles) == self._titles:
            return
        self._titles = list(titles)
        for button in self.suggestions:
            self._chips.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.suggestions = [self._suggestion(title) for title in titles]
        if titles:
            self.suggestions.append(self._button(_("How many files are there?")))
        for button in self.suggestions:
            self._chips.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _suggestion(self, title: str) -> QPushButton:
        begun = _("What does “{title}” say about ").format(title=title)
        short = title if len(title) <= _TITLE_CHARS else f"{title[: _TITLE_CHARS - 1].rstrip()}…"
        shown = _("What does “{title}” say about …").format(title=short)
        return self._button(shown, begun)

    def _button(self, shown: str, begun: str = "") -> QPushButton:
        button = QPushButton(shown.replace("&", "&&"))
        button.setObjectName("suggestion")
        button.setAccessibleName(begun or shown)
        button.setToolTip(tip(begun))
        button.clicked.connect(lambda: self.suggested.emit(begun or shown))
        return button

    def _colour_icons(self) -> None:
        self._picture.setPixmap(icons.picture("chat", self._theme.colours.accent, 44))


def _lead(ready: int, total: int, *, is_reading: bool) -> str:
    if is_reading:
        return _(
            "{ready} of {total} files can be asked already; the others are being read."
        ).format(ready=numeral(ready), total=numeral(total))
    return counted(
        "Ask in your own words. {n} file can be asked, and every answer shows its sources.",
        "Ask in your own words. {n} files can be asked, and every answer shows its sources.",
        ready,
    )
