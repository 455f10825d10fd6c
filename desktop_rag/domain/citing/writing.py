"""Writes the checked answer: citations numbered in order, their numbers before each full stop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.citing.sentences import Sentence
from desktop_rag.domain.citing.sources import QUOTE_CHARS, Quote, Span
from desktop_rag.domain.documents import Box

_TAIL = re.compile(r"[.!?…。！？:;,]+[\"'”’»)]*$")
_LEFT_OVER = re.compile(r"(?<=.)[,;]+")
"""What stood between the model's own numbers: "12 kg. [1], [2], [3]"."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span is: physical page, its printed label, boxes; without pages, slide or rows."""

    page: int | None
    label: str = ""
    boxes: tuple[Box, ...] = ()
    name: str = ""
    """See `domain.parts.place_of`."""


Locate = Callable[[Passage, int, int], Place]
"""Place of the span (start, end) of the passage's document."""


def numbered(
    quotes: Iterable[Sequence[Quote]], passages: Sequence[Passage], locate: Locate
) -> tuple[tuple[Citation, ...], dict[Quote, int]]:
    """Citations in order of appearance, and each quote's number; quotes that touch are one."""
    merged: list[Quote] = []
    numbers: dict[Quote, int] = {}
    for quote in (quote for group in quotes for quote in group):
        index = next((i for i, other in enumerate(merged) if _is_one_place(other, quote)), None)
        if index is None:
            merged.append(quote)
            index = len(merged) - 1
        else:
            known = merged[index]
            start, end = min(known.start, quote.start), max(known.end, quote.end)
            merged[index] = replace(known, start=start, end=end)
        numbers[quote] = index + 1
    citations = (
        citation_of(number, passages[quote.passage], quote.start, quote.end, locate)
        for number, quote in enumerate(merged, start=1)
    )
    return tuple(citations), numbers


def citation_of(number: int, passage: Passage, first: int, last: int, locate: Locate) -> Citation:
    """A citation of the characters from `first` to `last` of a passage's text."""
    start, end = passage.start + first, passage.start + last
    place = locate(passage, start, end)
    return Citation(
        number=number,
        document=passage.document,
        chunk=passage.chunk,
        path=passage.path,
        title=passage.title,
        section=passage.section,
        page=place.page,
        page_label=place.label,
        quote=passage.text[first:last],
        start=start,
        end=end,
        sha256=passage.sha256,
        score=passage.relevance,
        boxes=place.boxes,
        place=place.name,
    )


def rewritten(
    plain: str, sentences: Sequence[Sentence], numbers: dict[Quote, int]
) -> tuple[str, tuple[Span, ...]]:
    """Text with the new numbers before each sentence's full stop, and spans without support."""
    pieces: list[str] = []
    unsupported: list[Span] = []
    position = length = 0
    for sentence in sentences:
        own = list(dict.fromkeys(numbers[quote] for quote in sentence.quotes))
        written = _with_numbers(plain[sentence.start : sentence.end], own)
        pieces += [plain[position : sentence.start], written]
        begin = length + sentence.start - position
        length = begin + len(written)
        position = sentence.end
        if not sentence.is_supported:
            unsupported.append((begin, length))
    pieces.append(plain[position:])
    return "".join(pieces), tuple(unsupported)


def _is_one_place(known: Quote, quote: Quote) -> bool:
    if known.passage != quote.passage:
        return False
    if known.start <= quote.start and quote.end <= known.end:
        return True
    joined = max(known.end, quote.end) - min(known.start, quote.start)
    is_touching = quote.start <= known.end + 2 and known.start <= quote.end + 2
    return is_touching and joined <= 2 * QUOTE_CHARS


def _with_numbers(sentence: str, numbers: Sequence[int]) -> str:
    if not numbers:
        return sentence
    marks = " " + "".join(f"[{number}]" for number in numbers)
    tail = _TAIL.search(sentence)
    cut = tail.start() if tail else len(sentence)
    return sentence[:cut].rstrip() + marks + _LEFT_OVER.sub("", sentence[cut:])
