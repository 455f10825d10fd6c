"""Drops passages that say the same, and joins those that are one stretch of text.

Two versions of one document must both stay visible: passages that differ in a number, a date, a
name or a negation are never duplicates, however alike they read, and neither are equal passages of
documents whose titles differ so (the same paragraph in the reports of two quarters).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.diversity import Closeness
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.support import jaccard, terms
from desktop_rag.domain.terms import FUNCTION_WORDS

NEARLY_SAME = 0.92
"""Cosine of their vectors above which two passages say the same."""
MAX_JOINED_CHARS = 2000
"""About two chunks of the embedder's size."""
_SAME_WORDING = 0.8
"""Jaccard similarity of word triples that stands in where cosines are not known."""
_GAP = 2
_WORDS = re.compile(r"\w+")
_FOLDERS = re.compile(r".*[\\/]", re.DOTALL)
_VERSION = re.compile(
    r"(?<![^\W_])(?:(?:v|ver|version|rev|q)[ ._-]?\d+|(?:19|20)\d\d)(?!\d)"
    r"|(?<![^\W_])(?:rev(?:ision)?|ver(?:sion)?|edition|ausgabe)[ ._-]?[a-z](?![^\W_])",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\(\d+\)|\bcopy\b|\bkopie\b|\.\w{2,5}$", re.IGNORECASE)
# Months and days that are written small (names in English begin large), and what turns a rule
# into its opposite.
_TELLING_WORDS = """
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio aprile maggio giugno luglio settembre dicembre
lundi mardi mercredi jeudi vendredi samedi dimanche
no not never none neither nor without unless except cannot t
nicht nie niemals ohne außer kein keine keinen keinem keiner
pas jamais sans sauf nunca sin senza mai
"""
_TELLING = frozenset(_TELLING_WORDS.split())


@dataclass(frozen=True, slots=True)
class Repeat:
    """A passage that says what a better ranked one says."""

    of: Passage
    cosine: float | None
    """Of their vectors; `None` when their wording alone was compared."""


class Duplicates:
    """Compares each passage with those kept before it.

    Facts are looked at only where vectors are close: comparing all words of a hundred candidates
    would take longer than finding them.

    Args:
        closeness: cosines between passages, as far as they are known.
        above: cosine above which passages are duplicates; above 1: only equal texts are.
    """

    def __init__(self, closeness: Closeness, above: float = NEARLY_SAME) -> None:
        self._closeness = closeness
        self._above = above
        self._kept: list[_Text] = []

    def repeated(self, passage: Passage) -> Repeat | None:
        """What the passage repeats; when nothing, it is kept for those that follow."""
        own = _Text(passage)
        for other in self._kept:
            cosine = self._closeness.cosine(passage.chunk, other.passage.chunk)
            if self._says_the_same(own, other, cosine) and own.edition == other.edition:
                return Repeat(other.passage, cosine)
        self._kept.append(own)
        return None

    def _says_the_same(self, one: _Text, other: _Text, cosine: float | None) -> bool:
        if one.plain == other.plain:
            return True
        if self._above > 1 or (cosine is not None and cosine <= self._above):
            return False
        if cosine is None and jaccard(one.triples, other.triples) < _SAME_WORDING:
            return False
        return one.facts == other.facts


class _Text:
    """What is compared of a passage; what takes long is worked out when it is asked for."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.words = _WORDS.findall(passage.text.casefold())
        self.plain = " ".join(self.words)

    @cached_property
    def triples(self) -> frozenset[tuple[str, ...]]:
        """Every three words in a row."""
        return frozenset(zip(self.words, self.words[1:], self.words[2:], strict=False))

    @cached_property
    def facts(self) -> frozenset[str]:
        """Numbers, names, dates and negations."""
        written = set(_WORDS.findall(self.passage.text))
        names = {word.casefold() for word in written if word[0].isupper()} - FUNCTION_WORDS
        return terms(self.passage.text).numbers | names | (_TELLING & set(self.words))

    @cached_property
    def edition(self) -> frozenset[str]:
        """Numbers of the title: year, quarter, version; what title and file's name call so."""
        file = _FOLDERS.sub("", self.passage.path)
        named = " ".join(dict.fromkeys((file, self.passage.title)))
        versions = {mark.casefold() for mark in _VERSION.findall(named)}
        return terms(_COPY.sub("", self.passage.title)).numbers | versions


def join_touching(passages: Sequence[Passage]) -> list[Passage]:
    """Passages in order, with neighbours of a document joined at the better one's rank.

    Neighbouring chunks share a sentence or two; sent separately, a prompt would carry them twice.
    The rest of a table belongs under its first rows, the rest of a section to its beginning. A
    joined text is again the document's text between `start` and `end`, up to `MAX_JOINED_CHARS`: a
    longer one would have to be cut, and the cut may take the very sentence it was found for.
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


def _belong_together(one: Passage, other: Passage) -> bool:
    first, second = sorted((one, other), key=lambda passage: passage.start)
    # What follows under the same heading, or is the rest of a table, goes on with what it touches.
    is_one_section = first.section != "" and first.section == second.section
    gap = _GAP if second.columns or is_one_section else -1
    is_close = second.start <= first.end + gap
    return is_close and max(first.end, second.end) - first.start <= MAX_JOINED_CHARS


def _joined(better: Passage, other: Passage) -> Passage:
    first, second = sorted((better, other), key=lambda passage: passage.start)
    # Between chunks that only touch, the document has nothing but line breaks.
    between = "\n" * (second.start - first.end)
    tail = second.text[max(0, first.end - second.start) :]
    pages = [number for part in (first.pages, second.pages) if part for number in part]
    return replace(
        better,
        text=first.text + between + tail,
        columns=first.columns,
        start=first.start,
        end=max(first.end, second.end),
        pages=(min(pages), max(pages)) if pages else None,
        page_label=first.page_label,
    )
