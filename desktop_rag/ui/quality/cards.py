"""What each plot of the Quality page shows, from the figures of the façade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_rag.ui.quality import words
from desktop_rag.ui.quality.plot import Series
from desktop_rag.ui.quality.plot_card import PlotCard
from desktop_rag.ui.translation import _

if TYPE_CHECKING:
    from desktop_rag.services.quality import QualityFigures

_SHOWN = 30
"""Newest days and runs; more would be too close together to be told apart."""


def show_runs(card: PlotCard, figures: QualityFigures) -> None:
    """How often the right place was among the first five, run by run, with its interval."""
    runs = figures.runs[-_SHOWN:]
    if not runs:
        card.show_nothing()
        return
    newest = runs[-1].figures
    band = tuple(
        (100 * one.figures.get("five_low", 0), 100 * one.figures.get("five_high", 0))
        for one in runs
    )
    five = tuple(100 * one.figures.get("five", 0) for one in runs)
    card.show_all(
        [
            words.percent(newest.get("five", 0)),
            words.percent(newest.get("first", 0)),
            words.duration(newest.get("search_p50_ms", 0)),
        ],
        [Series(_("Among the first five, in percent, and its interval"), five, around=band)],
        [words.moment(one.time).split(" ")[0].rstrip(",") for one in runs],
        words.run_lines(runs),
    )


def show_speed(card: PlotCard, figures: QualityFigures) -> None:
    """How long searches took, day by day."""
    days = figures.days[-_SHOWN:]
    if not days:
        card.show_nothing()
        return
    half = tuple(one.searches.p50_ms for one in days)
    most = tuple(one.searches.p95_ms for one in days)
    first = figures.first_word
    card.show_all(
        [
            words.duration(figures.searches.p50_ms),
            words.duration(figures.searches.p95_ms),
            words.duration(first.p50_ms) if first.count else "–",
        ],
        [
            Series(_("Half of the searches took at most so many milliseconds"), half),
            Series(_("19 of 20"), most, "warning", is_dashed=True),
        ],
        [words.day(one) for one in days],
        words.speed_lines(days),
    )


def show_empty_results(card: PlotCard, figures: QualityFigures) -> None:
    """How many searches found nothing, day by day."""
    days = figures.days[-_SHOWN:]
    if not days:
        card.show_nothing()
        return
    shares = tuple(100 * one.without_result for one in days)
    card.show_all(
        [words.percent(figures.without_result), words.numeral(figures.searches.count)],
        [Series(_("Searches without a result, in percent"), shares, is_bars=True)],
        [words.day(one) for one in days],
        words.speed_lines(days),
    )


def show_feedback(card: PlotCard, figures: QualityFigures) -> None:
    """Thumbs, and what was wrong."""
    total = figures.good + figures.bad
    if not total:
        card.show_nothing()
        return
    counts = (figures.good, *(number for _reason, number in figures.reasons))
    names = (_("Good"), *(words.reason(name) for name, _number in figures.reasons))
    card.show_all(
        [
            words.percent(figures.good / total),
            words.numeral(figures.good),
            words.numeral(figures.bad),
        ],
        [Series(_("Answers"), tuple(float(one) for one in counts), is_bars=True)],
        names,
        words.feedback_lines(figures),
    )
