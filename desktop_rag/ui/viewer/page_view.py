"""All pages of a document as pictures, with marks, hits and a selection on them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_rag.domain.documents import Box, Page
from desktop_rag.domain.places import page_of
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _
from desktop_rag.ui.viewer import page_painting
from desktop_rag.ui.viewer.motion import Flash
from desktop_rag.ui.viewer.page_canvas import LINE_PX, PageCanvas
from desktop_rag.ui.viewer.page_pictures import PagePictures
from desktop_rag.ui.viewer.page_selection import PageSelection
from desktop_rag.ui.viewer.page_text import PageText

_DESCRIBED = 2_000
"""Characters of a page that a screen reader is told at once."""


class PageView(PageCanvas):
    """Marks and picture lie in the same points of the paper, so they can never drift apart.

    Signals:
        selection_changed: other letters are selected.
    """

    selection_changed = Signal()

    def __init__(
        self, theme: Theme, pictures: PagePictures, text: PageText, parent: QWidget | None = None
    ) -> None:
        super().__init__(pictures, parent)
        self._theme = theme
        self.text = text
        self._mark: tuple[Box, ...] = ()
        self._hits: Sequence[tuple[int, int]] = ()
        self._hit: tuple[int, int] | None = None
        self._sought: tuple[int, int] | None = None
        self.setObjectName("pageView")
        self.setAccessibleName(_("Pages"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.selection = PageSelection(self)
        self.flash = Flash(self)
        self._connect()

    def _connect(self) -> None:
        self.wanted.connect(self.text.want)
        self.text.arrived.connect(self._on_lines)
        self.page_changed.connect(self._describe)
        for signal in (self.flash.changed, self.selection.changed, self._theme.changed):
            signal.connect(self.viewport().update)
        self.selection.changed.connect(self.selection_changed)

    # content
    def show_pages(self, pages: Sequence[Page]) -> None:
        """Another document, from its first page."""
        self._mark, self._hits, self._hit, self._sought = (), (), None, None
        self.selection.clear()
        super().show_pages(pages)
        self._describe(1)

    def _describe(self, number: int) -> None:
        """A picture says nothing to a screen reader; the text of the page does."""
        if 1 <= number <= len(self._pages):
            page = self._pages[number - 1]
            text = self.text.text[page.start : min(page.end, page.start + _DESCRIBED)]
            self.setAccessibleDescription(text)

    def show_mark(self, boxes: Sequence[Box]) -> None:
        """Mark the cited lines and bring the first into view; without any nothing moves."""
        self._mark = tuple(boxes)
        if boxes:
            first = min(boxes, key=lambda box: (box.page, box.y0))
            self.bring(first.page, first.y0)
            self.flash.begin()
        self.viewport().update()

    def show_hits(self, spans: Sequence[tuple[int, int]], current: int = -1) -> None:
        """Mark what was searched for, in order; `current` (an index) stands out."""
        self._hits = spans
        self._hit = spans[current] if 0 <= current < len(spans) else None
        self.viewport().update()

    def reveal(self, start: int, end: int) -> None:
        """Bring a span of the text into view, as soon as it is known where it stands."""
        page = page_of(self._pages, start)
        if page is None:
            return
        boxes = self.text.boxes(page.number, start, end)
        self._sought = None if boxes else (start, end)
        if not boxes:
            if page.number not in self.pages_in_view():
                self.turn_to(page.number)
            self.text.want([page.number])
        elif not self.viewport().rect().toRectF().contains(self.rect_of(boxes[0])):
            self.bring(page.number, boxes[0].y0)

    def _on_lines(self) -> None:
        if self._sought is not None:
            sought, self._sought = self._sought, None
            page = page_of(self._pages, sought[0])
            if page is not None and self.text.lines(page.number):
                self.reveal(*sought)
        self.viewport().update()

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves, and no sharper picture is on its way."""
        return self.is_sharp and not self.flash.strength

    # places
    def highlight_rects(self) -> list[QRectF]:
        """The cited lines in coordinates of the viewport, without padding."""
        return [self.rect_of(box) for box in self._mark]

    def hit_rects(self) -> list[QRectF]:
        """What was found on the pages in view, as far as its lines are known."""
        return [rect for number in self.pages_in_view() for rect in self._hits_on(number)]

    def _hits_on(self, number: int) -> list[QRectF]:
        page = self._pages[number - 1]
        first = bisect_right(self._hits, page.start, key=lambda span: span[1])
        last = bisect_left(self._hits, page.end, key=lambda span: span[0])
        return [r for span in self._hits[first:last] for r in self.rects_of(number, *span)]

    def _mark_on(self, number: int) -> list[QRectF]:
        return [self.rect_of(box) for box in self._mark if box.page == number]

    def _current_on(self, number: int) -> list[QRectF]:
        return self.rects_of(number, *self._hit) if self._hit else []

    def rects_of(self, number: int, start: int, end: int) -> list[QRectF]:
        """A span of the text on a page in coordinates of the viewport."""
        return [self.rect_of(box) for box in self.text.boxes(number, start, end)]

    def offset_at(self, point: QPointF, *, is_near: bool) -> int | None:
        """The letter of the text at a point of the viewport."""
        place = self.place_at(point)
        if place is None:
            return None
        number, on_page = place
        return self.text.offset_at(number, on_page.x(), on_page.y(), is_near=is_near)

    # Qt
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to select."""
        if event.button() is Qt.MouseButton.LeftButton:
            is_longer = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.selection.begin(event.position(), is_longer=is_longer)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select on."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.selection.extend(event.position())
            self._follow(event.position().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.selection.take_word(event.position())

    def _follow(self, point: QPoint) -> None:
        """Scroll along when the selection goes beyond the view."""
        over = min(point.y(), 0) + max(point.y() - self.viewport().height(), 0)
        if over:
            self.let_go()
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(-LINE_PX, min(over, LINE_PX)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, select all of the page, let go of the selection."""
        bar = self.verticalScrollBar()
        self.let_go()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif event.key() == Qt.Key.Key_Space:
            bar.setValue(bar.value() + bar.pageStep() - LINE_PX)
        elif not self.selection.on_key(event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pages that can be seen, with all that is marked on them."""
        del event
        page_painting.paint(
            self,
            self._theme,
            page_painting.Marks(self._mark_on, self._hits_on, self._current_on),
        )
