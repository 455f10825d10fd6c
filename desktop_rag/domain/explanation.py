"""Why each candidate of a search was shown or not: for people who ask "why these sources?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from desktop_rag.domain.documents import ChunkId


class Fate(StrEnum):
    """What became of a candidate."""

    SHOWN = "shown"
    DUPLICATE = "duplicate"
    """Says what a better ranked one says."""
    SIMILAR = "too similar"
    """Not a duplicate, but so much like one that is shown that others go first."""
    WEAK = "below the floor"
    """Hardly about the question."""
    OVER_LIMIT = "over the limit"
    NOT_WORTH_READING = "far below the best"
    """Nobody said how many to show, and it does not compare with the best."""
    REMOVED = "no longer in the library"
    """The index still knew it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a candidate, and because of which other one."""

    fate: Fate
    because_of: ChunkId | None = None
    """The passage that it repeats or is too much like."""
    cosine: float | None = None
    """With that passage."""


@dataclass(frozen=True, slots=True)
class Decision:
    """All that is known of one candidate. Ranks start at 1; `None`: that list does not hold it."""

    chunk: ChunkId
    rank: int
    """By the fused rankings, before tiers and before anything was dropped."""
    score: float
    """Fused; comparable within one search only."""
    similarity: float | None
    """Cosine with the question."""
    dense_rank: int | None
    keyword_score: float | None
    keyword_rank: int | None
    late_score: float | None
    """Late interaction (MaxSim) with the question."""
    late_rank: int | None
    verdict: Verdict
    path: str = ""
    where: str = ""
    """Page or place in the file; empty, as the path, when the document is gone."""
    tier_weight: float = 1.0
    """By which the folder's tier multiplies the score."""
    relevance: float | None = None
    """In [0, 1], see `domain.scoring`."""
    shown_as: int | None = None
    """Its number among the results."""
    matched: tuple[str, ...] = ()
    """Words of what was asked that it holds in some form, as they were typed."""
    read_score: float | None = None
    """By a cross-encoder that read it with the question, any range."""
    read_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a search came to its results."""

    reading: tuple[str, ...] = ()
    """How the query was understood, a line each: its kind, weights, filters, spelling."""
    decisions: tuple[Decision, ...] = ()
    """One a candidate, in the order of the fused rankings."""

    def cut_after(self, count: int) -> Explanation:
        """The same, with only the first `count` results shown.

        What stood behind those that go, and is no better, was not kept out by the limit.
        """
        verdict = Verdict(Fate.NOT_WORTH_READING)
        cut = [one.relevance or 0.0 for one in self.decisions if (one.shown_as or 0) > count]
        best = max(cut, default=-1.0)

        def is_cut(one: Decision) -> bool:
            is_behind = one.verdict.fate is Fate.OVER_LIMIT and one.relevance is not None
            return (one.shown_as or 0) > count or (is_behind and (one.relevance or 0.0) <= best)

        return replace(
            self,
            decisions=tuple(
                replace(one, verdict=verdict, shown_as=None) if is_cut(one) else one
                for one in self.decisions
            ),
        )

    def number_of(self, chunk: ChunkId | None) -> int | None:
        """Under which number a passage is shown."""
        return next((one.shown_as for one in self.decisions if one.chunk == chunk), None)
