"""Which passage answers a question, in which words, by what an extractive model says of each.

The model reads the question with one passage at a time and gives the words that answer best, and by
how much they beat "no answer here" (Devlin et al. 2019, section 4.3; Rajpurkar et al. 2018). What
it says of two passages can be compared, so the passage itself is chosen anew here; search puts the
right one first mostly, so one further down must be clearly better.

It was taught on questions whose answer is a few words. Of other questions (why, how does, what is
the purpose) it finds no words though the passage answers, so it is not asked about them.

Measured on 407 answerable and 415 misleading questions on Wikipedia and 54 off-topic ones
(`tests/benchmarks/bench_spotting.py`): where search found the passage, the words hold the answer in
81 % and their sentence in 89 %, from 4 on in 95 %. The margin is higher for the answerable one in
82 % of pairs with misleading questions and 99 % with off-topic ones. Below -3 are 2, 30 and 89 % of
the three kinds, from 4 on 69, 22 and 0 %.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Confidence, Passage, Turn
from desktop_rag.domain.asked_otherwise import is_asked_otherwise
from desktop_rag.domain.excerpts import around
from desktop_rag.domain.fencing import fenced, uncited
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.spans import Span
from desktop_rag.domain.table_cells import CELL

LOOKED_AT = 5
"""Passages, the best first; each costs about 20 ms."""
UNSTATED_BELOW = -3.0
"""Margin below which a passage hardly states the answer: who reads it must be sure it does, and
reads it only if it is the best."""
STATED_FROM = 4.0
"""Margin from which the passage states the answer: no other need be read, nor doubted."""
CERTAIN_FROM = 9.0
"""Margin from which an answer deserves high confidence. Of answers to 140 answerable and 140
misleading questions 18 of 19 with high confidence were right, 70 of 101 with medium, 22 of 88 with
low."""
LIKELY_FROM = 0.0
"""Margin from which the words are the answer if the passages state one: they are quoted then, and a
language model that writes is told them."""
_RANK = 1.0
"""Margin that a passage loses for each one ranked before it."""
_OTHERWISE = 8.0
"""Margin that words lose whose sentence says something other than what was asked."""
_OTHERWISE_AT_MOST = LIKELY_FROM - 0.5
"""What is left of it at most: such a sentence is never quoted unless a language model writes it."""
_SENTENCES_AROUND = 1
_LONGEST_QUOTATION = 320
"""Characters of a sentence and its neighbours."""
_LONGEST_SENTENCE = 400
"""Characters of a sentence that an answer quotes; a table or a list has no full stops."""
_LOOSE = " ,;:–-"
"""What words may begin or end with by mistake."""
_HEDGES = r"\b(?:nobody knows|no one knows|unknown|disputed|allegedly|i think)\b"
_QUALIFIES = re.compile(
    r"\b(?:was|were|is|are|has been|have been) (?:\w+ )?(?:moved|postponed|rejected|withdrawn"
    r"|replaced|cancelled|changed|reduced|raised|corrected|revoked)\b"
    r"|\b(?:rejected|turned (?:it|this|him|her|them) down|do(?:es)? not apply|no longer|unless"
    r"|except|provided that|instead|any more)\b"
    r"|\bfrom (?:\d{1,2}\.? )?(?:january|february|march|april|may|june|july|august|september"
    rf"|october|november|december)\b|{_HEDGES}",
    re.IGNORECASE,
)
"""What takes back or limits the sentence before it."""
_HEDGED = re.compile(_HEDGES, re.IGNORECASE)
_LEADING = r"(?:in|on|at|to|from|for|by|with|of|under|during|after|before)"
_ASKS_FOR_WORDS = re.compile(
    r"\b(?:who|whom|whose|when|where)\b|\bwhat\W*$"
    r"|\bhow (?:many|much|old|long|far|often|tall|high|big|large|fast|deep|wide|heavy)\b"
    rf"|(?:^|,|\b{_LEADING}|\band) ?(?:what|which)\b"
    r"(?! (?:does|do|did|can|could|should|would|will|has|have|had|if|about|happen\w*|to|else)\b"
    r"|,| (?:is|are|was|were) (?:(?:the|an|a|one|some|two|three|main|key) )*"
    r"(?:purpose|difference|benefit|advantage|disadvantage|reason|role|step|result|effect)s?\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Words of a passage that answer, by offsets into its text."""

    passage: Passage
    start: int
    end: int
    margin: float
    """Over "no answer here", in logits, less what speaks against it; 0: as likely as not."""

    @property
    def words(self) -> str:
        """Word for word."""
        return self.passage.text[self.start : self.end]

    def is_in(self, passage: Passage) -> bool:
        """Whether they stand in a passage, which may have been joined with its neighbours."""
        start = self.passage.start + self.start
        same = passage.document == self.passage.document
        return same and passage.start <= start < passage.end


def asks_for_words(question: str) -> bool:
    """Whether a few words can answer: a name, a date, a number, a thing of a kind; in English."""
    return _ASKS_FOR_WORDS.search(question) is not None


def read_as(passage: Passage) -> str:
    """What the model reads of a passage: its document's title, and its text."""
    return f"{passage.title}\n{passage.text}"


def spots_of(question: str, passages: Sequence[Passage], spans: Sequence[Span]) -> tuple[Spot, ...]:
    """The words that answer, best first; of no passage in whose title alone they stand.

    None at all when the best stand in rows: then it is as if no model had looked.

    Args:
        question: as the model read it.
        passages: best first.
        spans: of each of the first ones, as offsets into `read_as`.
    """
    found = []
    for rank, (passage, span) in enumerate(zip(passages, spans, strict=False)):
        before = len(passage.title) + 1
        if span.end > before:
            start, end = max(span.start - before, 0), span.end - before
            spot = Spot(passage, start, end, span.margin - _RANK * rank)
            first, last = sentence_of(spot)
            if is_asked_otherwise(question, passage.text[first:last], passage):
                spot = replace(spot, margin=min(spot.margin - _OTHERWISE, _OTHERWISE_AT_MOST))
            found.append(spot)
    found.sort(key=lambda one: -one.margin)
    return () if found and _is_in_rows(found[0]) else tuple(found)


