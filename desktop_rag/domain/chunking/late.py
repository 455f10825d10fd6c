"""Late chunking: one long pass of the embedder, a vector for each passage from its own tokens.

After Günther et al. 2024 ("Late Chunking"): every token has seen the text around its passage. This
module says what is read together; the embedder does the pooling (`domain.embedding_text`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_rag.domain.chunking.material import Material
from desktop_rag.domain.chunking.structure import by_structure
from desktop_rag.domain.documents import Chunk


def with_surroundings(material: Material) -> Iterator[Chunk]:
    """Chunks along the structure, each with the text of its pass before and behind it."""
    chunks = list(by_structure(material))
    first = 0
    while first < len(chunks):
        last = first + 1
        while last < len(chunks) and _fits(material, chunks[first], chunks[last]):
            last += 1
        yield from _together(material.text, chunks[first:last])
        first = last


def _fits(material: Material, first: Chunk, last: Chunk) -> bool:
    """Whether both can be read in one pass; those with other headers are of another subject."""
    if first.header != last.header:
        return False
    room = material.rules.room - material.count(first.header)
    return material.tokens.count(first.start, last.end) <= room


def _together(text: str, chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    start, end = chunks[0].start, chunks[-1].end
    for chunk in chunks:
        before, after = text[start : chunk.start], text[chunk.end : end]
        yield replace(chunk, before=before, after=after)
