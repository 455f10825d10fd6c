"""Selecting letters on the picture of a page with the mouse, or a whole page with the keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

if TYPE_CHECKING:
    from desktop_rag.ui.viewer.page_view import PageView

_WORD = re.compile(r"\w+|[^\w\s]")
_AROUND = 100
"""Letters on either side that a word may be long."""


class PageSelection(QObject):
    """A span of the document's text, from where the mouse went down to where it is.

    Signals:
        changed: another span, or none.
    """

    changed = Signal()

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._anchor: int | None = None
        self._span: tuple[int, int] | None = None

    @property
    def span(self) -> tuple[int, int] | None:
        """What is selected; `None` for nothing."""
        return self._span

    def clear(self) -> None:
        """Select nothing."""
        self._anchor = None
        self._set(None)

    def begin(self, point: QPointF, *, is_longer: bool) -> None:
        """The mouse went down; `is_longer` keeps where it went down before."""
        if is_longer and self._anchor is not None:
            self.extend(point)
            return
        self._anchor = self._view.offset_at(point, is_near=True)
        self._set(None)

    def extend(self, point: QPointF) -> None:
        """The mouse is here now."""
        offset = self._view.offset_at(point, is_near=True)
        if self._anchor is not None and offset is not None:
            self.select(min(self._anchor, offset), max(self._anchor, offset))

    def take_word(self, point: QPointF) -> None:
        """The word that was clicked."""
        offset = self._view.offset_at(point, is_near=False)
        if offset is None:
            return
        first = max(0, offset - _AROUND)
        around = self._view.text.text[first : offset + _AROUND]
        for word in _WORD.finditer(around):
            if first + word.end() >= offset:
                self._anchor = first + word.start()
                self.select(self._anchor, first + word.end())
                return

    def select(self, start: int, end: int) -> None:
        """Select a span of the text."""
        self._set((start, end) if start < end else None)

    def on_key(self, event: QKeyEvent) -> bool:
        """Ctrl+A selects the page that is being read, Ctrl+C copies; whether a key meant that."""
        if event.matches(QKeySequence.StandardKey.Copy) and self._span is not None:
            QGuiApplication.clipboard().setText(self._view.text.text[slice(*self._span)])
            return True
        if not event.matches(QKeySequence.StandardKey.SelectAll):
            return False
        lines = self._view.text.lines(self._view.page)
        if lines:
            self.select(min(line.start for line in lines), max(line.end for line in lines))
        return True

    def rects_on(self, number: int) -> list[QRectF]:
        """What is selected on a page in coordinates of the viewport."""
        return self._view.rects_of(number, *self._span) if self._span else []

    def _set(self, span: tuple[int, int] | None) -> None:
        if span != self._span:
            self._span = span
            self.changed.emit()
