"""Lets passages grow into what is left of a prompt's budget: context helps to read them."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.dedup import join_touching
from desktop_rag.domain.parents import WINDOW_CHARS, same_section, wants_more, widened
from desktop_rag.storage.neighbours import Neighbours


def grown(
    passages: Sequence[Passage],
    neighbours: Neighbours,
    spare_chars: int,
    window_chars: int = WINDOW_CHARS,
) -> list[Passage]:
    """The passages in order, short ones with sentences around them (`domain.parents`).

    Nothing is displaced: they share `spare_chars`. Those that meet become one. About 0.3 ms for
    each that is short.
    """
    short = [one for one in passages if wants_more(one, window_chars)]
    if not short or spare_chars <= 0:
        return list(passages)
    share = spare_chars // len(short)
    windows = {one.chunk: min(window_chars, len(one.text) + share) for one in short}
    return join_touching(
        [
            _grown(one, neighbours, windows[one.chunk]) if one.chunk in windows else one
            for one in passages
        ]
    )


def _grown(passage: Passage, neighbours: Neighbours, window_chars: int) -> Passage:
    own, around = neighbours.of(passage.chunk)
    if not around:
        return passage
    section = same_section(own, around)
    start, end = section[0].start, max(one.end for one in section)
    text = neighbours.text(passage.document, start, end)
    is_current = text[passage.start - start : passage.end - start] == passage.text
    return widened(passage, section, text, window_chars) if is_current else passage
