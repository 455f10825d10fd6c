"""The default: passages along the document's own structure.

Recursive: a section that is too long is cut between blocks, a block between lines or sentences, a
sentence between words. Sections too short to stand alone are joined. Neighbours in running text
share a sentence or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.domain.chunking.material import Material
from desktop_rag.domain.chunking.outline import Section, joined
from desktop_rag.domain.chunking.pieces import Piece
from desktop_rag.domain.documents import BlockKind, Chunk

_RUNNING_TEXT = (BlockKind.PARAGRAPH, BlockKind.LIST)


def by_structure(material: Material) -> Iterator[Chunk]:
    """All chunks, in order."""
    packing = Packing(material)
    ordinal = 0
    for path, pieces in material.groups(_merged(material), packing.most):
        for first, end in packing.spans(pieces):
            yield material.chunk(ordinal, path, pieces[first:end])
            ordinal += 1


def _merged(material: Material) -> list[Section]:
    """Sections too short to stand alone joined with a neighbour, while both fit one chunk."""
    rules, merged = material.rules, list[Section]()

    def size(section: Section) -> int:
        first, last = material.blocks[section.first], material.blocks[section.last - 1]
        return material.tokens.count(first.start, last.end)

    for section in material.sections:
        if merged and merged[-1].part == section.part:
            sizes = size(merged[-1]), size(section)
            is_code = merged[-1].is_code or section.is_code
            least = rules.minimum if is_code else rules.section
            if min(sizes) < least and sum(sizes) <= rules.target:
                merged[-1] = joined(merged[-1], section)
                continue
        merged.append(section)
    return merged


class Packing:
    """Puts pieces together until a chunk is full."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._rules = material.rules
        self._heads = material.heads

    def most(self, number: int) -> int:
        """Tokens of a piece: each leaves room for an overlap or a table head."""
        rules = self._rules
        if self._material.blocks[number].kind is BlockKind.TABLE:
            return min(rules.target, rules.limit - self._heads.budget(number))
        return min(rules.target, rules.limit - rules.table_head) - rules.overlap

    def spans(self, pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
        """Half-open ranges of pieces, one a chunk."""
        first = done = 0
        while done < len(pieces):
            end = self._end(pieces, first, done)
            yield first, end
            done = end
            first = self._overlap_start(pieces, first, end) if end < len(pieces) else end

    def _end(self, pieces: Sequence[Piece], first: int, done: int) -> int:
        """Number of the piece after the last one of the chunk that begins with piece `first`."""
        size, limit = self._material.size, self._heads.limit(pieces[first])
        rest = size(pieces, first, len(pieces))
        if rest <= min(limit, self._rules.target + self._rules.minimum):
            return len(pieces)
        budget = min(self._rules.target, limit)
        if rest < 1.6 * budget:
            budget = int(0.62 * rest)  # two halves read better than a whole and a crumb
        budget = min(budget, limit)
        end = done + 1
        while end < len(pieces) and size(pieces, first, end + 1) <= budget:
            end += 1
        return self._better_break(pieces, first, done, end, budget)

    def _better_break(
        self, pieces: Sequence[Piece], first: int, done: int, end: int, budget: int
    ) -> int:
        """Prefer the border of a block, if the chunk stays reasonably full."""
        for candidate in range(end, done, -1):
            if candidate < len(pieces) and pieces[candidate].opens_block:
                if self._material.size(pieces, first, candidate) >= 0.6 * budget:
                    return candidate
                break
        while end - 1 > done and pieces[end - 1].kind is BlockKind.HEADING:
            end -= 1  # a heading belongs to what follows
        return end

    def _overlap_start(self, pieces: Sequence[Piece], first: int, end: int) -> int:
        """Where the next chunk begins: up to `overlap` tokens of whole sentences earlier."""
        start = end
        while (
            start - 1 > first
            and pieces[start - 1].kind in _RUNNING_TEXT
            and pieces[end].kind in _RUNNING_TEXT
            and self._material.size(pieces, start - 1, end) <= self._rules.overlap
        ):
            start -= 1
        return start
