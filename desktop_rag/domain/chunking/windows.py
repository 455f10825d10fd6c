"""Single sentences: found by what they say, shown with those around them (`domain.parents`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.domain.chunking.material import Material
from desktop_rag.domain.chunking.pieces import Piece
from desktop_rag.domain.documents import BlockKind, Chunk

_BY_LINE = (BlockKind.TABLE, BlockKind.CODE)


def by_sentence(material: Material) -> Iterator[Chunk]:
    """A chunk for each sentence, in order.

    A heading, and what is shorter than the rules' minimum, goes with the sentence that follows;
    rows of tables and lines of code say little alone and come in groups of the target's size.
    """
    ordinal = 0
    for path, pieces in material.groups(material.sections, lambda n: _most(material, n)):
        first = 0
        for end in range(1, len(pieces) + 1):
            if end == len(pieces) or _is_whole(material, pieces, first, end):
                yield material.chunk(ordinal, path, pieces[first:end])
                ordinal, first = ordinal + 1, end


def _most(material: Material, number: int) -> int:
    return material.rules.limit - material.heads.budget(number)


def _is_whole(material: Material, pieces: Sequence[Piece], first: int, end: int) -> bool:
    if material.size(pieces, first, end + 1) > material.heads.limit(pieces[first]):
        return True
    if pieces[end - 1].kind is BlockKind.HEADING:
        return False
    is_by_line = pieces[first].kind in _BY_LINE and pieces[end].kind in _BY_LINE
    wanted = material.rules.target if is_by_line else material.rules.minimum
    return material.size(pieces, first, end) >= wanted
