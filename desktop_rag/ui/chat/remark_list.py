"""The remarks under an answer, a line each; what may make it wrong stands out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.ui import icons
from desktop_rag.ui.chat.remarks import Remark
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, S, Theme
from desktop_rag.ui.translation import _, counted

SHOWN = 3
"""More are folded."""
_ICON_PX = 16


class RemarkLine(QFrame):
    """One remark with the icon of its kind."""

    def __init__(self, theme: Theme, remark: Remark, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.remark = remark
        self.setObjectName("remarkLine")
        self.setProperty("warning", remark.kind.is_warning)
        self._icon = PlainLabel()
        self.text = PlainLabel(remark.text)
        self.text.setObjectName("remarkText")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        row.setSpacing(S)
        row.setContentsMargins(*((S, XS, S, XS) if remark.kind.is_warning else (0, 0, 0, 0)))
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        kind = _("Warning") if remark.kind.is_warning else _("Remark")
        self.setAccessibleName(f"{kind}: {remark.text}")
        self.colour()

    def colour(self) -> None:
        """The icon in the colours of the theme."""
        colours = self._theme.colours
        colour = colours.warning if self.remark.kind.is_warning else colours.muted
        size = self._theme.px(_ICON_PX)
        self._icon.setPixmap(
            icons.pixmap(self.remark.kind.value, colour, size, self.devicePixelRatioF())
        )


class RemarkList(QWidget):
    """The lines; hidden while there are none.

    Signals:
        unfolded: all are shown now.
    """

    unfolded = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lines: list[RemarkLine] = []
        self._folded: list[Remark] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(XS + 2)
        self.more = QPushButton()
        self.more.setObjectName("quietButton")
        self.more.clicked.connect(self._on_more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, XS, 0, 0)
        column.setSpacing(XS)
        column.addLayout(self._column)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        theme.changed.connect(self._on_theme_changed)
        self.hide()

    def show_remarks(self, remarks: Sequence[Remark]) -> None:
        """Replace the lines."""
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = []
        first = SHOWN if len(remarks) > SHOWN + 1 else len(remarks)
        self._add(remarks[:first])
        self._folded = list(remarks[first:])
        number = len(self._folded)
        self.more.setText(counted("Show {n} more remark", "Show {n} more remarks", number))
        self.more.setVisible(bool(self._folded))
        self.setVisible(bool(self.lines))

    def _add(self, remarks: Sequence[Remark]) -> None:
        for remark in remarks:
            line = RemarkLine(self._theme, remark, self)
            self._column.addWidget(line)
            self.lines.append(line)

    def _on_more(self) -> None:
        self.unfolded.emit()
        self._add(self._folded)
        self._folded = []
        for line in self.lines:
            line.show()
        self.more.hide()

    def _on_theme_changed(self) -> None:
        for line in self.lines:
            line.colour()
