"""A card that previews the source behind a citation, above everything else in the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.ui import icons, words
from desktop_rag.ui.chat.cited_words import cited_spans
from desktop_rag.ui.chat.marked_text import MarkedText
from desktop_rag.ui.elided_label import ElidedLabel
from desktop_rag.ui.plain import PlainLabel
from desktop_rag.ui.theme import XS, M, S, Theme
from desktop_rag.ui.translation import _

_WIDTH = 420
_MOST_CHARS = 600
_GAP = 6


class CitationCard(QFrame):
    """Title, place, quote with the cited words marked, and what became of the file.

    It is part of the window: it can neither take the focus nor lie outside the screen, on any
    desktop. Nothing but the mouse can press it; the keyboard stays at the chip.

    Signals:
        pressed: the person clicked on it.
        entered, left: the mouse.
    """

    pressed = Signal()
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self.setObjectName("citationCard")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._build()
        self.hide()

    def _build(self) -> None:
        self.number = PlainLabel()
        self.number.setObjectName("cardNumber")
        self.title = ElidedLabel()
        self.title.setObjectName("panelTitle")
        self.place = ElidedLabel()
        self.place.setObjectName("smallMuted")
        self.quote = MarkedText(self._theme)
        self.hint = PlainLabel()
        self.hint.setObjectName("smallMuted")
        head = QHBoxLayout()
        head.setSpacing(S)
        head.addWidget(self.number)
        head.addWidget(self.title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(M, M, M, S)
        column.setSpacing(S)
        column.addLayout(head)
        column.addWidget(self.place)
        column.addWidget(self.quote)
        column.addWidget(self._build_state())
        column.addWidget(self.hint)

    def _build_state(self) -> QWidget:
        self.state = QFrame()
        self.state.setObjectName("cardState")
        self._state_icon = PlainLabel()
        self.state_text = PlainLabel()
        self.state_text.setWordWrap(True)
        row = QHBoxLayout(self.state)
        row.setContentsMargins(S, XS, S, XS)
        row.setSpacing(S)
        row.addWidget(self._state_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.state_text, 1)
        self.state.hide()
        return self.state

    def show_source(
        self, number: int, of: Citation | Passage, said: str, *, by_keyboard: bool
    ) -> None:
        """Fill the card; `said` is the sentence of the answer that the citation stands in."""
        quote = words.preview(of.quote if isinstance(of, Citation) else of.text, _MOST_CHARS)
        self.number.setText(str(number))
        self.title.setText(words.title(of))
        self.place.setText(words.place(of))
        self.place.setVisible(bool(self.place.text()))
        self.quote.show_text(quote, cited_spans(quote, said))
        self.state.hide()
        self.hint.setText(
            _("Enter opens the place, Esc closes this card")
            if by_keyboard
            else _("Click to open the place")
        )
        self.setAccessibleName(spoken(number, of))

    def show_state(self, state: CitationState) -> str:
        """Say when the file is not as it was quoted; returns the sentence."""
        sentence = state_words(state)
        self.state_text.setText(sentence)
        self._state_icon.setPixmap(icons.picture("warning", self._theme.colours.warning, 16))
        self.state.setVisible(bool(sentence))
        return sentence

    def place_at(self, chip: QRect) -> None:
        """Lie below the chip (in the window's coordinates), or above it, inside the window."""
        room = self._room()
        width = min(self._theme.px(_WIDTH), room.width())
        self.setFixedWidth(width)
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = max(self.sizeHint().height(), layout.heightForWidth(width))
        self.setFixedHeight(min(height, room.height()))
        x = chip.center().x() - width // 4
        below = chip.bottom() + _GAP
        is_below = below + self.height() <= room.bottom() + 1
        y = below if is_below else chip.top() - _GAP - self.height()
        self.move(
            min(max(x, room.left()), room.right() + 1 - width),
            min(max(y, room.top()), room.bottom() + 1 - self.height()),
        )

    def _room(self) -> QRect:
        """What of the window is on the screen."""
        window = self.window()
        shown = window.screen().availableGeometry()
        corner = window.mapFromGlobal(shown.topLeft())
        visible = window.rect().intersected(QRect(corner, shown.size()))
        room = visible if visible.width() > self._theme.px(_WIDTH) // 2 else window.rect()
        return room.adjusted(S, S, -S, -S)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens the place."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.pressed.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The mouse came from the chip: the card stays."""
        super().enterEvent(event)
        self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """The mouse goes away."""
        super().leaveEvent(event)
        self.left.emit()


def spoken(number: int, of: Citation | Passage) -> str:
    """What a screen reader says of a source."""
    where = ", ".join(filter(None, (words.title(of), words.place(of))))
    quote = words.preview(of.quote if isinstance(of, Citation) else of.text)
    return _("Source {number}: {where}. “{quote}”").format(number=number, where=where, quote=quote)


def state_words(state: CitationState) -> str:
    """What became of a cited file; empty when it is as it was."""
    return {
        CitationState.AS_READ: "",
        CitationState.CHANGED: _("The file has changed since it was quoted."),
        CitationState.READ_AGAIN: _("The file was read again since; this is the quote of then."),
        CitationState.GONE: _("The file is not where it was; the quote was kept."),
        CitationState.REMOVED: _("The file left the library; the quote was kept."),
    }[state]
