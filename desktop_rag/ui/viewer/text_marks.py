"""What is marked in the text view: the citation, and what the person searched for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser

from desktop_rag.ui.theme import Theme
from desktop_rag.ui.viewer import marking, text_pieces
from desktop_rag.ui.viewer.text_pieces import LINE, Pieces

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.text_segments import Source

Span = tuple[int, int]
_HITS_SHOWN = 500
"""Marked at once; a part of a document holds no more that anyone looks at."""


class TextMarks:
    """Spans of the document's text, wherever they are laid out now."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.cited: Span | None = None
        self.hits: Sequence[Span] = ()
        self.hit = -1
        """Index of the one that was stepped to."""

    def selections(
        self, document: QTextDocument, pieces: Pieces, window: Span, strength: float
    ) -> list[QTextBrowser.ExtraSelection]:
        """For Qt to paint below the letters; `strength` is how much the citation lights up."""
        tones = marking.tones(self._theme)
        first, last = window
        near = [span for span in self.hits if span[1] > first and span[0] < last]
        marks = [(span, tones.hit) for span in near[:_HITS_SHOWN]]
        if self.cited is not None:
            marks.insert(0, (self.cited, tones.cited(strength)))
        if 0 <= self.hit < len(self.hits):
            marks.append((self.hits[self.hit], tones.current_hit))
        return [
            _selection(document, *place, colour)
            for span, colour in marks
            for place in pieces.positions(*span)
        ]

    def cited_text(self, document: QTextDocument, pieces: Pieces, source: Source) -> str:
        """The letters of the citation as they stand in the view; between pieces as in the text."""
        if self.cited is None:
            return ""
        made, behind = "", self.cited[0]
        for begin, end in pieces.positions(*self.cited):
            shown = selected(document, begin, end).selectedText().replace(LINE, "\n")
            start, stop = pieces.span(begin, end) or (behind, behind)
            made += source.text[behind:start] + shown.replace("\u2029", "\n")
            behind = stop
        return made + text_pieces.gap(source.text[behind : self.cited[1]])


def selected(document: QTextDocument, begin: int, end: int) -> QTextCursor:
    """A cursor over two positions."""
    cursor = QTextCursor(document)
    cursor.setPosition(begin)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _selection(
    document: QTextDocument, begin: int, end: int, colour: QColor
) -> QTextBrowser.ExtraSelection:
    made = QTextBrowser.ExtraSelection()
    made.cursor = selected(document, begin, end)
    made.format.setBackground(colour)
    return made
