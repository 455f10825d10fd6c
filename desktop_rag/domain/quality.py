"""How well the program serves its person: figures over time. Plain arithmetic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from desktop_rag.domain.evaluation import Outcome, interval, percentile

_CUTOFF = 10


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """One search of the log."""

    time: str
    """UTC, ISO 8601."""
    search_ms: float
    is_found: bool


@dataclass(frozen=True, slots=True)
class Spread:
    """Of several times: half of them, and nineteen of twenty, were at most so long."""

    count: int
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Day:
    """The searches of a day."""

    day: date
    searches: Spread
    without_result: float
    """Share from 0 to 1."""


def spread(times_ms: Sequence[float]) -> Spread:
    """Median and 95th percentile (nearest rank); noughts of none."""
    return Spread(len(times_ms), percentile(times_ms, 0.5), percentile(times_ms, 0.95))


def share_without_result(searches: Sequence[SearchRecord]) -> float:
    """Share of searches that found nothing; nought of none."""
    return sum(not one.is_found for one in searches) / len(searches) if searches else 0.0


def by_day(searches: Sequence[SearchRecord], zone: tzinfo | None = None) -> list[Day]:
    """Days that have searches, oldest first, in the person's time zone unless another is named.

    Entries whose time cannot be read are left out.
    """
    days: defaultdict[date, list[SearchRecord]] = defaultdict(list)
    for one in searches:
        try:
            days[datetime.fromisoformat(one.time).astimezone(zone).date()].append(one)
        except ValueError:
            continue
    return [
        Day(day, spread([one.search_ms for one in some]), share_without_result(some))
        for day, some in sorted(days.items())
    ]


def retrieval_figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """What the answerable questions gave; the same measures as `desktop-rag eval` by other means.

    `first` and `five` are the shares whose place is the first, or among the first five, that was
    found, the latter with its 95 % interval; `mrr` is the mean of 1 / rank down to rank ten;
    `without_result` the share for which the program says that it found nothing.

    Raises:
        ValueError: none of the questions is answerable.
    """
    asked = [one for one in outcomes if one.question.is_answerable]
    if not asked:
        raise ValueError("no question has an answer")
    ranks = [_rank(one) for one in asked]
    five = interval([float(0 < rank <= 5) for rank in ranks])
    times = spread([one.timings_ms["total"] for one in outcomes if "total" in one.timings_ms])
    return {
        "questions": float(len(asked)),
        "first": sum(rank == 1 for rank in ranks) / len(ranks),
        "five": five.mean,
        "five_low": five.low,
        "five_high": five.high,
        "mrr": sum(1 / rank for rank in ranks if 0 < rank <= _CUTOFF) / len(ranks),
        "without_result": sum(one.is_refused for one in asked) / len(asked),
        "search_p50_ms": times.p50_ms,
        "search_p95_ms": times.p95_ms,
    }


def _rank(outcome: Outcome) -> int:
    """Of the first place that is wanted, from 1; nought when none was found."""
    wanted = outcome.question.wanted
    return next((n for n, name in enumerate(outcome.ranked, 1) if name in wanted), 0)
