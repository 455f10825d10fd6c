"""Passages that end where the meaning of neighbouring sentences changes most.

After Kamradt's semantic splitter ("5 levels of text splitting", 2024), with its threshold made
recursive: a run of sentences that is too long is cut at the border its two sides are least alike
at, and so are both halves, until everything fits. No threshold has to be guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import mul

from desktop_rag.domain.chunking.outline import APART
from desktop_rag.domain.documents import Chunk, ParsedDocument
from desktop_rag.domain.parts import line_counter, place_of
from desktop_rag.domain.places import pages_of

TARGET = 200
MINIMUM = 40
"""Tokens below which a passage is not cut off another."""

Vector = Sequence[float]
Sizes = Sequence[tuple[int, int]]
"""Tokens of the header and of the text of each sentence."""


def runs(document: ParsedDocument, sentences: Sequence[Chunk]) -> list[range]:
    """Numbers of sentences that may share a passage: of one section, with no gap between them."""
    borders = {part.start for part in document.parts if part.kind in APART}
    found: list[range] = []
    first = 0
    for number in range(1, len(sentences) + 1):
        pair = sentences[number - 1 : number + 1]
        if len(pair) < 2 or not _belong_together(document, pair[0], pair[1], borders):
            found.append(range(first, number))
            first = number
    return found


def joined_by_meaning(
    document: ParsedDocument,
    sentences: Sequence[Chunk],
    vectors: Sequence[Vector],
    sizes: Sizes,
    most: int,
) -> tuple[Chunk, ...]:
    """The sentences joined to passages, in order.

    Args:
        document: that the sentences are of.
        sentences: chunks of single sentences, in order, without overlap.
        vectors: of unit length, one a sentence.
        sizes: of each sentence.
        most: tokens of a passage with its header.
    """
    spans = [
        span
        for run in runs(document, sentences)
        for span in _cut(run, _likeness(vectors, run), sizes, most)
    ]
    count_lines = line_counter(document.text) if document.parts else None
    chunks: list[Chunk] = []
    for span in spans:
        start, end = sentences[span.start].start, sentences[span.stop - 1].end
        main = max((sentences[n] for n in span), key=lambda chunk: chunk.end - chunk.start)
        chunks.append(
            replace(
                sentences[span.start],
                ordinal=len(chunks),
                end=end,
                text=document.text[start:end],
                kind=main.kind,
                pages=pages_of(document.pages, start, end),
                place=sentences[span.start].place
                and place_of(document.parts, document.text, start, end, count_lines),
            )
        )
    return tuple(chunks)


def _belong_together(
    document: ParsedDocument, before: Chunk, after: Chunk, borders: set[int]
) -> bool:
    return (
        before.section == after.section
        and not document.text[before.end : after.start].strip()
        and not any(start in borders for start in range(before.end, after.start + 1))
    )


def _likeness(vectors: Sequence[Vector], run: range) -> dict[int, float]:
    """For each sentence of the run but its first: how alike it and the one before are (cosine)."""
    return {n: sum(map(mul, vectors[n - 1], vectors[n])) for n in run[1:]}


def _cut(run: range, likeness: dict[int, float], sizes: Sizes, most: int) -> list[range]:
    size = sum(sizes[n][1] for n in run)
    if len(run) < 2 or (size <= TARGET and size + sizes[run.start][0] <= most):
        return [run]
    left, inner = 0, list[int]()
    for number in run[1:]:
        left += sizes[number - 1][1]
        if left >= MINIMUM and size - left >= MINIMUM:
            inner.append(number)
    at = min(inner or run[1:], key=lambda n: likeness[n])
    halves = range(run.start, at), range(at, run.stop)
    return [part for half in halves for part in _cut(half, likeness, sizes, most)]
