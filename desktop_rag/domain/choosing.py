"""From ranked candidates to the passages that are shown: no copies, nothing that is off topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.dedup import Duplicates
from desktop_rag.domain.diversity import ALIKE, Closeness, by_marginal_relevance
from desktop_rag.domain.documents import ChunkId
from desktop_rag.domain.explanation import Fate, Verdict
from desktop_rag.domain.fusion import RRF_K
from desktop_rag.domain.retrieval_rules import RetrievalRules

NEAREST = 3
"""Shown when nothing matches well: enough to see what the library is about instead."""
_DEPTH = 50
"""Places over which the ranking's worth falls from 1 to 0."""
_WINDOW = 20
"""Candidates that are put in a diverse order, or twice as many as are wanted: enough to look past
a crowd, and comparing all of them would take as long as finding them."""

Judge = Callable[[Passage], float]
"""Relevance of a passage in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The passages to show, and what became of the other candidates."""

    passages: tuple[Passage, ...]
    """In order, each with its relevance."""
    is_weak: bool
    """Whether all are below the floor: nothing matches well, these are merely nearest."""
    verdicts: Mapping[ChunkId, Verdict]


def choose(
    ranked: Sequence[Passage],
    judge: Judge,
    closeness: Closeness,
    limit: int,
    rules: RetrievalRules,
) -> Choice:
    """The `limit` best passages without duplicates, in diverse order, above the floor.

    Relevance is asked only of those that come into question: it takes reading the text.

    Args:
        ranked: best first.
        judge: relevance to the question.
        closeness: cosines between the passages.
        limit: at least 1.
        rules: thresholds.
    """
    sieve = _Sieve(Duplicates(closeness, rules.duplicate_above))
    unrepeated = sieve.pass_through(ranked)
    considered = min(max(2 * limit, _WINDOW), _DEPTH) if rules.mmr_lambda < 1 else 0
    window = list(islice(unrepeated, considered))
    diverse = _diverse(window, closeness, rules.mmr_lambda)
    shown: list[Passage] = []
    low: list[Passage] = []
    for passage in chain(diverse, unrepeated):
        judged = replace(passage, relevance=judge(passage))
        # What a name leads to need not be about the question itself.
        is_low = judged.relevance < rules.relevance_floor and not passage.is_linked
        (low if is_low else shown).append(judged)
        if len(shown) == limit:
            break
    is_weak = not shown and bool(low)
    shown = low[: min(NEAREST, limit)] if is_weak else shown
    verdicts = {one.chunk: Verdict(Fate.OVER_LIMIT) for one in ranked}
    verdicts |= _crowded_out(window, shown, closeness) | sieve.verdicts
    verdicts |= {one.chunk: Verdict(Fate.WEAK) for one in low}
    verdicts |= {one.chunk: Verdict(Fate.SHOWN) for one in shown}
    return Choice(tuple(shown), is_weak, verdicts)


@dataclass(slots=True)
class _Sieve:
    """Lets through what repeats nothing, and notes the rest."""

    duplicates: Duplicates
    verdicts: dict[ChunkId, Verdict] = field(default_factory=dict)

    def pass_through(self, ranked: Iterable[Passage]) -> Iterator[Passage]:
        for passage in ranked:
            repeat = self.duplicates.repeated(passage)
            if repeat is None:
                yield passage
            else:
                verdict = Verdict(Fate.DUPLICATE, repeat.of.chunk, repeat.cosine)
                self.verdicts[passage.chunk] = verdict


def _diverse(window: Sequence[Passage], closeness: Closeness, weight: float) -> Iterator[Passage]:
    def cosine(one: int, other: int) -> float | None:
        return closeness.cosine(window[one].chunk, window[other].chunk)

    # Places, not scores: what follows names or is asked for otherwise was put where it belongs.
    scores = [_worth(place) for place in range(1, len(window) + 1)]
    return (window[place] for place in by_marginal_relevance(scores, cosine, weight))


def _worth(place: int) -> float:
    """From 1 for the first place to 0, in the steps of reciprocal ranks."""
    first, last = 1 / (RRF_K + 1), 1 / (RRF_K + _DEPTH)
    return (1 / (RRF_K + place) - last) / (first - last)


def _crowded_out(
    window: Sequence[Passage], shown: Sequence[Passage], closeness: Closeness
) -> dict[ChunkId, Verdict]:
    """Verdicts on those that by score alone would stand before the last one shown."""
    chunks = {one.chunk for one in shown}
    last = max((n for n, one in enumerate(window) if one.chunk in chunks), default=0)
    found: dict[ChunkId, Verdict] = {}
    for passage in window[:last]:
        cosines = [(closeness.cosine(passage.chunk, one), one) for one in chunks - {passage.chunk}]
        known = [(cosine, one) for cosine, one in cosines if cosine is not None]
        if passage.chunk not in chunks and known and max(known)[0] > ALIKE:
            cosine, nearest = max(known)
            found[passage.chunk] = Verdict(Fate.SIMILAR, nearest, cosine)
    return found
