"""Puts a document's text together block by block, and keeps spans, lines and pages exact.

All readers build their text here, so the rule "a span points into the document's text" is kept in
one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from desktop_rag.domain.documents import Block, BlockKind, Line, Page
from desktop_rag.domain.layout.fragments import Fragment, LayoutBlock, Row
from desktop_rag.domain.layout.rows import glue
from desktop_rag.domain.sentences import ends_sentence
from desktop_rag.domain.text_cleaning import is_broken_word

BLOCK_GAP = "\n\n"
CELL_GAP = " | "


@dataclass(slots=True)
class _OpenPage:
    number: int
    label: str
    width: float
    height: float
    start: int
    end: int
    lines: list[Line] = field(default_factory=list)

    def closed(self) -> Page:
        return Page(
            self.number,
            self.label,
            self.start,
            self.end,
            self.width,
            self.height,
            tuple(self.lines),
        )


class TextAssembler:
    """Grows a text with its blocks. Readers without pages use `add` only."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []

    @property
    def text(self) -> str:
        """Everything written so far."""
        return "".join(self._parts)

    @property
    def length(self) -> int:
        """Characters written so far."""
        return self._length

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks written so far, in order."""
        return tuple(self._blocks)

    def add(self, kind: BlockKind, text: str, level: int = 0, gap: str = BLOCK_GAP) -> None:
        """Append a block after `gap`; blank text adds nothing."""
        if not text.strip():
            return
        self._begin(gap)
        start = self._length
        self._write(text)
        self._blocks.append(Block(kind, start, self._length, level))

    def _begin(self, gap: str) -> None:
        if self._length:
            self._write(gap)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


class PageAssembler(TextAssembler):
    """Builds the text of a document with pages from layout blocks, mending broken words.

    A paragraph that goes on in the next column or on the next page stays one block.
    """

    def __init__(self, real_hyphens: set[str]) -> None:
        super().__init__()
        self._real_hyphens = real_hyphens
        self._pages: list[_OpenPage] = []

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages with their lines."""
        return tuple(page.closed() for page in self._pages)

    def begin_page(self, number: int, label: str, width: float, height: float) -> None:
        """Everything added from now on stands on this page."""
        self._pages.append(_OpenPage(number, label, width, height, self._length, self._length))

    def add_layout(self, block: LayoutBlock, level: int = 0) -> None:
        """Append a block of rows to the current page."""
        page = self._pages[-1]
        is_fresh = not page.lines
        if self._goes_on(block):
            last = self._blocks.pop()
            start = last.start
            self._join(block.rows[0].text)
        else:
            is_list_item = (
                block.kind is BlockKind.LIST
                and bool(self._blocks)
                and (self._blocks[-1].kind is BlockKind.LIST)
            )
            self._begin("\n" if is_list_item else BLOCK_GAP)
            start = self._length
        if is_fresh:
            page.start = self._length
        self._write_rows(block)
        self._blocks.append(Block(block.kind, start, self._length, level))
        page.end = self._length

    def _goes_on(self, block: LayoutBlock) -> bool:
        """Whether `block` is the rest of the paragraph before it (next column, next page)."""
        if block.kind is not BlockKind.PARAGRAPH or not self._blocks:
            return False
        if self._blocks[-1].kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
            return False
        first = block.rows[0].text[:1]
        return first.islower() and not ends_sentence(self._parts[-1])

    def _write_rows(self, block: LayoutBlock) -> None:
        for position, row in enumerate(block.rows):
            if position and block.kind is BlockKind.TABLE:
                self._write("\n")
            elif position:
                self._join(row.text)
            self._write_row(row, CELL_GAP if block.kind is BlockKind.TABLE else " ")

    def _join(self, following: str) -> None:
        """Put a space before the next line, or mend the word that was broken at the hyphen."""
        if self._parts and is_broken_word(self._parts[-1], following, self._real_hyphens):
            self._drop_last_character()
        elif not _is_spaceless(self._parts[-1], following):
            self._write(" ")

    def _drop_last_character(self) -> None:
        self._parts[-1] = self._parts[-1][:-1]
        self._length -= 1
        page = next(page for page in reversed(self._pages) if page.lines)
        page.end = min(page.end, self._length)
        last = page.lines[-1]
        page.lines[-1] = Line(last.start, self._length, last.x0, last.y0, last.x1, last.y1)
        for open_page in self._pages[self._pages.index(page) + 1 :]:
            open_page.start = open_page.end = self._length

    def _write_row(self, row: Row, cell_gap: str) -> None:
        for position, cell in enumerate(row.cells):
            if position:
                self._write(cell_gap)
            self._write_cell(cell)

    def _write_cell(self, cell: Sequence[Fragment]) -> None:
        lines = self._pages[-1].lines
        before: Fragment | None = None
        for fragment in cell:
            if before is not None:
                self._write(glue(before, fragment))
            start = self._length
            self._write(fragment.text)
            lines.append(Line(start, self._length, *fragment.shown))
            before = fragment


def _is_spaceless(before: str, after: str) -> bool:
    """Whether a line break is no space: after a hyphen in a word, between two CJK characters."""
    if len(before) > 1 and before.endswith("-") and before[-2].isalnum():
        return after[:1].isalnum()
    return _is_cjk(before[-1:]) and _is_cjk(after[:1])


def _is_cjk(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
