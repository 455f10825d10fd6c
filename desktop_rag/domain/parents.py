"""Small to search, larger to read: a short passage is shown with the sentences around it.

A vector is sharpest for few sentences, and a reader wants those before and after. Nothing grows
beyond its section, and a passage that is long enough already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.sentences import sentence_spans

WINDOW_CHARS = 800
"""About 180 tokens: what a default chunk has. `tests/benchmarks/bench_chunking.py` has figures."""
_WORTHWHILE = 0.8
"""A passage that fills so much of the window is left alone."""
_ROWS = re.compile(r"(?:^|, )(?:rows?|lines?) [\d-]+$")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A chunk of the same document, near a passage or the passage's own."""

    ordinal: int
    start: int
    end: int
    section: str
    place: str
    pages: tuple[int, int] | None


def wants_more(passage: Passage, window_chars: int) -> bool:
    """Whether a passage is so short that it should be shown with what is around it."""
    is_whole = not passage.columns and not passage.excerpt
    return is_whole and len(passage.text) < _WORTHWHILE * window_chars


def same_section(own: int, around: Sequence[Neighbour]) -> list[Neighbour]:
    """Those of the chunks that are of the section of chunk `own`, without a gap, in order.

    Args:
        own: ordinal of the passage's chunk; it is among the others.
        around: chunks of one document.
    """
    by_ordinal = {one.ordinal: one for one in around}
    found = [by_ordinal[own]]
    for step in (-1, 1):
        number = own + step
        while (one := by_ordinal.get(number)) is not None and _is_same_part(one, by_ordinal[own]):
            found.append(one)
            number += step
    return sorted(found, key=lambda one: one.start)


def widened(
    passage: Passage, section: Sequence[Neighbour], text: str, window_chars: int
) -> Passage:
    """The passage with whole sentences of its section on both sides, in turn the shorter side.

    Args:
        passage: to be shown.
        section: its chunk and the neighbours it may grow into, in order.
        text: of the document, from the first of them to the last.
        window_chars: how long it may become.
    """
    offset = section[0].start
    spans = [(a + offset, b + offset) for a, b in sentence_spans(text)]
    before = [start for start, _ in spans if start < passage.start]
    after = [end for _, end in spans if end > passage.end]
    start, end = passage.start, passage.end
    while before or after:
        is_before = bool(before) and (not after or start - before[-1] < after[0] - end)
        new = (before.pop(), end) if is_before else (start, after.pop(0))
        if new[1] - new[0] > window_chars:
            break
        start, end = new
    return with_span(passage, section, text[start - offset : end - offset], start)


def with_span(passage: Passage, section: Sequence[Neighbour], text: str, start: int) -> Passage:
    """The passage with another stretch of its document as its text, which begins at `start`."""
    end = start + len(text)
    touched = [one for one in section if one.start < end and one.end > start]
    pages = [number for one in touched if one.pages for number in one.pages]
    return replace(
        passage,
        text=text,
        start=start,
        end=end,
        pages=(min(pages), max(pages)) if pages else passage.pages,
    )


def _is_same_part(one: Neighbour, own: Neighbour) -> bool:
    return one.section == own.section and _ROWS.sub("", one.place) == _ROWS.sub("", own.place)
