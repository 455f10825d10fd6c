"""Finds what the find bar wants in the document that is shown, and steps from place to place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject

from desktop_rag.domain.text_search import find_all
from desktop_rag.ui.background import Background, Task
from desktop_rag.ui.viewer.find_bar import FindBar


class Searchable(Protocol):
    """A view of a document."""

    def show_hits(self, spans: Sequence[tuple[int, int]], current: int = -1) -> None:
        """Mark the places; `current` is an index."""

    def reveal(self, start: int, end: int) -> None:
        """Bring a place into view."""


class Finder(QObject):
    """Between the find bar and whatever view shows the document."""

    def __init__(self, bar: FindBar, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self._background = background
        self._text = ""
        self._view: Searchable | None = None
        self._spans: Sequence[tuple[int, int]] = ()
        self._current = -1
        self._from = 0
        self._task: Task | None = None
        bar.wanted.connect(self._on_wanted)
        bar.stepped.connect(self._on_stepped)
        bar.closed.connect(self._on_closed)

    @property
    def spans(self) -> Sequence[tuple[int, int]]:
        """What was found, in order."""
        return self._spans

    def open(self, text: str, view: Searchable | None, near: int = 0) -> None:
        """Another document or another view of it; an open search goes on there.

        Args:
            text: of the whole document.
            view: what shows it; `None` for nothing to search in.
            near: the first place to step to is the first after this offset.
        """
        self._text, self._view, self._from = text, view, near
        self._forget()
        if view is None:
            self._bar.show_nothing()
        elif not self._bar.isHidden():
            self._on_wanted(self._bar.edit.text())

    def _forget(self) -> None:
        if self._task is not None:
            self._task.forget()
        self._task, self._spans, self._current = None, (), -1

    def _on_wanted(self, wanted: str) -> None:
        if 0 <= self._current < len(self._spans):
            self._from = self._spans[self._current][0]
        self._forget()
        text = self._text
        self._task = self._background.run(lambda: find_all(text, wanted), self._on_found)

    def _on_found(self, spans: list[tuple[int, int]]) -> None:
        self._spans = spans
        self._current = bisect_left(spans, (self._from, 0)) % len(spans) if spans else -1
        self._show()

    def _on_stepped(self, by: int) -> None:
        if self._spans:
            self._current = (self._current + by) % len(self._spans)
            self._show()

    def _on_closed(self) -> None:
        self._forget()
        if self._view is not None:
            self._view.show_hits(())

    def _show(self) -> None:
        if self._view is None:
            return
        self._bar.show_count(self._current, len(self._spans))
        self._view.show_hits(self._spans, self._current)
        if self._spans:
            self._view.reveal(*self._spans[self._current])
