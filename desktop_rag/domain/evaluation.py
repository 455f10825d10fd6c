"""Test sets, outcomes, and how sure a figure is: intervals over questions by the bootstrap.

Ranking measures themselves come from a library (`services.evaluating`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_rag.domain.answers import Passage

_DRAWS = 1000
_MAX_WORK = 2_000_000
_MIN_DRAWS = 200
_TRUTH = "truth:"
_WORDS = re.compile(r"\w+")
_ENOUGH = 0.5
"""Share of a quote's word triples from which a passage holds it."""

Span = tuple[str, int, int]
"""Characters of a named text or file: name, first, one after the last."""


class TokenScores(NamedTuple):
    """How much of what was found is wanted, of what is wanted was found, and both at once."""

    precision: float
    recall: float
    iou: float


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a corpus that is not files."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer stands: a file, and in it a page, a quote, a span, or anywhere."""

    file: str
    page: int | None = None
    quote: str = ""
    span: tuple[int, int] | None = None
    """Of characters in the text as the program reads it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is relevant to it; with neither grades nor places: unanswerable."""

    id: str
    text: str
    grades: Mapping[str, int] = field(default_factory=dict)
    """By id of a text, all above 0."""
    places: tuple[Place, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """Whether something in the set answers it."""
        return bool(self.grades or self.places)

    @property
    def wanted(self) -> dict[str, int]:
        """Grades by the names that `ranked` gives to what was found."""
        if self.places:
            return {f"{_TRUTH}{number}": 1 for number in range(len(self.places))}
        return dict(self.grades)


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """What is asked of which texts or files."""

    name: str
    questions: tuple[Question, ...]
    texts: tuple[Text, ...] = ()
    files: str = ""
    """Folder of the files, when the set has no texts."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question gave under one set of rules."""

    question: Question
    ranked: tuple[str, ...]
    """Names of what was found, best first, none twice."""
    context: tuple[bool, ...]
    """For each passage an answer would be written from, whether it is relevant."""
    context_recall: float
    """Share of what is relevant that the context holds."""
    is_refused: bool
    timings_ms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over questions and where it lies in 95 of 100 draws of such questions."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much the second of two figures of the same questions is higher than the first."""

    change: Interval
    p: float
    """Two-sided: how often chance alone would give a change as large."""

    @property
    def is_drop(self) -> bool:
        """Whether it is worse beyond what chance explains."""
        return self.change.high < 0

    @property
    def is_gain(self) -> bool:
        """Whether it is better beyond what chance explains."""
        return self.change.low > 0


def interval(values: Sequence[float], seed: int = 0) -> Interval:
    """Mean with its 95 % percentile bootstrap interval (Efron 1979); the same on every run.

    Args:
        values: one a question, at least one.
        seed: of the draws.
    """
    mean = sum(values) / len(values)
    means = _draws(values, seed)
    return Interval(mean, *_middle(means))


def paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Difference:
    """Paired bootstrap of `second - first` over questions (Sakai, SIGIR 2006).

    Args:
        first: values of the questions, in order.
        second: of the same questions, in the same order.
        seed: of the draws.

    Raises:
        ValueError: the lengths differ.
    """
    changes = [b - a for a, b in zip(first, second, strict=True)]
    mean = sum(changes) / len(changes)
    means = _draws(changes, seed)
    # Under the hypothesis of no change the draws are centred on nought.
    extreme = sum(abs(one - mean) >= abs(mean) - 1e-12 for one in means)
    p = (extreme + 1) / (len(means) + 1)
    return Difference(Interval(mean, *_middle(means)), p)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank); nought of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def token_scores(wanted: Sequence[Span], found: Sequence[Span]) -> TokenScores:
    """Token-level precision, recall and intersection over union of spans (Smith & Troynikov 2024).

    As in "Evaluating Chunking Strategies for Retrieval": measured in characters, and what is found
    twice (overlap of chunks) is paid for twice in precision and union, but counts once as found.

    Args:
        wanted: where the answer stands, at least one span that is not empty.
        found: of the passages; order does not matter.

    Raises:
        ValueError: nothing is wanted.
    """
    total = _length(merged(wanted))
    if not total:
        raise ValueError("no span is wanted")
    cost = _length(found)
    hit = _length(merged(found)) + total - _length(merged([*wanted, *found]))
    return TokenScores(hit / cost if cost else 0.0, hit / total, hit / (cost + total - hit))


def merged(spans: Sequence[Span]) -> list[Span]:
    """The same characters as spans that neither overlap nor touch, in order."""
    joined: list[Span] = []
    for name, start, end in sorted(spans):
        if joined and joined[-1][0] == name and start <= joined[-1][2]:
            joined[-1] = (name, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((name, start, end))
    return joined


def _length(spans: Sequence[Span]) -> int:
    return sum(end - start for _, start, end in spans)


def ranked(question: Question, passages: Sequence[Passage], names: Sequence[str]) -> list[str]:
    """What passages stand for, each once, at its best rank.

    Args:
        question: whose relevant places count.
        passages: best first.
        names: of each passage's text or file.

    Returns:
        For graded texts their ids. For places, the place a passage holds, or a name that is
        relevant to nothing.
    """
    if not question.places:
        return list(dict.fromkeys(names))
    found: list[str] = []
    for number, (passage, name) in enumerate(zip(passages, names, strict=True)):
        held = [i for i, place in enumerate(question.places) if holds(passage, name, place)]
        found.extend(f"{_TRUTH}{i}" for i in held)
        if not held:
            found.append(f"other:{number}")
    return list(dict.fromkeys(found))


def is_relevant(question: Question, passage: Passage, name: str) -> bool:
    """Whether a passage of the named text or file helps to answer."""
    if question.places:
        return any(holds(passage, name, place) for place in question.places)
    return name in question.grades


def holds(passage: Passage, name: str, place: Place) -> bool:
    """Whether a passage of the named file holds the place."""
    if name != place.file:
        return False
    if place.span is not None:
        shared = min(passage.end, place.span[1]) - max(passage.start, place.span[0])
        return shared >= _ENOUGH * (place.span[1] - place.span[0]) and shared > 0
    if place.quote:
        return _quotes(passage.text, place.quote)
    if place.page is not None and passage.pages is not None:
        return passage.pages[0] <= place.page <= passage.pages[1]
    return place.page is None


def _quotes(text: str, quote: str) -> bool:
    words, wanted = (_WORDS.findall(one.casefold()) for one in (text, quote))
    if f" {' '.join(wanted)} " in f" {' '.join(words)} ":
        return True
    triples = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    held = triples.intersection(zip(words, words[1:], words[2:], strict=False))
    return bool(triples) and len(held) >= _ENOUGH * len(triples)


def _draws(values: Sequence[float], seed: int) -> list[float]:
    # Many questions need fewer draws: what is drawn varies less the more of them there are.
    count = len(values)
    draws = max(_MIN_DRAWS, min(_DRAWS, _MAX_WORK // count))
    dice = random.Random(seed)
    return sorted(sum(dice.choices(values, k=count)) / count for _ in range(draws))


def _middle(means: Sequence[float]) -> tuple[float, float]:
    last = len(means) - 1
    return means[round(0.025 * last)], means[round(0.975 * last)]
