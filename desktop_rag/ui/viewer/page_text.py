"""The text under the picture of a page: which letters lie where, page by page as they are needed.

What is known of a page are its lines; a place inside a line is worked out from the usual widths of
letters, as for citations (`domain.places`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_rag.domain.documents import Box, Line, Page
from desktop_rag.domain.places import boxes_for, offset_at

if TYPE_CHECKING:
    from desktop_rag.ui.background import Background, Task

LoadLines = Callable[[Sequence[int]], dict[int, tuple[Line, ...]]]
"""The lines of pages by number. Called on a background thread."""
_KEPT = 60
"""Pages whose lines stay in memory."""


class PageText(QObject):
    """Of one document.

    Signals:
        arrived: lines of more pages are known.
    """

    arrived = Signal()

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._load: LoadLines | None = None
        self._pages: Sequence[Page] = ()
        self._lines: OrderedDict[int, tuple[Line, ...]] = OrderedDict()
        self._task: Task | None = None
        self.text = ""

    def open(self, text: str, pages: Sequence[Page], load: LoadLines | None) -> None:
        """Another document."""
        if self._task is not None:
            self._task.forget()
        self._task = None
        self.text, self._pages, self._load = text, pages, load
        self._lines.clear()

    def want(self, numbers: Sequence[int]) -> None:
        """Have the lines of these pages soon."""
        missing = [number for number in numbers if number not in self._lines]
        if not missing or self._load is None or self._task is not None:
            return
        load = self._load
        self._task = self._background.run(lambda: load(missing), self._on_lines)

    def _on_lines(self, found: dict[int, tuple[Line, ...]]) -> None:
        self._task = None
        self._lines.update(found)
        while len(self._lines) > _KEPT:
            self._lines.popitem(last=False)
        self.arrived.emit()

    def lines(self, number: int) -> tuple[Line, ...]:
        """The lines of a page; none while they are not known."""
        return self._lines.get(number, ())

    def boxes(self, number: int, start: int, end: int) -> tuple[Box, ...]:
        """Where a span of the text stands on a page."""
        page = self._pages[number - 1]
        if start >= end or page.end <= start or page.start >= end:
            return ()
        return boxes_for([replace(page, lines=self.lines(number))], self.text, start, end)

    def offset_at(self, number: int, x: float, y: float, *, is_near: bool) -> int | None:
        """The letter at a place in points; with `is_near`, of the nearest line."""
        return offset_at(self.lines(number), self.text, x, y, is_near=is_near)
