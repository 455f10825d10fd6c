"""What a stretch of a document is made of, as the text view draws it: plain values, no widgets.

Blocks and parts come from the catalog. Text between blocks is shown, too: an offset of a citation
must never point at something that is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind

CELL = " | "
"""What keeps the cells of a row apart in the text."""
MAX_CELLS = 2_400
MAX_COLUMNS = 24
_MAIL_LINE = re.compile(r"(From|To|Cc|Date|Subject): ")
_STRETCH = re.compile(r"[^\s](?:[^\n]|\n(?!\s*\n))*")
_LABELLED = frozenset(
    {PartKind.SLIDE, PartKind.SHEET, PartKind.MESSAGE, PartKind.ATTACHMENT, PartKind.PAGE}
)


class Kind(Enum):
    """How a segment is drawn."""

    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()
    CODE = auto()
    TABLE = auto()
    MAIL_HEAD = auto()
    NUMBERED_LINES = auto()
    LABEL = auto()
    """No text of the document: "Slide 3"."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the text, without white space around it; of labels, an empty one."""

    kind: Kind
    start: int
    end: int
    level: int = 0
    part: Part | None = None
    """Of labels."""


@dataclass(frozen=True, slots=True)
class Source:
    """The whole document."""

    text: str
    blocks: Sequence[Block] = ()
    parts: Sequence[Part] = ()

    @property
    def has_line_numbers(self) -> bool:
        """Whether its lines are counted, as those of source code are."""
        return len(self.parts) == 1 and self.parts[0].kind is PartKind.LINES

    def number_of_line_at(self, offset: int) -> int:
        """As an editor counts."""
        return (self.parts[0].number or 1) + self.text.count("\n", 0, offset)


def window(source: Source, focus: int, most: int) -> tuple[int, int]:
    """The stretch of about `most` characters around an offset that is drawn; ends at line ends."""
    length = len(source.text)
    if length <= most:
        return 0, length
    first = max(0, min(focus - most // 2, length - most))
    last = min(length, first + most)
    return _line_end(source.text, first, most // 8), _line_end(source.text, last, most // 8)


def _line_end(text: str, offset: int, reach: int) -> int:
    if offset in {0, len(text)}:
        return offset
    found = text.find("\n", offset, offset + reach)
    return found + 1 if found >= 0 else offset


def segments(source: Source, first: int, last: int) -> Iterator[Segment]:
    """The segments of a stretch in order."""
    if source.has_line_numbers:
        yield Segment(Kind.NUMBERED_LINES, first, last)
        return
    labels = _labels(source.parts, first, last)
    for segment in _of_blocks(source, first, last):
        while labels and labels[0].start <= segment.start:
            yield labels.pop(0)
        yield segment
    yield from labels


def _labels(parts: Sequence[Part], first: int, last: int) -> list[Segment]:
    begin = bisect_left(parts, first, key=lambda part: part.start)
    end = bisect_left(parts, last, key=lambda part: part.start)
    return [
        Segment(Kind.LABEL, part.start, part.start, part=part)
        for part in parts[begin:end]
        if part.kind in _LABELLED
    ]


def _of_blocks(source: Source, first: int, last: int) -> Iterator[Segment]:
    position = first
    begin = bisect_right(source.blocks, first, key=lambda block: block.end)
    for block in source.blocks[begin:]:
        if block.start >= last:
            break
        yield from _unclaimed(source.text, position, min(max(block.start, position), last))
        start, end = max(block.start, position), min(block.end, last)
        if start < end:
            yield _segment(source.text, block, start, end)
        position = max(position, end)
    yield from _unclaimed(source.text, position, last)


def _unclaimed(text: str, start: int, end: int) -> Iterator[Segment]:
    """Text that belongs to no block: a paragraph for each stretch between blank lines."""
    for found in _STRETCH.finditer(text, start, end):
        stretch = found[0].rstrip()
        yield Segment(Kind.PARAGRAPH, found.start(), found.start() + len(stretch))


def _segment(text: str, block: Block, start: int, end: int) -> Segment:
    kind = Kind[block.kind.name]
    if block.kind is BlockKind.PARAGRAPH and _is_mail_head(text[start:end]):
        kind = Kind.MAIL_HEAD
    if block.kind is BlockKind.TABLE and _is_too_much(text[start:end]):
        kind = Kind.CODE
    return Segment(kind, start, end, block.level)


def _is_mail_head(text: str) -> bool:
    lines = text.split("\n")
    return len(lines) > 1 and all(_MAIL_LINE.match(line) for line in lines)


def _is_too_much(text: str) -> bool:
    rows = text.split("\n")
    columns = max(row.count(CELL) for row in rows) + 1
    return columns > MAX_COLUMNS or columns * len(rows) > MAX_CELLS


def lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a span, without their ends."""
    while start <= end:
        stop = text.find("\n", start, end)
        yield start, (end if stop < 0 else stop)
        if stop < 0:
            return
        start = stop + 1


def cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The cells of a row."""
    while True:
        stop = text.find(CELL, start, end)
        yield start, (end if stop < 0 else stop)
        if stop < 0:
            return
        start = stop + len(CELL)
