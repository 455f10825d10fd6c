"""Decides whether a passage bears a sentence out, and what is wrong when it does not.

Words may differ by half; figures, identifiers and names may not, and neither may what is denied.
What the question named and the sentence leaves out is part of the sentence: "12 kg" under a
question about the HX-250 is no fact about it when the passage speaks of the HX-200.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_rag.domain.citing.locality import (
    codes_like,
    is_governed,
    places,
    speaks_of_another,
    stands_elsewhere,
)
from desktop_rag.domain.citing.neighbours_in_rows import stands_in_other_rows
from desktop_rag.domain.citing.sentences import Sentence
from desktop_rag.domain.citing.sources import Source, best_stretch, joined, years
from desktop_rag.domain.facts.contrasts import contrary, exclusive, missing_extremes, stems
from desktop_rag.domain.facts.denials import drops_exception, is_opposite
from desktop_rag.domain.facts.statements import Said, missing_figures, missing_names, said
from desktop_rag.domain.support import Terms, terms
from desktop_rag.domain.table_rows import are_about
from desktop_rag.domain.tongues import is_foreign

Pick = Callable[[str], frozenset[str]]
SUPPORTED = 0.5
"""Share of a sentence's words a passage must hold to support it."""
_SHORT = 4
"""Words up to which an answer is no sentence of its own but completes the question."""


class Flaw(StrEnum):
    """Why a passage does not support a sentence."""

    WORDS = "words"
    FIGURE = "figure"
    NAME = "name"
    DENIAL = "denial"
    CONTRAST = "contrast"
    TOPIC = "topic"
    """It speaks of something else than the question: another model, another year."""
    ROW = "row"
    UNCHECKED = "unchecked"
    """It is in another language and has nothing to compare."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question, as far as it is part of every answer."""

    terms: Terms
    said: Said
    text: str
    codes: frozenset[str]
    years: frozenset[str]
    numbers: frozenset[str]
    """Readings of its numbers."""
    known: Set[str]
    """Words that are names even where they begin a sentence."""


def asked_for(question: str, known: Set[str]) -> Asked:
    """A question, prepared."""
    found = said(question, known)
    return Asked(
        terms=terms(question),
        said=found,
        text=question,
        codes=frozenset(one.key for one in found.codes),
        years=years(question),
        numbers=frozenset[str]().union(*(one.readings for one in found.quantities)),
        known=known,
    )


def word_share(sentence: Sentence, source: Source) -> float:
    """Share of the sentence's words that the passage and its header hold, in [0, 1]."""
    words = sentence.terms.words
    return len(words & source.terms.words) / len(words) if words else 1.0


def flaws(sentence: Sentence, source: Source, asked: Asked) -> list[Flaw]:
    """What speaks against the passage as the source of a sentence; nothing when it supports it."""
    return list(dict.fromkeys(_flaws(sentence, source, asked)))


def _flaws(sentence: Sentence, source: Source, asked: Asked) -> Iterator[Flaw]:
    figures = missing_figures(_own_figures(sentence, asked), (source.facts, source.header_facts))
    if figures:
        yield Flaw.FIGURE
    strangers = missing_names(sentence.said, source.words)
    if strangers:
        yield Flaw.NAME
    if is_foreign(sentence.text, source.passage.text):
        if not (sentence.said.has_figures or sentence.said.names):
            yield Flaw.UNCHECKED
    else:
        yield from _flaws_of_words(sentence, source, asked)
    if not figures:
        yield from _flaws_of_place(sentence, source, asked)


def _own_figures(sentence: Sentence, asked: Asked) -> Said:
    """Without what merely repeats how many things were asked for: "the two affiliates"."""
    kept = (
        one
        for one in sentence.said.quantities
        if one.unit or not sentence.text[one.start].isalpha() or not one.readings & asked.numbers
    )
    return replace(sentence.said, quantities=tuple(kept))


def _flaws_of_words(sentence: Sentence, source: Source, asked: Asked) -> Iterator[Flaw]:
    new = sentence.terms.words - asked.terms.words
    if word_share(sentence, source) < SUPPORTED:
        yield Flaw.WORDS
    elif new and len(new & source.terms.words) < SUPPORTED * len(new):
        # A sentence that repeats the question proves nothing: what it adds must be there.
        yield Flaw.WORDS
    first, last = best_stretch(source, sentence.terms, asked.terms)
    nearest = max(
        range(first, last + 1),
        key=lambda at: len(source.span_terms[at].words & sentence.terms.words),
    )
    yield from _flaws_of_meaning(sentence, source, asked, (first, last), nearest)


def _flaws_of_meaning(
    sentence: Sentence, source: Source, asked: Asked, stretch: tuple[int, int], nearest: int
) -> Iterator[Flaw]:
    """Whether the best stretch of the source, and its nearest sentence, say the contrary."""
    first, last = stretch
    text = source.sentence(nearest)
    claim = sentence.text
    if len(sentence.terms.words) <= _SHORT:
        # "Tentacles." under "What do they not have?" denies nothing: the question does.
        claim = f"{asked.text.rstrip('? ')} {sentence.text}"
    if is_opposite(claim, text) or drops_exception(sentence.text, text):
        yield Flaw.DENIAL
    if contrary(sentence.terms.words, joined(source.span_terms[first : last + 1]).words):
        yield Flaw.CONTRAST
    if missing_extremes(sentence.text, f"{source.header} {source.passage.text}"):
        yield Flaw.CONTRAST


def _flaws_of_place(sentence: Sentence, source: Source, asked: Asked) -> Iterator[Flaw]:
    topic = joined((sentence.terms, asked.terms))
    if not are_about(source.rows, sentence.terms.numbers - asked.terms.numbers, topic):
        yield Flaw.ROW
    if stands_elsewhere(sentence, source, asked.numbers):
        yield Flaw.ROW
    if stands_in_other_rows(sentence, source, asked.said.names):
        yield Flaw.ROW
    if speaks_of_another(sentence, source, asked.known):
        yield Flaw.NAME
    if _asks_for_another(sentence, source, asked):
        yield Flaw.TOPIC
    found = places(sentence, source, asked.numbers, asked.terms)
    for wanted, pick in _topics(sentence, asked):
        if wanted and not is_governed(source, found, wanted, pick):
            yield Flaw.TOPIC


def _asks_for_another(sentence: Sentence, source: Source, asked: Asked) -> bool:
    """Whether the question names what neither the passage nor its header does.

    A whole sentence that has a name says what it is about.
    """
    if sentence.said.names and len(sentence.terms.words) > _SHORT:
        return False
    if is_foreign(asked.text, source.passage.text):
        return False
    strangers = [name for name in asked.said.names if not source.words.has_name(name)]
    return bool(strangers) and not all(map(source.words.has_like, strangers))


def _topics(sentence: Sentence, asked: Asked) -> Iterator[tuple[Set[str], Pick]]:
    """What the place must speak of, where the text says what it speaks of: the sentence's own
    identifiers and years, else those of the question, and the question's side of a contrast.
    """
    own_codes = frozenset(one.key for one in sentence.said.codes)
    wanted_codes = own_codes or asked.codes
    yield wanted_codes, codes_like(wanted_codes)
    yield years(sentence.text) or asked.years, years
    wanted, against = exclusive(stems(asked.text) - stems(sentence.text))
    yield wanted, lambda text: stems(text) & (against | wanted)
