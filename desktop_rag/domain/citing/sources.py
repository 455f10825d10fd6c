"""Passages as sources: their sentences, what each holds, and the stretch that bears a thing out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.facts.names import Vocabulary, sure_names, vocabulary
from desktop_rag.domain.facts.statements import Held, held
from desktop_rag.domain.naming import file_name
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.support import Terms, support, terms
from desktop_rag.domain.table_rows import Row, rows_of

QUOTE_CHARS = 400
"""A quote grows no longer than this, except that a single sentence is never cut."""
QUOTE_SENTENCES = 3
_GAIN = 0.15
"""What another sentence must add to the support to be quoted as well."""
_QUESTION_WEIGHT = 0.2
"""How much agreement with the question counts between equally supporting places."""
_NEW_NUMBER_WEIGHT = 1.0
"""A number the question did not name is the answer: the quote has to show it."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a passage (offsets into the passage's text) and how well it supports."""

    passage: int
    start: int
    end: int
    support: float


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with its sentences' terms and facts."""

    passage: Passage
    header: str
    """Title, file, section and column names say what the text is about ("Apple", "2023")."""
    terms: Terms
    spans: list[Span]
    span_terms: list[Terms]
    rows: tuple[Row, ...]
    facts: Held
    header_facts: Held
    words: Vocabulary
    names: frozenset[str]
    _facts_of: dict[int, Held] = field(default_factory=dict)

    def sentence(self, index: int) -> str:
        """Text of a sentence."""
        start, end = self.spans[index]
        return self.passage.text[start:end]

    def facts_of(self, index: int) -> Held:
        """What a sentence holds."""
        if index not in self._facts_of:
            self._facts_of[index] = held(self.sentence(index))
        return self._facts_of[index]

    def governing(self, index: int, pick: Callable[[str], frozenset[str]]) -> frozenset[str]:
        """What `pick` finds nearest: in a sentence, else in those before it, else in the header."""
        for at in range(index, -1, -1):
            found = pick(self.sentence(at))
            if found:
                return found
        return pick(self.header)


@lru_cache(maxsize=64)
def source(passage: Passage) -> Source:
    """A passage, prepared. The last ones are kept: a summary checks sentence after sentence."""
    spans = sentence_spans(passage.text) or [(0, len(passage.text))]
    file = file_name(passage.path)
    header = f"{passage.title} · {file} · {passage.section} · {passage.columns}"
    return Source(
        passage=passage,
        header=header,
        terms=terms(f"{header} {passage.text}"),
        spans=spans,
        span_terms=[terms(passage.text[a:b]) for a, b in spans],
        rows=rows_of(passage.text, passage.columns),
        facts=held(passage.text),
        header_facts=_of_header(header),
        words=vocabulary(f"{header}\n{passage.text}"),
        names=sure_names(passage.text) | sure_names(header),
    )


def best_quote(number: int, source: Source, statement: Terms, asked: Terms) -> Quote:
    """The sentence with most support, widened while a neighbour adds to it."""
    first, last = best_stretch(source, statement, asked)
    held_terms = joined(source.span_terms[first : last + 1])
    share = support(statement, held_terms)
    return Quote(number, source.spans[first][0], source.spans[last][1], share)


def best_stretch(source: Source, statement: Terms, asked: Terms) -> tuple[int, int]:
    """First and last sentence of the best quote."""
    new_numbers = statement.numbers - asked.numbers

    def gain(first: int, last: int) -> float:
        held_terms = joined(source.span_terms[first : last + 1])
        shown = len(new_numbers & held_terms.numbers) / len(new_numbers) if new_numbers else 0.0
        agreement = support(statement, held_terms) + _QUESTION_WEIGHT * support(asked, held_terms)
        return agreement + _NEW_NUMBER_WEIGHT * shown

    first = last = max(range(len(source.spans)), key=lambda i: (gain(i, i), -i))
    score = gain(first, last)
    while last - first + 1 < QUOTE_SENTENCES:
        wider = [(gain(a, b), a, b) for a, b in _wider(source, first, last)]
        best = max(wider, default=(0.0, 0, 0))
        if best[0] < score + _GAIN:
            break
        score, first, last = best
    return first, last


def joined(parts: Sequence[Terms]) -> Terms:
    """Terms of several texts together."""
    words = frozenset[str]().union(*(part.words for part in parts))
    return Terms(words, frozenset[str]().union(*(part.numbers for part in parts)))


def years(text: str) -> frozenset[str]:
    """Years a text names."""
    return frozenset(_YEAR.findall(text))


def _wider(source: Source, first: int, last: int) -> Iterator[tuple[int, int]]:
    for a, b in ((first - 1, last), (first, last + 1)):
        is_inside = a >= 0 and b < len(source.spans)
        if is_inside and source.spans[b][1] - source.spans[a][0] <= QUOTE_CHARS:
            yield a, b


def _of_header(header: str) -> Held:
    """A header names years, days and identifiers; its other numbers count nothing."""
    facts = held(header)
    known = years(header)
    return Held(
        quantities=(),
        loose=known,
        decades=frozenset(year[:3] for year in known),
        days=facts.days,
        codes=facts.codes,
        labelled=facts.labelled,
        is_fall=facts.is_fall,
    )
