"""Which stretch of a document's text stands where in the view that shows it.

The view leaves out what only keeps the text's parts apart (line ends between blocks, ` | ` between
cells) and adds what is no text of the document (labels, line numbers). Every stretch that is shown
is a piece; offsets of the text are code points, positions of Qt are UTF-16 units.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

LINE = "\u2028"
"""Breaks a line inside one of Qt's blocks."""
_SHOWN = {
    0x0: "\ufffd",
    0xA: LINE,
    0xD: LINE,
    0x2029: LINE,
    0xFDD0: "\ufffd",
    0xFDD1: "\ufffd",
    0xFFFC: "\ufffd",
}
"""What Qt would drop or take for a sign of its own."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`text[start:end]` is shown from `position` on, letter by letter."""

    start: int
    end: int
    position: int
    units: int
    """How long it is in Qt's positions."""

    @property
    def position_end(self) -> int:
        """Qt's position behind its last letter."""
        return self.position + self.units


def shown(text: str) -> str:
    """The same number of letters, in one of Qt's blocks."""
    return text.replace("\r\n", " \n").translate(_SHOWN)


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) + sum(1 for letter in text if letter > "\uffff")


def gap(text: str) -> str:
    """The text if it only keeps pieces apart, else nothing."""
    return text if not text.strip(" |\n") else ""


class Pieces:
    """In order of the text and of the view, which is the same."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._all: list[Piece] = []

    def __len__(self) -> int:
        return len(self._all)

    def add(self, start: int, end: int, position: int) -> None:
        """A stretch was put into the view."""
        self._all.append(Piece(start, end, position, units(self._text[start:end])))

    def positions(self, start: int, end: int) -> list[tuple[int, int]]:
        """Where a span is shown: a range of positions for each piece it touches."""
        first = bisect_right(self._all, start, key=lambda piece: piece.end)
        found = []
        for piece in self._all[first:]:
            if piece.start >= end:
                break
            left, right = max(piece.start, start), min(piece.end, end)
            found.append((self._position(piece, left), self._position(piece, right)))
        return found

    def position(self, offset: int) -> int:
        """Of the letter at `offset`, or of the first after it that is shown."""
        if not self._all:
            return 0
        found = bisect_right(self._all, offset, key=lambda piece: piece.end)
        piece = self._all[min(found, len(self._all) - 1)]
        return self._position(piece, max(piece.start, min(offset, piece.end)))

    def span(self, begin: int, end: int) -> tuple[int, int] | None:
        """The span of the text that is shown between two positions; `None` for no letter of it."""
        first = bisect_right(self._all, begin, key=lambda piece: piece.position_end)
        last = bisect_left(self._all, end, key=lambda piece: piece.position) - 1
        if first > last:
            return None
        start = self._offset(self._all[first], begin)
        stop = self._offset(self._all[last], end)
        return (start, stop) if start < stop else None

    def offset(self, position: int) -> int:
        """Of the letter at a position, or of the first after it."""
        if not self._all:
            return 0
        found = bisect_right(self._all, position, key=lambda piece: piece.position_end)
        return self._offset(self._all[min(found, len(self._all) - 1)], position)

    def _position(self, piece: Piece, offset: int) -> int:
        return piece.position + units(self._text[piece.start : offset])

    def _offset(self, piece: Piece, position: int) -> int:
        wanted = max(0, min(position - piece.position, piece.units))
        if piece.units == piece.end - piece.start:
            return piece.start + wanted
        passed = 0
        for offset in range(piece.start, piece.end):
            if passed >= wanted:
                return offset
            passed += units(self._text[offset])
        return piece.end
