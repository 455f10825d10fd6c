"""Column titles for passages that begin in the middle of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.chunking.headers import (
    Count,
    names_of_cut_row,
    shortened,
    table_head,
)
from desktop_rag.domain.chunking.pieces import Piece
from desktop_rag.domain.chunking.rules import ChunkingRules
from desktop_rag.domain.documents import Block, BlockKind
from desktop_rag.domain.sentences import line_spans
from desktop_rag.domain.tokens import TokenMap

_HEAD_CHARACTERS = 20_000
"""Of a table that are looked at for its column titles."""


@dataclass(frozen=True, slots=True)
class TableHead:
    """Column titles of a table, and what they may cost in front of a passage from it."""

    rows: tuple[str, ...]
    budget: int


class TableHeads:
    """The heads of a document's tables, found when they are first wanted."""

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        tokens: TokenMap,
        count: Count,
        rules: ChunkingRules,
    ) -> None:
        self._text = text
        self._blocks = blocks
        self._tokens = tokens
        self._count = count
        self._rules = rules
        self._known: dict[int, TableHead] = {}

    def budget(self, number: int) -> int:
        """Tokens the column titles of a block may cost; 0 when it is no table."""
        return self._head(number).budget if self._is_table(number) else 0

    def limit(self, piece: Piece) -> int:
        """Most tokens of text of a passage that begins with this piece."""
        return self._rules.limit - (0 if piece.opens_block else self.budget(piece.block))

    def column_names(self, first: Piece, end: int) -> str:
        """Titles of the columns of a passage up to `end`; empty if it does not go on with a table.

        A passage that begins inside a long row has the row's label and the names of its own cells.
        """
        if first.opens_block or not self._is_table(first.block):
            return ""
        head = self._head(first.block)
        if not head.rows:
            return ""
        block = self._blocks[first.block]
        row_start = self._text.rfind("\n", block.start, first.start) + 1 or block.start
        row = self._text[row_start : _line_end(self._text, row_start, block.end)]
        names = " / ".join(head.rows)
        if first.start - row_start > len(row) - len(row.lstrip()):
            names = names_of_cut_row(head.rows[-1], row, first.start - row_start, end - row_start)
        return shortened(names, head.budget, self._count)

    def _is_table(self, number: int) -> bool:
        return self._blocks[number].kind is BlockKind.TABLE

    def _head(self, number: int) -> TableHead:
        if number not in self._known:
            block = self._blocks[number]
            spans = line_spans(
                self._text, block.start, min(block.end, block.start + _HEAD_CHARACTERS)
            )
            rows = tuple(table_head([self._text[start:end] for start, end in spans]))
            sizes = sorted(self._tokens.count(*span) for span in spans[len(rows) :])
            typical = sizes[len(sizes) // 2] if sizes else 0
            self._known[number] = TableHead(rows, self._budget(rows, typical))
        return self._known[number]

    def _budget(self, rows: Sequence[str], typical: int) -> int:
        """Tokens for column titles: all of them if a typical row still fits beside them.

        A row that does not fit is cut, and then every part needs the names of its own columns.
        """
        if not rows:
            return 0
        names = self._count(" / ".join(rows)) + 1
        if names <= self._rules.table_head:
            return self._rules.table_head
        limit = self._rules.limit
        if names + typical <= limit:
            return names
        share = int(limit * names / (names + typical))
        return max(self._rules.table_head, min(share, limit // 2))


def _line_end(text: str, start: int, end: int) -> int:
    found = text.find("\n", start, end)
    return end if found < 0 else found
