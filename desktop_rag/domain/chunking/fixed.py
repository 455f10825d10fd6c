"""Fixed size: so many tokens, the last of them repeated in the next passage."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from desktop_rag.domain.chunking.material import Material
from desktop_rag.domain.chunking.outline import Section
from desktop_rag.domain.chunking.pieces import Piece
from desktop_rag.domain.documents import Chunk
from desktop_rag.domain.sentences import trimmed


def by_size(material: Material) -> Iterator[Chunk]:
    """All chunks, in order; nothing is crossed but what is left out, and sheets and the like.

    A border falls where the tokens are full, in the middle of a word if need be. That is what this
    way is known for; headings are only named, from where a passage begins.
    """
    starts = [material.blocks[section.first].start for section in material.sections]
    ordinal = 0
    for _, pieces in material.groups(_parts(material), lambda _: material.rules.limit):
        for piece in _windows(material, pieces):
            section = material.sections[bisect_right(starts, piece.start) - 1]
            yield material.chunk(ordinal, section.path, [piece])
            ordinal += 1


def _parts(material: Material) -> list[Section]:
    parts: list[Section] = []
    for section in material.sections:
        if parts and parts[-1].part == section.part:
            parts[-1] = Section((), parts[-1].first, section.last, section.part)
        else:
            parts.append(section)
    return parts


def _windows(material: Material, pieces: list[Piece]) -> Iterator[Piece]:
    starts = [piece.start for piece in pieces]
    start, end = pieces[0].start, pieces[-1].end
    while start < end:
        at = pieces[bisect_right(starts, start) - 1]
        opens = at.opens_block and at.start == start
        whole = Piece(start, end, at.block, at.kind, opens_block=opens)
        most = min(material.rules.target, material.heads.limit(whole))
        if material.tokens.count(start, end) <= most:
            yield whole
            return
        stop = max(material.tokens.fit(start, end, most), start + 1)
        following = max(material.tokens.fit(start, end, most - material.rules.overlap), start + 1)
        first, last = trimmed(material.text, start, stop)
        yield Piece(first, last, at.block, at.kind, opens_block=opens)
        start = trimmed(material.text, following, end)[0]
