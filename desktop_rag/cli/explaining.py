"""Prints why each candidate of a search was shown or not."""

from __future__ import annotations

import re

from desktop_rag.cli.output import print_table, show
from desktop_rag.domain.explanation import Decision, Explanation, Fate

_HEADINGS = (
    "#",
    "relevance",
    "vectors",
    "keywords",
    "tokens",
    "read again",
    "fused",
    "tier",
    "decision",
    "where",
)
_LEFT_OUT = 20
"""Candidates printed beside those that are shown; `--json` has all."""


def print_explanation(explanation: Explanation) -> None:
    """How the query was read, then a table: ranks with scores by retriever, and the decision."""
    for line in explanation.reading:
        show(line)
    ordered = sorted(explanation.decisions, key=lambda one: (one.shown_as or 10**6, one.rank))
    shown = sum(one.shown_as is not None for one in ordered)
    listed = ordered[: shown + _LEFT_OUT]
    was_read = any(one.read_rank is not None for one in listed)
    columns = [n for n, name in enumerate(_HEADINGS) if was_read or name != "read again"]
    rows = [_row(one, explanation) for one in listed]
    print_table([tuple(row[n] for n in columns) for row in rows], [_HEADINGS[n] for n in columns])
    if len(ordered) > len(listed):
        show(f"and {len(ordered) - len(listed)} more; --json has all of them")


def percent(relevance: float) -> str:
    """A relevance for people; nothing is ever sure."""
    value = min(round(100 * relevance), 99)
    return f"{value} %" if value else "<1 %"


def _row(one: Decision, explanation: Explanation) -> tuple[str, ...]:
    return (
        str(one.shown_as or "-"),
        "-" if one.relevance is None else percent(one.relevance),
        _placed(one.dense_rank, one.similarity, 2),
        _placed(one.keyword_rank, one.keyword_score, 1),
        _placed(one.late_rank, one.late_score, 2),
        _placed(one.read_rank, one.read_score, 1),
        _placed(one.rank, one.score, 4),
        "" if one.tier_weight == 1 else f"x{one.tier_weight:g}",
        _decision(one, explanation),
        _where(one),
    )


def _placed(rank: int | None, score: float | None, digits: int) -> str:
    """`3 (0.61)`: rank and score; a dash for what a list does not hold."""
    if rank is None and score is None:
        return "-"
    value = "" if score is None else f" ({score:.{digits}f})"
    return f"{'-' if rank is None else rank}{value}"


def _decision(one: Decision, explanation: Explanation) -> str:
    verdict = one.verdict
    if verdict.fate not in {Fate.DUPLICATE, Fate.SIMILAR}:
        return verdict.fate
    number = explanation.number_of(verdict.because_of)
    other = f"[{number}]" if number else "another"
    link = "of" if verdict.fate is Fate.DUPLICATE else "to"
    cosine = "" if verdict.cosine is None else f" ({verdict.cosine:.2f})"
    return f"{verdict.fate} {link} {other}{cosine}"


def _where(one: Decision) -> str:
    file = re.split(r"[\\/]", one.path)[-1]
    return ", ".join(part for part in (file, one.where) if part)
