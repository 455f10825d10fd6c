"""How two runs of an evaluation compare, in the words and numbers of every report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from desktop_rag.cli.output import show
from desktop_rag.domain.evaluation import Difference

HEADINGS = ("other", "change", "p")
"""Of `cells`."""


def cells(difference: Difference, other_mean: float) -> list[str]:
    """The other run's mean, the change with its interval, and how likely chance is."""
    change = difference.change
    span = f"{change.mean:+.3f} ({change.low:+.3f} to {change.high:+.3f})"
    return [f"{other_mean:.3f}", span, f"{difference.p:.3f}"]


def show_beyond_chance(changes: Mapping[str, Difference]) -> None:
    """Which measures became better and which worse, if any."""
    for word, keys in (
        ("Better", [key for key, one in changes.items() if one.is_gain]),
        ("Worse", [key for key, one in changes.items() if one.is_drop]),
    ):
        show(f"{word} beyond chance: {', '.join(keys) or 'nothing'}.")


def as_json(changes: Mapping[str, Difference]) -> dict[str, object] | None:
    """By measure; `None` when nothing was compared."""
    return {key: _as_json(one) for key, one in changes.items()} or None


def _as_json(one: Difference) -> dict[str, object]:
    return {**asdict(one.change), "p": one.p, "is_drop": one.is_drop, "is_gain": one.is_gain}
