"""Walking through the citations of an answer, and what to do with the one that is shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.icon_button import icon_button
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme
from desktop_rag.ui.translation import _, numeral


class PlaceBar(QWidget):
    """`Citation 2 of 5` between two buttons.

    Signals:
        stepped (int): 1 to the next citation, -1 to the one before.
        copy_requested: the quote goes to the clipboard.
        ask_requested: the quote goes into the question.
    """

    stepped = Signal(int)
    copy_requested = Signal()
    ask_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build()
        self._connect()
        self._colour_icons()

    def _build(self) -> None:
        self.setObjectName("placeBar")
        self.previous = icon_button(_("Previous citation (Alt+Up)"))
        self.next = icon_button(_("Next citation (Alt+Down)"))
        self.count = PlainLabel()
        self.count.setObjectName("smallText")
        self.copy = icon_button(_("Copy the quote"))
        self.ask = icon_button(_("Ask about this passage"))
        row = QHBoxLayout(self)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(XS)
        row.addWidget(self.previous)
        row.addWidget(self.count)
        row.addWidget(self.next)
        row.addStretch(1)
        row.addWidget(self.copy)
        row.addWidget(self.ask)

    def _connect(self) -> None:
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.copy.clicked.connect(self.copy_requested)
        self.ask.clicked.connect(self.ask_requested)
        self._theme.changed.connect(self._colour_icons)

    def show_count(self, position: int, total: int) -> None:
        """The first is 0; a single place has nothing to step to."""
        for widget in (self.previous, self.next):
            widget.setVisible(total > 1)
        self.previous.setEnabled(position > 0)
        self.next.setEnabled(position + 1 < total)
        self.count.setIndent(0 if total > 1 else S)
        if total > 1:
            sentence = _("Citation {n} of {total}")
            self.count.setText(sentence.format(n=numeral(position + 1), total=numeral(total)))
        else:
            self.count.setText(_("Cited passage"))

    def _colour_icons(self) -> None:
        colour = self._theme.colours.muted
        for button, name in (
            (self.previous, "up"),
            (self.next, "down"),
            (self.copy, "copy"),
            (self.ask, "ask"),
        ):
            button.setIcon(icons.icon(name, colour))
