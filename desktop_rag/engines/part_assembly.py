"""Text with parts: slides, chapters, notes, comments. For the readers of formats without pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from desktop_rag.domain.assembly import CELL_GAP, TextAssembler
from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind


class PartAssembler(TextAssembler):
    """A `TextAssembler` that remembers which blocks belong to which part, and counts tables."""

    def __init__(self) -> None:
        super().__init__()
        self._parts_found: list[Part] = []
        self.tables = 0
        """Tables written so far."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """Parts closed so far, by their start; a part comes before those inside it."""
        return tuple(sorted(self._parts_found, key=lambda part: (part.start, -part.end)))

    @property
    def last_kind(self) -> BlockKind | None:
        """Kind of the last block, `None` before the first."""
        return self._blocks[-1].kind if self._blocks else None

    @contextmanager
    def part(self, kind: PartKind, name: str = "", number: int = 0) -> Iterator[None]:
        """Blocks added meanwhile are the part. Without any there is no part."""
        first = len(self._blocks)
        yield
        self.close_part(kind, first, name, number)

    def close_part(self, kind: PartKind, first: int, name: str = "", number: int = 0) -> None:
        """Blocks from number `first` (from 0) on are a part; nothing happens without any."""
        if len(self._blocks) > first:
            start, end = self._blocks[first].start, self._blocks[-1].end
            self._parts_found.append(Part(kind, start, end, name[:200], number))

    def add_item(self, text: str, mark: str = "- ", depth: int = 0) -> None:
        """Append a list item, on a line of its own right after the item before."""
        gap = "\n" if self.last_kind is BlockKind.LIST else "\n\n"
        self.add(BlockKind.LIST, "  " * min(depth, 8) + mark + text, gap=gap)

    def add_table(self, rows: list[list[str]]) -> None:
        """Append a table, one row a line; rows without text are left out."""
        lines = [CELL_GAP.join(row) for row in rows if any(cell.strip() for cell in row)]
        if lines:
            self.tables += 1
            self.add(BlockKind.TABLE, "\n".join(lines))

    def append(self, text: str, blocks: tuple[Block, ...]) -> None:
        """Append another document's text and blocks whole."""
        if not text.strip():
            return
        self._begin("\n\n")
        start = self._length
        self._write(text)
        self._blocks.extend(Block(b.kind, b.start + start, b.end + start, b.level) for b in blocks)
        self.tables += sum(1 for b in blocks if b.kind is BlockKind.TABLE)
