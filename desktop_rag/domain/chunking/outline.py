"""What of a document belongs together: its blocks, in sections under their headings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.documents import Block, BlockKind, ParsedDocument, Part, PartKind

APART = frozenset({PartKind.SLIDE, PartKind.SHEET, PartKind.ATTACHMENT, PartKind.CHAPTER})
"""Parts that share no passage, however short they are: a place names one of them."""


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one heading."""

    path: tuple[str, ...]
    first: int
    last: int
    """Half-open range of block numbers."""
    part: int = 0
    """Sections of different parts are never joined."""
    is_code: bool = False


def complete_blocks(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with paragraphs for any text between them, without blank ones."""
    complete: list[Block] = []
    position = 0
    for block in [*blocks, Block(BlockKind.PARAGRAPH, len(text), len(text))]:
        if text[position : block.start].strip():
            complete.append(Block(BlockKind.PARAGRAPH, position, block.start))
        if text[block.start : block.end].strip():
            complete.append(block)
        position = max(position, block.end)
    return complete


def sections(document: ParsedDocument, blocks: Sequence[Block]) -> list[Section]:
    """Group complete blocks under their headings; headings in a row open one section."""
    return _Outline(document, blocks).run()


def joined(before: Section, section: Section) -> Section:
    """Both as one. Two definitions share what is around both; loose lines go with theirs."""
    path = _common(before.path, section.path)
    if before.is_code != section.is_code:
        path = before.path if before.is_code else section.path
    elif not section.is_code:
        path = path or before.path
    is_code = before.is_code or section.is_code
    return Section(path, before.first, section.last, before.part, is_code)


class _Outline:
    def __init__(self, document: ParsedDocument, blocks: Sequence[Block]) -> None:
        self._text = document.text
        self._blocks = blocks
        self._apart = [part for part in document.parts if part.kind in APART]
        self._borders = [part.start for part in self._apart]
        self._open: list[tuple[Block, str]] = []
        """Headings that the next block stands under, with their words."""
        self._found: list[Section] = []

    def run(self) -> list[Section]:
        has_body = True
        code: tuple[str, ...] = ()
        part = -1
        for number, block in enumerate(self._blocks):
            before, part = part, bisect_right(self._borders, block.start)
            is_apart = part != before and self._has_left_parts(block)
            if block.kind is not BlockKind.HEADING:
                if is_apart or block.path != code:
                    path = (*self._titles(), *block.path)
                    self._found.append(Section(path, number, number, part, bool(block.path)))
                code, has_body = block.path, True
                self._found[-1] = replace(self._found[-1], last=number + 1, part=part)
                continue
            self._open_heading(block)
            path, code = self._titles(), ()
            if has_body or is_apart:
                self._found.append(Section(path, number, number + 1, part))
            else:
                self._found[-1] = replace(self._found[-1], path=path, last=number + 1, part=part)
            has_body = False
        return self._found

    def _has_left_parts(self, block: Block) -> bool:
        """Close the headings of parts that ended: a slide without a title has not the last one's.

        False when the block goes on below the headings just before it, as the first sheet of an
        attachment does below the attachment's name.
        """
        before = self._blocks[self._found[-1].last - 1] if self._found else None
        left = [part for part in self._apart if not _holds(part, block)]
        self._open = [one for one in self._open if not any(_holds(p, one[0]) for p in left)]
        return not self._open or self._open[-1][0] is not before

    def _open_heading(self, block: Block) -> None:
        while self._open and self._open[-1][0].level >= block.level:
            self._open.pop()
        words = " ".join(self._text[block.start : block.end].split())
        self._open.append((block, words))

    def _close_left_parts(self, block: Block) -> None:
        """A slide without a title does not stand under the title of the slide before."""
        left = [part for part in self._apart if not _holds(part, block)]
        self._open = [one for one in self._open if not any(_holds(p, one[0]) for p in left)]

    def _titles(self) -> tuple[str, ...]:
        return tuple(words for _, words in self._open)


def _holds(part: Part, block: Block) -> bool:
    return part.start <= block.start < part.end


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return a[:length]
