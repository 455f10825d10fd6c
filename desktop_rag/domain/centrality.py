"""Which sentences say what a text is about: a summary in its own words, without any model.

A sentence is as central as it is like all others: degree centrality of LexRank with continuous
weights (Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text
Summarization", 2004, section 3.2). The cosines of a sentence with all others add up to its product
with the sum of all vectors, so the whole costs as much as reading the text once: 0.5 s for 340
pages, against minutes for comparing each with each.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.sentences import ends_sentence, sentence_spans
from desktop_rag.domain.support import jaccard, terms

_FEWEST_WORDS, _MOST_WORDS = 4, 45
"""Content words of a sentence that can stand alone: no heading, no list of everything."""
_REPEATS = 0.5
"""Shared part of two sentences' words from which the second says nothing new."""
_MOST_REPEATS = 2
"""A sentence that stands in more places is boilerplate."""
_LEANING = re.compile(
    r"(?:this|that|these|those|they|it|its|he|she|his|her|such|there|then|thus|therefore|however|"
    r"also|but|and|so|dies\w*|jene\w*|er|sie|es|aber|und|auch|dann|cel\w+|ce(?:tte|s)?|ils?|elles?)\b",
    re.IGNORECASE,
)
_LEANS = 0.6
"""Worth of a sentence that leans on the one before it."""
_SAME_GROUP = 0.6
"""What each sentence already taken from a section takes off the worth of its next one."""
_OPENING = 1.3
"""A document says first what it is about (the lead baseline of summarisation)."""
_OPENING_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a passage that can stand alone."""

    passage: int
    """Index of the passage."""
    start: int
    end: int
    """Half-open offsets into the passage's text."""
    words: frozenset[str]
    group: tuple[int, str]
    """Document and section: a summary covers many."""
    leans: bool = False
    """It points at something said before."""


def statements_of(passages: Sequence[Passage]) -> list[Statement]:
    """The sentences of passages in order; lines that end without a stop where nothing else is."""
    found = [one for number, passage in enumerate(passages) for one in _stated(number, passage)]
    repeats = Counter(_text(one, passages) for one in found)
    found = [one for one in found if repeats[_text(one, passages)] <= _MOST_REPEATS]
    prose = [one for one in found if ends_sentence(_text(one, passages))]
    return prose or found


def centralities(statements: Sequence[Statement]) -> list[float]:
    """How central each statement is, in [0, 1] for one like all others."""
    spread = Counter(word for one in statements for word in one.words)
    weight = {word: math.log(1 + len(statements) / count) for word, count in spread.items()}
    lengths = [math.sqrt(sum(weight[word] ** 2 for word in one.words)) for one in statements]
    total: defaultdict[str, float] = defaultdict(float)
    for one, length in zip(statements, lengths, strict=True):
        for word in one.words:
            total[word] += weight[word] / length
    return [
        sum(weight[word] * total[word] for word in one.words) / (length * len(statements))
        for one, length in zip(statements, lengths, strict=True)
    ]


def most_central(statements: Sequence[Statement], count: int) -> list[Statement]:
    """The `count` statements that say most about the whole, in order, none of them twice.

    Taken one by one; a section counts less with each that was taken from it.
    """
    worth = _worth(statements)
    taken: list[Statement] = []
    groups: Counter[tuple[int, str]] = Counter()
    left = sorted(range(len(statements)), key=lambda n: -worth[n])
    while left and len(taken) < count:
        best = max(left[: 4 * count], key=lambda n: _now(worth[n], groups[statements[n].group]))
        left.remove(best)
        if all(jaccard(statements[best].words, one.words) < _REPEATS for one in taken):
            taken.append(statements[best])
            groups[statements[best].group] += 1
    return sorted(taken, key=lambda one: (one.passage, one.start))


def by_centrality(passages: Sequence[Passage]) -> Callable[[Sequence[int]], float]:
    """A judge of stretches of the passages (indexes): the worth of their best statements."""
    statements = statements_of(passages)
    best: dict[int, float] = {}
    for one, worth in zip(statements, centralities(statements), strict=True):
        best[one.passage] = max(best.get(one.passage, 0.0), worth)

    def worth_of(numbers: Sequence[int]) -> float:
        return max((best.get(number, 0.0) for number in numbers), default=0.0)

    return worth_of


def _worth(statements: Sequence[Statement]) -> list[float]:
    """Centrality, with more for the opening sentences of each document."""
    seen: Counter[int] = Counter()
    worth = []
    for one, central in zip(statements, centralities(statements), strict=True):
        is_opening = seen[one.group[0]] < _OPENING_SENTENCES
        worth.append(central * (_OPENING if is_opening else 1.0) * (_LEANS if one.leans else 1.0))
        seen[one.group[0]] += 1
    return worth


def _now(worth: float, taken_from_group: int) -> float:
    return worth * _SAME_GROUP**taken_from_group


def _stated(number: int, passage: Passage) -> Iterator[Statement]:
    for start, end in sentence_spans(passage.text):
        words = terms(passage.text[start:end]).words
        if _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
            group = (passage.document, passage.section)
            leans = _LEANING.match(passage.text, start) is not None
            yield Statement(number, start, end, words, group, leans)


def _text(statement: Statement, passages: Sequence[Passage]) -> str:
    return passages[statement.passage].text[statement.start : statement.end]
