"""Figures of the Quality page in words: for the cards, the tables and screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale

from desktop_rag.domain.feedback import Reason
from desktop_rag.domain.quality import Day, Spread
from desktop_rag.services.quality import Origin
from desktop_rag.ui.privacy.health_words import moment
from desktop_rag.ui.translation import _, counted, numeral

if TYPE_CHECKING:
    from desktop_rag.services.quality import QualityFigures
    from desktop_rag.storage.evaluations import StoredEvaluation


def percent(share: float) -> str:
    """`84 %`, in the language's way."""
    return _("{n} %").format(n=QLocale().toString(round(100 * share)))


def duration(ms: float) -> str:
    """Milliseconds, or seconds from one second up."""
    if ms < 1000:
        return _("{n} ms").format(n=QLocale().toString(round(ms)))
    return _("{n} s").format(n=QLocale().toString(ms / 1000, "f", 1))


def day(of: Day) -> str:
    """Day and month, short."""
    return QLocale().toString(QDate(of.day.year, of.day.month, of.day.day), "d MMM")


def origin(name: str) -> str:
    """Where the questions of a run came from."""
    return {
        Origin.DOCUMENTS.value: _("Questions made from your documents"),
        Origin.GOOD_ANSWERS.value: _("Questions whose answers you found good"),
    }.get(name, name)


def run(of: StoredEvaluation) -> str:
    """The main figure of a run, with how sure it is."""
    figures = of.figures
    return _(
        "{five} of {questions} questions found their place among the first five (95 of 100 such "
        "sets: {low} to {high}); first place {first}; nothing found {none}; half of the searches "
        "took at most {p50}."
    ).format(
        five=percent(figures.get("five", 0)),
        questions=round(figures.get("questions", 0)),
        low=percent(figures.get("five_low", 0)),
        high=percent(figures.get("five_high", 0)),
        first=percent(figures.get("first", 0)),
        none=percent(figures.get("without_result", 0)),
        p50=duration(figures.get("search_p50_ms", 0)),
    )


def run_lines(runs: Sequence[StoredEvaluation]) -> list[tuple[str, str]]:
    """All runs as a table, the newest first."""
    return [(f"{moment(one.time)} · {origin(one.name)}", run(one)) for one in reversed(runs)]


def spread(of: Spread) -> str:
    """Median and 95th percentile."""
    if not of.count:
        return "–"
    said = _("{p50} · 95 %: {p95}")
    return said.format(p50=duration(of.p50_ms), p95=duration(of.p95_ms))


def speed_lines(days: Sequence[Day]) -> list[tuple[str, str]]:
    """Days as a table, the newest first."""
    said = _("{searches}; half took at most {p50}, 19 of 20 at most {p95}; nothing found {none}")
    return [
        (
            day(one),
            said.format(
                searches=counted("{n} search", "{n} searches", one.searches.count),
                p50=duration(one.searches.p50_ms),
                p95=duration(one.searches.p95_ms),
                none=percent(one.without_result),
            ),
        )
        for one in reversed(days)
    ]


def reason(name: str) -> str:
    """What was wrong with an answer."""
    return {
        Reason.NONE.value: _("no reason given"),
        Reason.WRONG.value: _("wrong"),
        Reason.NOT_IN_SOURCE.value: _("not in the source"),
        Reason.INCOMPLETE.value: _("incomplete"),
        Reason.TOO_SLOW.value: _("too slow"),
        Reason.OTHER.value: _("something else"),
    }.get(name, name)


def feedback_lines(figures: QualityFigures) -> list[tuple[str, str]]:
    """Thumbs as a table."""
    return [
        (_("Good"), counted("{n} answer", "{n} answers", figures.good)),
        *(
            (reason(name), counted("{n} answer", "{n} answers", number))
            for name, number in figures.reasons
        ),
    ]


__all__ = ["day", "duration", "moment", "numeral", "origin", "percent", "reason", "run", "spread"]
