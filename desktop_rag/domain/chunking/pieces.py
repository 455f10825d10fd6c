"""The smallest things that are not cut: sentences, table rows, lines of code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import Block, BlockKind
from desktop_rag.domain.long_runs import left_out
from desktop_rag.domain.sentences import line_spans, sentence_spans, trimmed
from desktop_rag.domain.tokens import TokenMap


@dataclass(frozen=True, slots=True)
class Piece:
    """A span that stays whole, and the block it is of."""

    start: int
    end: int
    block: int
    kind: BlockKind
    opens_block: bool


class Cutter:
    """Cuts the blocks of one text into pieces.

    Args:
        text: of the document.
        blocks: complete ones, see `outline.complete_blocks`.
        tokens: token map of the text.
        most: tokens that a piece of the block with this number may have.
    """

    def __init__(
        self,
        text: str,
        blocks: Sequence[Block],
        tokens: TokenMap,
        most: Callable[[int], int],
    ) -> None:
        self._text = text
        self._blocks = blocks
        self._tokens = tokens
        self._most = most
        self._left_out = left_out(text)
        self._left_out_starts = [start for start, _ in self._left_out]

    def pieces(self, first: int, last: int) -> Iterator[list[Piece]]:
        """Pieces of the blocks `first` to `last` (half open), in groups without gaps.

        What `domain.long_runs` leaves out parts two groups: a chunk is one span.
        """
        pieces = [piece for number in range(first, last) for piece in self._of_block(number)]
        begin = 0
        for number in range(1, len(pieces)):
            before, after = pieces[number - 1].start, pieces[number].start
            if self._left_out_before(before) != self._left_out_before(after):
                yield pieces[begin:number]
                begin = number
        if pieces:
            yield pieces[begin:]

    def _of_block(self, number: int) -> Iterator[Piece]:
        block = self._blocks[number]
        kept = [part for span in self._spans(block) for part in self._kept(*span)]
        most = max(self._most(number), 1)
        cut = [part for span in kept for part in self._cut_words(*span, most)]
        for position, (start, end) in enumerate(cut):
            yield Piece(start, end, number, block.kind, opens_block=position == 0)

    def _spans(self, block: Block) -> list[tuple[int, int]]:
        if block.kind in (BlockKind.TABLE, BlockKind.CODE):
            return line_spans(self._text, block.start, block.end)
        if block.kind is BlockKind.HEADING:
            return [trimmed(self._text, block.start, block.end)]
        return sentence_spans(self._text, block.start, block.end)

    def _left_out_before(self, position: int) -> int:
        """How many stretches that are left out begin up to `position`."""
        return bisect_right(self._left_out_starts, position)

    def _kept(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """`text[start:end]` without what is left out of it."""
        number = max(self._left_out_before(start) - 1, 0)
        while number < len(self._left_out) and self._left_out[number][0] < end:
            left, right = self._left_out[number]
            number += 1
            if start < left:
                yield trimmed(self._text, start, left)
            start = max(start, right)
        if start < end:
            yield trimmed(self._text, start, end)

    def _cut_words(self, start: int, end: int, most: int) -> list[tuple[int, int]]:
        """Cut between words so that no part exceeds `most`; inside a word if there is no gap."""
        parts: list[tuple[int, int]] = []
        while self._tokens.count(start, end) > most:
            cut = max(self._tokens.fit(start, end, most), start + 1)
            gap = _last_gap(self._text, start + (cut - start) // 2, cut)
            cut = gap if gap > start else cut
            part = trimmed(self._text, start, cut)
            if part[1] > part[0]:
                parts.append(part)
            start, end = trimmed(self._text, cut, end)
        if end > start:
            parts.append((start, end))
        return parts


def _last_gap(text: str, start: int, end: int) -> int:
    """Offset after the last white space in `text[start:end]`, or -1."""
    for position in range(end - 1, start - 1, -1):
        if text[position].isspace():
            return position + 1
    return -1
