"""Where things of an answer's text are on screen: chips, listings, quotations, links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextFormat
from PySide6.QtWidgets import QTextBrowser

from desktop_rag.ui.chat.document_parts import runs
from desktop_rag.ui.chat.typesetter import CODE, Chip
from desktop_rag.ui.theme import SMALL_PX, M, S, scaled

_BAR = 3


@dataclass(frozen=True, slots=True)
class Stop:
    """What the keyboard can reach: a chip, or a link that leads out of the program."""

    start: int
    end: int
    href: str
    number: int | None = None
    """Of the citation."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A block of code."""

    rect: QRectF
    text: str


class Places:
    """Rectangles in the coordinates of the text's viewport; kept until they are to be forgotten."""

    def __init__(self, text: QTextBrowser) -> None:
        self._text = text
        self._rects: dict[tuple[int, int], QRectF] = {}
        self._listings: list[Listing] | None = None
        self._bars: list[QRectF] | None = None

    def forget(self, kept: int = 0) -> None:
        """The text was laid out again from `kept` on, or scrolled."""
        self._rects = {key: rect for key, rect in self._rects.items() if key[1] <= kept}
        self._listings = self._bars = None

    def rect(self, start: int, end: int) -> QRectF:
        """Of a chip or link that stands on one line; empty before it was laid out."""
        known = self._rects.get((start, end))
        if known is None:
            known = self._rects[start, end] = self._rect(start, end)
        return known

    def _rect(self, start: int, end: int) -> QRectF:
        block = self._text.document().findBlock(start)
        line = block.layout().lineForTextPosition(start - block.position())
        if not line.isValid():
            return QRectF()
        origin = self._origin(block)
        edges = [_x(line.cursorToX(place - block.position())) for place in (start, end)]
        # The height of a digit with some room, whatever the paragraph's own size of text.
        baseline = origin.y() + line.y() + line.ascent()
        height = scaled(SMALL_PX) + 5
        return QRectF(
            origin.x() + min(edges), baseline - height + 4, abs(edges[1] - edges[0]), height
        )

    def _origin(self, block: QTextBlock) -> QPointF:
        return self._bounds(block).topLeft()

    def _bounds(self, block: QTextBlock) -> QRectF:
        text = self._text
        where = text.document().documentLayout().blockBoundingRect(block)
        x, y = text.horizontalScrollBar().value(), text.verticalScrollBar().value()
        return where.translated(-x, -y)

    def stops(self, chips: Iterable[Chip]) -> list[Stop]:
        """Chips and links in the order of the text."""
        found = [Stop(chip.start, chip.end, f"cite:{chip.number}", chip.number) for chip in chips]
        for start, length, style in runs(self._text.document()):
            href = style.anchorHref()
            if not style.isAnchor() or href.startswith("cite:"):
                continue
            if found and found[-1].href == href and found[-1].end == start:
                found[-1] = Stop(found[-1].start, start + length, href)
            else:
                found.append(Stop(start, start + length, href))
        return sorted(found, key=lambda stop: stop.start)

    def listings(self) -> list[Listing]:
        """The blocks of code, each on its ground."""
        if self._listings is None:
            self._listings = [self._listing(blocks) for blocks in self._groups(CODE)]
        return self._listings

    def _listing(self, blocks: list[QTextBlock]) -> Listing:
        first, last = self._bounds(blocks[0]), self._bounds(blocks[-1])
        left = first.left() + blocks[0].layout().lineAt(0).x() - M
        right = self._text.viewport().width()
        rect = QRectF(left, first.top() - S, right - left, last.bottom() - first.top() + 2 * S)
        return Listing(rect, "\n".join(block.text() for block in blocks))

    def quotation_bars(self) -> list[QRectF]:
        """A line beside each quotation, on the side where its text begins."""
        if self._bars is None:
            groups = self._groups(QTextFormat.Property.BlockQuoteLevel.value)
            self._bars = [self._bar(blocks) for blocks in groups]
        return self._bars

    def _bar(self, blocks: list[QTextBlock]) -> QRectF:
        first, last = self._bounds(blocks[0]), self._bounds(blocks[-1])
        is_mirrored = blocks[0].textDirection() == Qt.LayoutDirection.RightToLeft
        line = blocks[0].layout().lineAt(0)
        x = line.x() + line.width() + M if is_mirrored else line.x() - M - _BAR
        return QRectF(first.left() + x, first.top(), _BAR, last.bottom() - first.top())

    def _groups(self, property_id: int) -> Iterator[list[QTextBlock]]:
        """Runs of blocks that have a property."""
        block, group = self._text.document().begin(), []
        while block.isValid():
            if block.blockFormat().hasProperty(property_id):
                group.append(block)
            elif group:
                yield group
                group = []
            block = block.next()
        if group:
            yield group


def _x(value: object) -> float:
    """`cursorToX` gives a pair in some versions of the binding."""
    return float(value[0] if isinstance(value, tuple) else value)  # type: ignore[arg-type]
