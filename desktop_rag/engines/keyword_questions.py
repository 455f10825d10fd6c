"""One question at the keyword index: what its words are worth, are made of, and may have meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from desktop_rag.domain.spelling import LEAST_LETTERS, Correction, is_correctable
from desktop_rag.engines.analysis import Analyzer, Forms
from desktop_rag.engines.compounds import LANGUAGES as COMPOUNDING
from desktop_rag.engines.compounds import compounds, halves
from desktop_rag.engines.keyword_segments import (
    BaseSegment,
    DeltaSegment,
    Ids,
    Mask,
    Postings,
    Statistics,
    add_scores,
    idf,
)
from desktop_rag.engines.sorted_numbers import is_member
from desktop_rag.engines.vocabulary import Vocabulary

IsWord = Callable[[str], bool]

HALF_WEIGHT = 0.5
"""Of half a compound. nDCG@10 of German XQuAD: 0.938 without, 0.945 with 0.5, the same with 0.7."""
_CORRECTED_WEIGHT = 0.7
"""Of a word that was not typed so."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A segment and which of its rows are searched."""

    segment: BaseSegment | DeltaSegment
    ids: Ids
    lengths: Ids
    mask: Mask

    @classmethod
    def of(cls, segment: BaseSegment | DeltaSegment, among: Ids | None) -> Searched:
        """A segment for one search; `among` (ascending) names the only chunks, `None`: all."""
        mask = segment.alive
        if among is not None:
            mask = mask & is_member(segment.ids, among)
        return cls(segment, segment.ids, segment.lengths, mask)

    def postings(self, word: str) -> Postings:
        """Where a term stands, of what is searched."""
        return self.segment.postings(word).among(self.mask)

    def rows_with(self, words: Sequence[Forms]) -> Mask:
        """Which rows hold each of the words in one of its forms."""
        found = np.ones(len(self.mask), bool)
        for forms in words:
            holds = np.zeros(len(self.mask), bool)
            for term, _ in forms:
                holds[self.segment.postings(term).rows] = True
            found &= holds
        return found


class Scoring:
    """Adds up what the words of a question are worth, by segment and row."""

    def __init__(self, segments: Sequence[Searched], statistics: Statistics) -> None:
        self._segments = segments
        self._statistics = statistics
        self._found: dict[str, list[Postings]] = {}
        self.scores = [np.zeros(len(segment.mask), dtype=np.float32) for segment in segments]
        self.possible = 0.0
        """What no chunk exceeds, however often it holds the words, in one form each."""

    def add(self, forms: Forms) -> tuple[str, bool]:
        """The first term of a word that exists, else its first one; whether it exists."""
        fresh = [(term, weight) for term, weight in forms if term not in self._found]
        for term, _ in fresh:
            self._found[term] = [one.postings(term) for one in self._segments]
        known = [one for one in forms if self._frequency(one[0])]
        for term, weight in fresh:
            self._score(term, weight * self._idf(term))
        first, weight = known[0] if known else forms[0]
        if any(first == term for term, _ in fresh):
            self.possible += weight * self._idf(first)
        return first, bool(known)

    def _score(self, term: str, worth: float) -> None:
        """Add what a term is worth to each row that holds it."""
        for segment, one, total in zip(self._segments, self._found[term], self.scores, strict=True):
            add_scores(total, one, segment.lengths, self._statistics, worth)

    def _idf(self, term: str) -> float:
        return idf(self._statistics.documents, self._frequency(term))

    def _frequency(self, term: str) -> int:
        return sum(len(one.rows) for one in self._found[term])


class Compounding:
    """Compounds of one question, in languages that write them as one word.

    Of a question whose language nothing tells, only words that the index lacks are looked at.
    """

    def __init__(
        self,
        segments: Sequence[Searched],
        analyzer: Analyzer,
        language: str,
        held: Sequence[str],
    ) -> None:
        self._segments = segments
        self._analyzer = analyzer
        self._is_told = bool(language)
        self.languages = [one for one in held if one in COMPOUNDING and language in ("", one)]

    def halves_of(self, words: Sequence[str]) -> list[str]:
        """Terms that the words are made of."""
        return [
            half
            for language in self.languages
            for word in words
            if self._is_told or not self._term(word, language)
            for half in halves(word.lower(), partial(self._term, language=language))
        ]

    def made_of(self, words: Sequence[str]) -> Forms:
        """Terms that two of the words make, with their weight."""
        if not (self._is_told and self.languages):
            return ()
        wanted = [word for word in words if self._analyzer.stem(word, self.languages[0])]
        term = partial(self._term, language=self.languages[0])
        return tuple((one, 1.0) for one in compounds(wanted, term))

    def _term(self, word: str, language: str) -> str:
        term = self._analyzer.stem(word, language)
        return term if any(one.segment.has(term) for one in self._segments) else ""


@dataclass(frozen=True, slots=True)
class Speller:
    """Looks for misspelled words of one question."""

    segments: Sequence[Searched]
    analyzer: Analyzer
    languages: Sequence[str]
    vocabulary: Vocabulary
    is_right: IsWord

    def corrections(self, asked: Sequence[str]) -> list[Correction]:
        """Words as typed, each with what the documents write."""
        found: list[Correction] = []
        for word, following in zip(asked, [*asked[1:], ""], strict=False):
            if not is_correctable(word) or self._is_known(word):
                continue
            joined = self._in_use(word + following) if is_correctable(following) else None
            if joined:
                found.append((f"{word} {following}", joined))
            elif self.is_right(word):
                continue
            elif held := self._near(word, 1) or self._split(word) or self._near(word, 2):
                found.append((word, held))
        return found

    def _is_known(self, word: str) -> bool:
        asked = self.analyzer.question(word, self.languages)
        terms = [term for forms in asked for term, _ in forms]
        return not terms or any(one.segment.has(term) for term in terms for one in self.segments)

    def _near(self, word: str, distance: int) -> str | None:
        """The most widespread; of equals one that is as long: letters are swapped more often."""
        near = [one for one, away in self.vocabulary.nearest(word) if away == distance]
        ranked = [(self._spread(one), len(one) == len(word), one) for one in near]
        return max((one for one in ranked if one[0]), default=(0, False, None))[2]

    def _split(self, word: str) -> str | None:
        least = LEAST_LETTERS
        cuts = [(word[:at], word[at:]) for at in range(least, len(word) - least + 1)]
        halves = [pair for pair in cuts if all(self._in_use(half) for half in pair)]
        best = max(halves, key=lambda pair: min(map(self._spread, pair)), default=None)
        return " ".join(best).lower() if best else None

    def _in_use(self, word: str) -> str | None:
        return word.lower() if word in self.vocabulary and self._spread(word) else None

    def _spread(self, word: str) -> int:
        """In how many chunks a word stands, in any form; function words are in all."""
        asked = self.analyzer.question(word, self.languages)
        if not asked:
            return sum(len(one.mask) for one in self.segments)
        return min(
            sum(len(one.postings(term).rows) for term, _ in forms for one in self.segments)
            for forms in asked
        )


def weakened(forms: Forms) -> Forms:
    """The terms of a corrected word: worth less than those of one that was typed."""
    return tuple((term, weight * _CORRECTED_WEIGHT) for term, weight in forms)
