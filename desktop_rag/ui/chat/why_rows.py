"""Why each candidate of a search was taken or not, as rows of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QPersistentModelIndex, Qt

from desktop_rag.domain.answers import Citation, Passage, SearchResult
from desktop_rag.domain.explanation import Decision, Explanation, Fate
from desktop_rag.ui.plain import tip
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.translation import _, numeral

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """Of the table."""

    RANK = 0
    CITED = 1
    PLACE = 2
    RELEVANCE = 3
    MEANING = 4
    KEYWORDS = 5
    LATE = 6
    READ = 7
    MATCHED = 8
    DECISION = 9


@dataclass(frozen=True, slots=True)
class WhyRow:
    """One candidate."""

    cells: tuple[str, ...]
    """One a column."""
    is_shown: bool
    passage: Passage | None = None
    """To open; only of those that were taken."""
    has_late: bool = False
    was_read: bool = False


def rows_of(result: SearchResult, citations: Sequence[Citation] = ()) -> list[WhyRow]:
    """Those that were taken first, then the rest by rank."""
    explanation = result.explanation
    passages = {one.chunk: one for one in result.passages}
    numbers = {one.chunk: one.number for one in reversed(citations)}
    ordered = sorted(explanation.decisions, key=lambda one: (one.shown_as or 10**6, one.rank))
    return [
        WhyRow(
            _cells(one, explanation, numbers.get(one.chunk)),
            is_shown=one.shown_as is not None,
            passage=passages.get(one.chunk),
            has_late=one.late_score is not None,
            was_read=one.read_score is not None,
        )
        for one in ordered
    ]


def _cells(one: Decision, explanation: Explanation, cited: int | None) -> tuple[str, ...]:
    file = re.split(r"[\\/]", one.path)[-1]
    return (
        numeral(one.shown_as or one.rank),
        f"[{cited}]" if cited else "",
        " · ".join(filter(None, (file, one.where))) or _("no longer in the library"),
        "" if one.relevance is None else percent(one.relevance),
        _placed(one.dense_rank, one.similarity, 2),
        _placed(one.keyword_rank, one.keyword_score, 1),
        _placed(one.late_rank, one.late_score, 2),
        _placed(one.read_rank, one.read_score, 1),
        ", ".join(one.matched),
        decision_words(one, explanation),
    )


def percent(relevance: float) -> str:
    """A relevance for people; nothing is ever sure."""
    value = min(round(100 * relevance), 99)
    return _("{n} %").format(n=numeral(value)) if value else _("< 1 %")


def _placed(rank: int | None, score: float | None, digits: int) -> str:
    """`3 (0.61)`: rank and score; a dash for what a list does not hold."""
    if rank is None and score is None:
        return "–"
    told = "" if score is None else f" ({QLocale().toString(score, 'f', digits)})"
    return f"{'–' if rank is None else numeral(rank)}{told}"


def decision_words(one: Decision, explanation: Explanation) -> str:
    """What became of a candidate, and because of which other."""
    fate = one.verdict.fate
    number = explanation.number_of(one.verdict.because_of)
    other = f"#{number}" if number else _("another passage")
    told = {
        Fate.SHOWN: _("Taken"),
        Fate.DUPLICATE: _("Left out: says the same as {other}"),
        Fate.SIMILAR: _("Left out: much like {other}"),
        Fate.WEAK: _("Left out: hardly about the question"),
        Fate.OVER_LIMIT: _("Left out: others are better"),
        Fate.NOT_WORTH_READING: _("Left out: far behind the best"),
        Fate.REMOVED: _("Left out: no longer in the library"),
    }
    return told[fate].format(other=other)


class WhyModel(QAbstractTableModel):
    """The rows for a view and for screen readers."""

    def __init__(self, theme: Theme, rows: Sequence[WhyRow]) -> None:
        super().__init__()
        self._theme = theme
        self.rows = list(rows)
        self._headers = (
            _("Rank"),
            _("Cited"),
            _("File and place"),
            _("Relevance"),
            _("By meaning"),
            _("By words"),
            _("Word by word"),
            _("Read again"),
            _("Words matched"),
            _("Decision"),
        )
        self._explained = (
            _("Order in which the passages were taken"),
            _("The number that cites this passage"),
            _("Where the passage stands"),
            _("How likely the passage is about the question"),
            _("Rank and score of the vector search, which compares meanings"),
            _("Rank and score of the keyword search"),
            _("Rank and score of late interaction, which compares word by word"),
            _("Rank and score of the re-ranker, which reads the passage with the question"),
            _("Words of the question that the passage holds"),
            _("What became of it, and why"),
        )

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- Qt's signature
        """One a candidate."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- Qt's signature
        """See `Column`."""
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, colour of what was left out, and a cell with its heading for screen readers."""
        row = self.rows[index.row()]
        text = row.cells[index.column()]
        roles = Qt.ItemDataRole
        if role == roles.DisplayRole:
            return text
        if role == roles.ToolTipRole:
            return tip(text)
        if role == roles.AccessibleTextRole:
            return f"{self._headers[index.column()]}: {text or '–'}"
        if role == roles.ForegroundRole and not row.is_shown:
            return self._theme.color("muted")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Names of the columns; tool tips say what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        return self._explained[section] if role == Qt.ItemDataRole.ToolTipRole else None

    def sentence(self, row: int) -> str:
        """All of a row in one line."""
        named = zip(self._headers, self.rows[row].cells, strict=True)
        return " · ".join(f"{name}: {text}" for name, text in named if text.strip("–"))