def _is_in_rows(spot: Spot) -> bool:
    """Whether the words stand in a table, or across lines of a list or of source code.

    The model was taught on prose. Of a row it marks any cell, whatever the column says.
    """
    start, end = sentence_of(spot)
    return CELL in spot.passage.text[start:end] or "\n" in spot.words.strip()


def certainty(spots: Sequence[Spot]) -> Confidence:
    """How far the passages can be trusted to state the answer; HIGH when none was looked at."""
    if not spots:
        return Confidence.HIGH
    if spots[0].margin < STATED_FROM:
        return Confidence.LOW
    return Confidence.MEDIUM if spots[0].margin < CERTAIN_FROM else Confidence.HIGH


def is_stated(spots: Sequence[Spot]) -> bool:
    """Whether the best words answer for sure, so that nobody need doubt it."""
    return bool(spots) and spots[0].margin >= STATED_FROM


def is_likely_in(passages: Sequence[Passage], spots: Sequence[Spot]) -> bool:
    """Whether the best words stand there and answer, if the passages state the answer at all."""
    return bool(spots) and spots[0].margin >= LIKELY_FROM and any(map(spots[0].is_in, passages))


def is_stated_in(passages: Sequence[Passage], spots: Sequence[Spot]) -> bool:
    """The same, and that they stand there."""
    return is_stated(spots) and any(map(spots[0].is_in, passages))


def worth_reading(passages: Sequence[Passage], spots: Sequence[Spot]) -> list[Passage]:
    """Of passages, likeliest first: the first, and those with words that may answer.

    Of 20 questions for which all three best passages were read, in vain mostly, those without such
    words turned none of 19 into a right answer.
    """
    if not spots:
        return list(passages)
    likely = [one for one in spots if one.margin >= UNSTATED_BELOW]
    others = (one for one in passages[1:] if any(spot.is_in(one) for spot in likely))
    return [*passages[:1], *others]


def quotation_of(spot: Spot) -> tuple[int, int]:
    """What an answer quotes for the words: their sentence, with short neighbours on the same line.

    The citation leads to the sentence alone.
    "This does not apply if …" stands in the next one, "for adults over 70 kg" in the one before.
    """
    start, end = sentence_of(spot)
    spans = sentence_spans(spot.passage.text)
    nexts = [one for one in spans if one[0] >= end][:1]
    before = [one for one in spans if one[1] <= start][-1:]
    for first, last in (*nexts, *before):
        wider = min(start, first), max(end, last)
        quoted = spot.passage.text[slice(*wider)]
        if len(quoted) <= _LONGEST_QUOTATION and "\n" not in quoted:
            start, end = wider
    return start, end


def is_qualified(spot: Spot) -> bool:
    """Whether what is quoted takes something of itself back: "it was moved", "nobody knows"."""
    text, (start, end) = spot.passage.text, quotation_of(spot)
    first, last = sentence_of(spot)
    beside = f"{text[start:first]}\n{text[last:end]}"
    return bool(_QUALIFIES.search(beside) or _HEDGED.search(text[first:last]))


def word_for_word(spot: Spot, *, is_led: bool = True) -> str:
    """The answer as the document gives it.

    Args:
        spot: the words that answer.
        is_led: whether they stand in front of the sentences in which they stand.
    """
    start, end = quotation_of(spot)
    text = spot.passage.text
    words, before = " ".join(spot.words.split()), " ".join(text[start : spot.start].split())
    sentence = " ".join(text[start:end].split())
    at = len(before) + bool(before)
    shown = around(sentence, [(at, at + len(words), words)], _LONGEST_SENTENCE).text
    is_led = is_led and sentence.rstrip(".!?") != words
    return uncited(f"{words.strip(_LOOSE)}: “{shown}”" if is_led else f"“{shown}”")


def hinted(turns: Sequence[Turn], hint: str, spots: Sequence[Spot]) -> list[Turn]:
    """The prompt with the words that probably answer at its end, where any do.

    Args:
        turns: the prompt, the question last.
        hint: with `{words}` in it.
        spots: best first.
    """
    if not spots or spots[0].margin < LIKELY_FROM:
        return list(turns)
    words = " ".join(fenced(spots[0].words).replace('"', "'").split())
    last = turns[-1]
    told = replace(last, content=f"{last.content}\n{hint.replace('{words}', words, 1)}")
    return [*turns[:-1], told]


def sentence_of(spot: Spot, around: int = 0) -> tuple[int, int]:
    """Where the sentences stand that hold the words, and so many before and behind them."""
    spans = sentence_spans(spot.passage.text)
    held = [n for n, (first, last) in enumerate(spans) if first < spot.end and spot.start < last]
    if not held:
        return spot.start, spot.end
    first, last = max(held[0] - around, 0), min(held[-1] + around, len(spans) - 1)
    return spans[first][0], spans[last][1]


def excerpt_of(spot: Spot, passage: Passage) -> tuple[tuple[int, int], ...]:
    """What a prompt shows of a passage that holds the words: their sentence and its neighbours."""
    shift = spot.passage.start - passage.start
    start, end = sentence_of(spot, _SENTENCES_AROUND)
    return ((max(start + shift, 0), min(end + shift, len(passage.text))),)
