"""Decides again, from kept records, which questions would have been refused: no model is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.domain.answers import Confidence
from desktop_rag.domain.assurance import Levels, levels_of, log_odds, trusted
from tests.benchmarks.answer_records import Record
from tests.benchmarks.answer_sets import Kind

_FALSE_REFUSALS = (0.02, 0.05, 0.08, 0.12, 0.2)


def odds_of(one: Record) -> float | None:
    """That the passages state the answer; `None` where the model was not asked that."""
    weighed = one.features.get("weighed")
    return max(map(log_odds, weighed)) if weighed else None


def decided_at(refuse_below: float, records: Sequence[Record]) -> list[Record]:
    """The records as another level would have made them.

    What was refused stays so: nobody knows what would have been answered.
    """
    return [_decided(one, refuse_below) for one in records]


def thresholds(records: Sequence[Record]) -> list[str]:
    """How well the odds tell answerable from misleading, and where to part them."""
    odds = [(one, value) for one in records if (value := odds_of(one)) is not None]
    held = sorted(value for one, value in odds if one.kind is Kind.ANSWERABLE and one.is_retrieved)
    others = [value for one, value in odds if one.kind is Kind.MISLEADING]
    if not held or not others:
        return ["too few questions were weighed to place a threshold"]
    rows = [f"odds of {len(held)} answerable above those of {len(others)} misleading: "]
    rows[0] += f"{area(held, others):.3f} of pairs"
    for share in _FALSE_REFUSALS:
        edge = held[int(share * len(held))]
        refused = sum(value < edge for value in others) / len(others)
        rows.append(f"refuse below {edge:+.2f}: {share:.0%} false, {refused:.0%} of misleading")
    return rows


def area(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Share of pairs in which the first is higher, ties by half: area under the ROC curve."""
    pairs = [(a > b) + 0.5 * (a == b) for a in higher for b in lower]
    return sum(pairs) / len(pairs)


def _decided(one: Record, refuse_below: float) -> Record:
    odds = odds_of(one)
    if odds is None or not one.is_answered:
        return one
    own = levels_of(one.model)
    levels = (own.enough, own.medium_from, own.high_from, own.doubted_below)
    others = (max(refuse_below, level) for level in levels)
    level = trusted(Confidence(one.confidence), odds, Levels(refuse_below, *others))
    if level is not Confidence.NONE:
        return replace(one, confidence=level)
    written_ms = one.figures.get("timings_ms", {}).get("generate", 0.0)
    return replace(
        one,
        is_found=False,
        confidence=level,
        citations=(),
        claims=(),
        generated_tokens=0,
        seconds=one.seconds - written_ms / 1000,
    )
