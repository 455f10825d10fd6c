"""Reads the model's text: sentences, and the passages each one names."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise

from desktop_rag.domain.citing.sources import Quote
from desktop_rag.domain.facts.statements import Said, said
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.support import Terms, terms

_MARKER = re.compile(
    r"[ \t]*(?:[\[【](?:(?:passage|source|document|nr\.|no\.)\s*)?"
    r"(?P<square>\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\s*[\]】]"
    r"|\((?:passages?|sources?)\s+(?P<round>\d{1,3}(?:\s*(?:[,;–-]|and)\s*\d{1,3})*)\))",
    re.IGNORECASE,
)
_LAYOUT = re.compile(
    r"^[ \t]*(?:(?:[-*+•>]|#{1,6}|\(?\d{1,2}[.)]|[a-z]\))[ \t]+)+|\*+|`+|^\|", re.MULTILINE
)
"""Signs of Markdown and numbers of list items: no part of what is said."""
_BORDER = re.compile(
    r";|,? (?:and|while|whereas|but|und|während|aber|et|tandis que|mais|y|pero) ", re.IGNORECASE
)
_LEAST_WORDS = 2


@dataclass(slots=True)
class Sentence:
    """A sentence of the answer while it is checked."""

    start: int
    end: int
    text: str
    terms: Terms
    said: Said
    named: list[int]
    """Passages (from 0) the model cited."""
    quotes: list[Quote] = field(default_factory=list)
    is_supported: bool = True

    @property
    def is_checkable(self) -> bool:
        """Whether it says anything; "Here is a list:" merely leads on."""
        leads_on = self.text.endswith(":") and not self.said.has_figures
        return not self.terms.is_empty and not leads_on


def split_markers(text: str, passages: int) -> tuple[str, list[tuple[int, list[int]]]]:
    """Text without markers, and (position in it, passages named there), existing ones only."""
    pieces: list[str] = []
    markers: list[tuple[int, list[int]]] = []
    position = length = 0
    for found in _MARKER.finditer(text):
        pieces.append(text[position : found.start()])
        length += len(pieces[-1])
        position = found.end()
        numbers = [int(number) for number in re.findall(r"\d+", found["square"] or found["round"])]
        markers.append((length, [n - 1 for n in numbers if 1 <= n <= passages]))
    pieces.append(text[position:])
    return "".join(pieces), markers


def sentences(
    plain: str, markers: Sequence[tuple[int, list[int]]], known: Set[str]
) -> list[Sentence]:
    """Sentences with the markers that stand in them or directly behind them."""
    bare = _LAYOUT.sub(lambda one: " " * len(one.group()), plain)
    found = [
        Sentence(a, b, bare[a:b], terms(bare[a:b]), said(bare[a:b], known), [])
        for a, b in sentence_spans(bare)
    ]
    for position, numbers in markers:
        owner = next((s for s in reversed(found) if s.start < position), None)
        if owner is not None:
            owner.named += [n for n in numbers if n not in owner.named]
    return found


def clauses(sentence: Sentence, known: Set[str]) -> list[Sentence]:
    """The statements joined in a sentence; each takes over the subject if it names none itself."""
    cuts = [0, *(one.end() for one in _BORDER.finditer(sentence.text)), len(sentence.text)]
    parts: list[Sentence] = []
    for a, b in pairwise(cuts):
        text = sentence.text[a:b]
        words = terms(text)
        if parts and len(words.words) + len(words.numbers) < _LEAST_WORDS:
            parts[-1] = _part(sentence, parts[-1].start, b, known)
        else:
            parts.append(_part(sentence, a, b, known))
    for before, part in pairwise(parts):
        part.said = _with_subject(part.said, before.said)
    return parts


def _part(whole: Sentence, start: int, end: int, known: Set[str]) -> Sentence:
    text = whole.text[start:end]
    return Sentence(start, end, text, terms(text), said(text, known), whole.named)


def _with_subject(part: Said, before: Said) -> Said:
    if part.names or part.codes:
        return part
    return replace(part, names=before.names[:1], codes=before.codes[:1])
