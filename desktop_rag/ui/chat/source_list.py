"""Sources under an answer: one row each, a click opens the place. A long list is folded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.ui import words
from desktop_rag.ui.plain import PlainLabel, tip
from desktop_rag.ui.theme import BODY_PX, SMALL_PX, XS, M, S, Theme, sized
from desktop_rag.ui.translation import _, counted

_CHIP, _WIDE_CHIP = 20, 28
"""Pixels for a number of two digits, and of three, in the usual size of text."""
_SHOWN = 10
"""Rows of a folded list."""
_LONG = 12
"""More are folded."""


class SourceRow(QAbstractButton):
    """Number, title, and where in the document; the tool tip previews the quote."""

    def __init__(
        self, theme: Theme, number: int, of: Citation | Passage, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number = number
        self._title = words.title(of)
        self._place = words.place(of) or _file_name(of)
        quote = of.quote if isinstance(of, Citation) else of.text
        spoken = ", ".join(part for part in (self._title, self._place) if part)
        self.setAccessibleName(_("Source {number}: {where}").format(number=number, where=spoken))
        self.setToolTip(tip(f"{of.path}\n\n“{words.preview(quote)}”"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(320, self._theme.px(BODY_PX + 6) + 2 * S)

    def enterEvent(self, event: QEvent) -> None:
        """Repaint for the hover colour."""
        super().enterEvent(event)  # type: ignore[arg-type]
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Repaint for the hover colour."""
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the row."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_number(painter)
        self._paint_words(painter)
        painter.end()

    def _paint_ground(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setPen(self._theme.color("accent"))
        elif self._theme.is_high_contrast:
            painter.setPen(self._theme.color("border"))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        is_hot = self.underMouse() or self.isDown()
        painter.setBrush(self._theme.color("hover" if is_hot else "raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _paint_number(self, painter: QPainter) -> None:
        height, width = self._theme.px(_CHIP), self._chip_width()
        chip = self._turned(QRectF(S, (self.height() - height) / 2, width, height))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_soft"))
        painter.drawRoundedRect(chip, 6, 6)
        painter.setPen(self._theme.color("accent_text"))
        painter.setFont(sized(self.font(), SMALL_PX - 1, QFont.Weight.DemiBold))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, str(self._number))

    def _paint_words(self, painter: QPainter) -> None:
        left = S + self._chip_width() + S
        room = self.width() - left - M
        title_font = sized(self.font(), BODY_PX - 1, QFont.Weight.Medium)
        place_font = sized(self.font(), SMALL_PX)
        place_width = QFontMetrics(place_font).horizontalAdvance(self._place)
        title_width = QFontMetrics(title_font).horizontalAdvance(self._title)
        title_room = min(title_width, max(room - place_width - M, room // 2)) + 2
        painter.setPen(self._theme.color("text"))
        self._paint_elided(painter, self._title, title_font, (left, title_room))
        painter.setPen(self._theme.color("muted"))
        place = (left + title_room + M, room - title_room - M)
        self._paint_elided(painter, self._place, place_font, place)

    def _paint_elided(
        self, painter: QPainter, text: str, font: QFont, where: tuple[int, int]
    ) -> None:
        """Paint what fits into a stretch of the row, given by its beginning and its width."""
        left, width = where
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
        painter.setFont(font)
        leading = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignLeading)
        painter.drawText(
            self._turned(QRectF(left, 0, width, self.height())),
            leading | Qt.AlignmentFlag.AlignVCenter,
            shown,
        )

    def _chip_width(self) -> int:
        return self._theme.px(_CHIP if self._number < 100 else _WIDE_CHIP)

    def _turned(self, rect: QRectF) -> QRectF:
        """The same place where the window runs from right to left."""
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            rect.moveLeft(self.width() - rect.right())
        return rect


def _file_name(of: Citation | Passage) -> str:
    """Tells files of one title apart; nothing when the title is the name."""
    file = PurePath(of.path)
    return "" if of.title in {"", file.name, file.stem} else words.one_line(file.name)


class SourceList(QWidget):
    """The rows with a heading; hidden while there are none.

    Signals:
        opened (Citation | Passage): the person wants to see the place.
        unfolded: all rows are shown now.
    """

    opened = Signal(object)
    unfolded = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folded: dict[int, Citation | Passage] = {}
        self._heading = PlainLabel()
        self._heading.setObjectName("sectionLabel")
        self.more = QPushButton()
        self.more.setObjectName("quietButton")
        self.more.clicked.connect(self._on_more)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(XS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, S, 0, 0)
        layout.setSpacing(XS)
        layout.addWidget(self._heading)
        layout.addLayout(self._rows)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        self.rows: list[SourceRow] = []
        self.hide()

    def show_sources(self, heading: str, sources: Mapping[int, Citation | Passage]) -> None:
        """Replace the rows; keys are the numbers printed in the answer."""
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        self._heading.setText(heading)
        ordered = list(sources.items())
        first = len(ordered) if len(ordered) <= _LONG else _SHOWN
        self._add_rows(dict(ordered[:first]))
        self._folded = dict(ordered[first:])
        self.more.setText(counted("Show {n} source", "Show all {n} sources", len(ordered)))
        self.more.setVisible(bool(self._folded))
        self.setVisible(bool(self.rows))

    def _add_rows(self, sources: Mapping[int, Citation | Passage]) -> None:
        previous: QWidget = self.rows[-1] if self.rows else self.more
        for number, source in sources.items():
            row = SourceRow(self._theme, number, source, self)
            row.clicked.connect(lambda _checked=False, one=source: self.opened.emit(one))
            self._rows.addWidget(row)
            self.rows.append(row)
            # Tab would come to what is made later after everything else in the window.
            self.setTabOrder(previous, row)
            previous = row
        if previous is not self.more:
            self.setTabOrder(previous, self.more)

    def _on_more(self) -> None:
        self.unfolded.emit()
        shown = len(self.rows)
        self._add_rows(self._folded)
        self._folded = {}
        self.rows[shown].show()  # the layout would do so later, and what is hidden takes no focus
        self.rows[shown].setFocus()
        self.more.hide()
