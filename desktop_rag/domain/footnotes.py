"""Footnotes to what is quoted: an exception, more often than not, that a short answer leaves out.

A mark behind a word (`4 g.*`, `every 4 hours.[^1]`) belongs to the one line nearby that begins with
it. Where several do, they are items of a list and say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import DocumentId

_MARK = re.compile(r"(?<=[^\s*])(\*{1,3}|[†‡]{1,2}|[¹²³⁴⁵⁶⁷⁸⁹]|\[\^[^\]\s]{1,20}\])(?=[\s.,;:)]|$)")
_NEARBY_CHARS = 4000
"""How far below a footnote stands: about a page."""
_LONGEST_CHARS = 400


def footnotes_to(
    citations: Sequence[Citation], text_of: Callable[[DocumentId], str]
) -> tuple[str, ...]:
    """`Footnote to [1]: “…”` for each that the quotes bear a mark of and do not hold themselves.

    Args:
        citations: of an answer.
        text_of: the text of a document, which the citations' offsets are into.
    """
    quoted = " ".join(citation.quote for citation in citations)
    told: dict[str, str] = {}
    for one in citations:
        text = text_of(one.document)
        # The sentence may end before its mark.
        for note in _notes(text, one.start, min(one.end + 1, len(text))):
            if note not in quoted:
                told.setdefault(note, f"Footnote to [{one.number}]: “{note}”")
    return tuple(told.values())


def _notes(text: str, start: int, end: int) -> Iterator[str]:
    below = text[end : end + _NEARBY_CHARS]
    for mark in dict.fromkeys(_MARK.findall(text[start:end])):
        line = rf"^[ \t]*{re.escape(mark)}(?![*†‡])[ \t]*:?[ \t]*(\S.*)$"
        notes = re.findall(line, below, re.MULTILINE)
        if len(notes) == 1 and len(notes[0]) <= _LONGEST_CHARS:
            yield " ".join(notes[0].split())
