"""Test sets, outcomes, and how sure a figure is: intervals over questions by the bootstrap.

Ranking measures themselves come from a library (`services.evaluating`); what a passage counts for
is decided in `relevance`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_CHANCE = 0.05
_DRAWS = 1000
_MAX_WORK = 2_000_000
_MIN_DRAWS = 200
TRUTH = "truth:"
"""Before the number of a place, where places are ranked like texts."""

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
    """Where an answer stands: a file, and in it pages, a quote, a span, or anywhere."""

    file: str
    pages: tuple[int, ...] = ()
    """Any of these, from 1."""
    quote: str = ""
    span: tuple[int, int] | None = None
    """Of characters in the text as the program reads it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is relevant to it; with neither grades nor places: unanswerable.

    So is one that is marked so: what is relevant then only seems to answer it.
    """

    id: str
    text: str
    grades: Mapping[str, int] = field(default_factory=dict)
    """By id of a text, all above 0."""
    places: tuple[Place, ...] = ()
    answers: tuple[str, ...] = ()
    """In words, where somebody wrote them down; any will do."""
    is_misleading: bool = False

    @property
    def is_answerable(self) -> bool:
        """Whether something in the set answers it."""
        return bool(self.grades or self.places) and not self.is_misleading

    @property
    def wanted(self) -> dict[str, int]:
        """Grades by the names that `ranked` gives to what was found."""
        if self.places:
            return {f"{TRUTH}{number}": 1 for number in range(len(self.places))}
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
    tokens: Mapping[int, TokenScores]
    """Of the passages down to each rank; empty unless spans say what is relevant."""
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
        return self.change.high < 0 and self.p < _CHANCE

    @property
    def is_gain(self) -> bool:
        """Whether it is better beyond what chance explains."""
        return self.change.low > 0 and self.p < _CHANCE


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


def _draws(values: Sequence[float], seed: int) -> list[float]:
    # Many questions need fewer draws: what is drawn varies less the more of them there are.
    count = len(values)
    draws = max(_MIN_DRAWS, min(_DRAWS, _MAX_WORK // count))
    dice = random.Random(seed)
    return sorted(sum(dice.choices(values, k=count)) / count for _ in range(draws))


def _middle(means: Sequence[float]) -> tuple[float, float]:
    last = len(means) - 1
    return means[round(0.025 * last)], means[round(0.975 * last)]
