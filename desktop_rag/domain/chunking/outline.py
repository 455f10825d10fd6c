"""What of a document belongs together: its blocks, in sections under their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.documents import Block, BlockKind, ParsedDocument, Part, PartKind

APART = frozenset(
    {
        PartKind.SLIDE,
        PartKind.SHEET,
        PartKind.MESSAGE,
        PartKind.ATTACHMENT,
        PartKind.CHAPTER,
    }
)
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
        self._apart.sort(key=lambda part: part.start)
        self._passed = 0
        """How many of the parts begin before or at the block looked at."""
        self._around: list[Part] = []
        self._open: list[_Heading] = []
        """Headings that the next block stands under."""
        self._found: list[Section] = []

    def run(self) -> list[Section]:
        has_body = True
        code: tuple[str, ...] = ()
        for number, block in enumerate(self._blocks):
            is_apart = self._enters_part(block) and not self._is_right_below_heading(number)
            part = self._passed
            if block.kind is not BlockKind.HEADING:
                if not self._found or is_apart or block.path != code:
                    path = (*self._titles(), *block.path)
                    self._found.append(Section(path, number, number, part, bool(block.path)))
                code, has_body = block.path, True
                self._found[-1] = replace(self._found[-1], last=number + 1, part=part)
                continue
            self._open_heading(number)
            path, code = self._titles(), ()
            if has_body or is_apart:
                self._found.append(Section(path, number, number + 1, part))
            else:
                self._found[-1] = replace(self._found[-1], path=path, last=number + 1, part=part)
            has_body = False
        return self._found

    def _enters_part(self, block: Block) -> bool:
        """Whether another part begins; the headings of those that ended are closed then.

        A slide without a title does not stand under the title of the slide before.
        """
        before = self._passed
        while self._passed < len(self._apart) and self._apart[self._passed].start <= block.start:
            self._around.append(self._apart[self._passed])
            self._passed += 1
        if self._passed == before:
            return False
        self._around = [part for part in self._around if part.end > block.start]
        self._open = [one for one in self._open if one.until > block.start]
        return True

    def _is_right_below_heading(self, number: int) -> bool:
        """As the first sheet of an attachment is below the attachment's name."""
        return bool(self._open) and self._open[-1].block == number - 1

    def _open_heading(self, number: int) -> None:
        block = self._blocks[number]
        while self._open and self._open[-1].level >= block.level:
            self._open.pop()
        words = " ".join(self._text[block.start : block.end].split())
        until = min((part.end for part in self._around), default=len(self._text))
        self._open.append(_Heading(words, block.level, number, until))

    def _titles(self) -> tuple[str, ...]:
        return tuple(one.words for one in self._open)


@dataclass(frozen=True, slots=True)
class _Heading:
    words: str
    level: int
    block: int
    until: int
    """Where the part it is of ends."""


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(a), len(b)) and a[length] == b[length]:
        length += 1
    return a[:length]
