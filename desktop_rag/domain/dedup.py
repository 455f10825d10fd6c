"""Drops passages that say the same, and joins those that are one stretch of text.

Two versions of one document must both stay visible: passages that differ in a number, a date or a
name are never duplicates, however alike they read, and neither are equal passages of documents
whose titles differ so (the same paragraph in the reports of two quarters).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.support import jaccard, terms

NEARLY_SAME = 0.8
"""Jaccard similarity of word triples from which two passages say the same."""
MAX_JOINED_CHARS = 2000
"""About two chunks of the embedder's size."""
_GAP = 2
_WORDS = re.compile(r"\w+")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÄÖÜÉ][\w-]+")
_COPY = re.compile(r"\s*\(\d+\)|\bcopy\b|\bkopie\b|\.\w{2,5}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Print:
    """What is compared of a passage."""

    plain: str
    triples: frozenset[tuple[str, ...]]
    facts: frozenset[str]
    """Numbers and names of its text."""
    edition: frozenset[str]
    """Numbers of its title: year, quarter, version."""


def drop_duplicates(
    passages: Iterable[Passage], limit: int, threshold: float = NEARLY_SAME
) -> list[Passage]:
    """The first `limit` passages in order, without those that repeat a better ranked one.

    Stops at the limit: comparing a hundred candidates would take longer than finding them.
    """
    kept: list[Passage] = []
    prints: list[_Print] = []
    for passage in passages:
        if len(kept) == limit:
            break
        own = _print(passage)
        if not any(_says_the_same(own, other, threshold) for other in prints):
            kept.append(passage)
            prints.append(own)
    return kept


def join_touching(passages: Sequence[Passage]) -> list[Passage]:
    """Passages in order, with neighbours of a document joined at the better one's rank.

    Neighbouring chunks share a sentence or two; sent separately, a prompt would carry them twice.
    The rest of a table belongs under its first rows. A joined text is again the document's text
    between `start` and `end`, up to `MAX_JOINED_CHARS`: a longer one would have to be cut, and the
    cut may take the very sentence it was found for.
    """
    joined: list[Passage] = []
    by_document: dict[DocumentId, list[int]] = {}
    for passage in passages:
        places = by_document.setdefault(passage.document, [])
        place = next((i for i in places if _belong_together(joined[i], passage)), None)
        if place is None:
            places.append(len(joined))
            joined.append(passage)
        else:
            joined[place] = _joined(joined[place], passage)
    return joined


def _print(passage: Passage) -> _Print:
    words = [word.casefold() for word in _WORDS.findall(passage.text)]
    numbers = terms(passage.text).numbers
    return _Print(
        plain=" ".join(words),
        triples=frozenset(zip(words, words[1:], words[2:], strict=False)),
        facts=numbers | frozenset(name.casefold() for name in _NAME.findall(passage.text)),
        edition=terms(_COPY.sub("", passage.title)).numbers,
    )


def _says_the_same(one: _Print, other: _Print, threshold: float) -> bool:
    if one.edition != other.edition:
        return False
    if one.plain == other.plain:
        return True
    return one.facts == other.facts and jaccard(one.triples, other.triples) >= threshold


def _belong_together(one: Passage, other: Passage) -> bool:
    first, second = sorted((one, other), key=lambda passage: passage.start)
    gap = _GAP if second.columns else -1  # only the rest of a table joins what it merely touches
    is_close = second.start <= first.end + gap
    return is_close and max(first.end, second.end) - first.start <= MAX_JOINED_CHARS


def _joined(better: Passage, other: Passage) -> Passage:
    first, second = sorted((better, other), key=lambda passage: passage.start)
    # Between chunks that only touch, the document has nothing but line breaks.
    between = "\n" * (second.start - first.end)
    tail = second.text[max(0, first.end - second.start) :] if second.end > first.end else ""
    pages = [number for part in (first.pages, second.pages) if part for number in part]
    return replace(
        better,
        text=first.text + between + tail,
        columns=first.columns,
        start=first.start,
        end=max(first.end, second.end),
        section=better.section,
        pages=(min(pages), max(pages)) if pages else None,
        page_label=first.page_label,
    )
