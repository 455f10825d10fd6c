"""A document without pages as text: headings, lists, tables and code, with the passage marked.

Offsets are those of the document's text. Of a long document the part around the place that is read
is laid out, and another part when the person comes to its edge.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QPoint, QTimer, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from desktop_rag.domain.documents import Block, Part
from desktop_rag.ui.theme import BODY_PX, Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer.line_numbers import LineNumbers
from desktop_rag.ui.viewer.motion import Flash
from desktop_rag.ui.viewer.text_drawing import Drawing
from desktop_rag.ui.viewer.text_marks import TextMarks
from desktop_rag.ui.viewer.text_pieces import Pieces
from desktop_rag.ui.viewer.text_segments import Source, window

SHOWN_CHARS = 24_000
"""Laid out at once: about ten screens, some thirty milliseconds."""
_MARGIN_PX = 24


class TextView(QTextBrowser):
    """Read-only text that a keyboard and a screen reader walk through.

    Signals:
        moved: another place is at the upper edge.
        selection_changed: other letters are selected.
    """

    moved = Signal()
    selection_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._source = Source("")
        self._pieces = Pieces("")
        self.marks = TextMarks(theme)
        self._window = (0, 0)
        self._goal: int | None = None
        self._is_drawing = False
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("textView")
        self.setAccessibleName(_("Document text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(_MARGIN_PX)
        self.flash = Flash(self)
        self.numbers = LineNumbers(self, self._theme)
        self._edge = QTimer(self)
        self._edge.setSingleShot(True)
        self._edge.setInterval(0)

    def _connect(self) -> None:
        self._edge.timeout.connect(self._look_at_edges)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.verticalScrollBar().actionTriggered.connect(lambda _: self._let_go())
        self.flash.changed.connect(self._paint_marks)
        self.selectionChanged.connect(self._on_selection)
        self._theme.changed.connect(self._draw_again)

    # content
    def show_text(
        self,
        text: str,
        blocks: Sequence[Block],
        span: tuple[int, int] | None = None,
        parts: Sequence[Part] = (),
    ) -> None:
        """Show `text` and mark `span`."""
        self._source = Source(text, blocks, parts)
        self.marks.cited, self.marks.hits, self.marks.hit = span, (), -1
        self._draw(span[0] if span else 0)
        self._reveal(span[0] if span else 0)
        if span:
            self.flash.begin()

    def show_mark(self, span: tuple[int, int] | None) -> None:
        """Mark another passage of the same text and bring it into view."""
        self.marks.cited = span
        if span is None:
            self._paint_marks()
            return
        self.reveal(*span)
        self.flash.begin()

    def show_hits(self, spans: Sequence[tuple[int, int]], current: int = -1) -> None:
        """Mark what was searched for, in order; `current` (an index) stands out."""
        self.marks.hits, self.marks.hit = spans, current
        self._paint_marks()

    def reveal(self, start: int, end: int) -> None:
        """Bring a span into view."""
        if not self._window[0] <= start <= end <= self._window[1]:
            self._draw(start)
        self._reveal(start)
        self._paint_marks()

    @property
    def length(self) -> int:
        """Of the whole text."""
        return len(self._source.text)

    @property
    def is_part(self) -> bool:
        """Whether only a part of the document is laid out."""
        return self._window != (0, len(self._source.text))

    @property
    def window_span(self) -> tuple[int, int]:
        """The part of the text that is laid out."""
        return self._window

    @property
    def span(self) -> tuple[int, int] | None:
        """The span of the text that is selected."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        return self._pieces.span(cursor.selectionStart(), cursor.selectionEnd())

    @property
    def selected_text(self) -> str:
        """What is selected, as the document has it."""
        return self._source.text[slice(*self.span)] if self.span else ""

    @property
    def first_in_view(self) -> int:
        """Offset of the letter at the upper edge."""
        return self._pieces.offset(self.cursorForPosition(QPoint(_MARGIN_PX, 0)).position())

    def marked_text(self) -> str:
        """The letters of the citation, as they stand in the view."""
        return self.marks.cited_text(self.document(), self._pieces, self._source)

    def is_mark_in_view(self) -> bool:
        """Whether the beginning of the mark is on screen."""
        if self.marks.cited is None:
            return False
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._pieces.position(self.marks.cited[0]))
        return self.viewport().rect().intersects(self.cursorRect(cursor))

    # drawing
    def _draw(self, focus: int) -> None:
        """Lay out the part around an offset."""
        self._is_drawing = True
        self._window = window(self._source, focus, SHOWN_CHARS)
        # New text takes the format at the cursor, which may be a heading's.
        self.clear()
        self.setCurrentCharFormat(QTextCharFormat())
        drawing = Drawing(self.document(), self._body_font(), self._theme, self._source)
        self._pieces = drawing.draw(*self._window)
        self.setTextCursor(QTextCursor(self.document()))
        self._paint_marks()
        self.numbers.show_for(self._source, self._window[0])
        self._is_drawing = False

    def _draw_again(self) -> None:
        goal, place = self._goal, self.first_in_view
        self._draw(place if goal is None else goal)
        if goal is None:
            self._put_at_top(place, 0)
        else:
            self._reveal(goal)

    def _body_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(self._theme.px(BODY_PX))
        return font

    def _paint_marks(self) -> None:
        strength = self.flash.strength
        found = self.marks.selections(self.document(), self._pieces, self._window, strength)
        self.setExtraSelections(found)

    # moving
    def _reveal(self, offset: int) -> None:
        """Now, and once more when the layout has its final width."""
        self._goal = offset
        self._scroll_to_goal()
        QTimer.singleShot(0, self, self._scroll_to_goal)

    def _scroll_to_goal(self) -> None:
        if self._goal is None:
            return
        goal = self._goal
        room = self.viewport().height() // 3 if goal else self.viewport().height()
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._pieces.position(goal))
        self.setTextCursor(cursor)
        self._put_at_top(goal, room)
        self._goal = goal

    def _put_at_top(self, offset: int, below: int) -> None:
        """Scroll so that an offset stands so many pixels below the upper edge."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._pieces.position(offset))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - below)

    def scroll_to_offset(self, offset: int) -> None:
        """Bring an offset to the upper edge."""
        self._goal = None
        if not self._window[0] <= offset <= self._window[1] or self.is_part:
            self._draw(offset)
        self._put_at_top(offset, 0)

    def _on_scrolled(self) -> None:
        if not self._is_drawing:
            self._edge.start()
            self.moved.emit()

    def _let_go(self) -> None:
        """The person scrolls: nothing is held in view any more."""
        self._goal = None

    def _look_at_edges(self) -> None:
        """Lay out another part when the view comes near the end of this one."""
        bar, room = self.verticalScrollBar(), self.viewport().height()
        first, last = self._window
        is_high = first > 0 and bar.value() < room // 2
        is_low = last < len(self._source.text) and bar.value() > bar.maximum() - room // 2
        if not (is_high or is_low):
            return
        offset = self.first_in_view
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._pieces.position(offset))
        below = self.cursorRect(cursor).top()
        self._draw(offset)
        self._put_at_top(offset, below)

    def _on_selection(self) -> None:
        if not self._is_drawing:
            self.selection_changed.emit()

    # Qt
    def createMimeDataFromSelection(self) -> QMimeData:
        """The document's own text: cells and blocks apart as they are there."""
        data = QMimeData()
        data.setText(self.selected_text)
        return data

    def wheelEvent(self, event: QWheelEvent) -> None:
        """As any view."""
        self._let_go()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """As any view."""
        self._let_go()
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other line breaks move the passage; it stays in view."""
        super().resizeEvent(event)
        self.numbers.fit()
        if event.oldSize().width() != event.size().width():
            QTimer.singleShot(0, self, self._scroll_to_goal)

    def set_left_room(self, px: int) -> None:
        """Leave room beside the text, for line numbers."""
        self.setViewportMargins(px, 0, 0, 0)

    def metrics(self) -> QFontMetrics:
        """Of the text."""
        return QFontMetrics(self._body_font())
