"""Pictures of pages: asked for one after the other, the latest wish first, kept within bounds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.ui.background import Background

if TYPE_CHECKING:
    from desktop_rag.ui.background import Task

Render = Callable[[int, float], QImage]
"""Draws a page (its number) at so many pixels a point. Called on a background thread."""
_NEAR = 0.02
"""Scales that differ by less are one."""


class PagePictures(QObject):
    """One page is drawn at a time, so a quick turn through many pages leaves nothing to wait for.

    Signals:
        arrived (int): there is a new picture of this page.
        failed (int, DesktopRagError): there will be none; the others may still come.
    """

    arrived = Signal(int)
    failed = Signal(int, object)

    def __init__(
        self, background: Background, max_bytes: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._max_bytes = max_bytes
        self._render: Render | None = None
        self._kept: OrderedDict[int, tuple[float, QImage]] = OrderedDict()
        self._bytes = 0
        self._wanted: list[tuple[int, float]] = []
        self._broken: set[int] = set()
        self._task: Task | None = None

    def open(self, render: Render | None) -> None:
        """Another document, or none: nothing of the last one stays."""
        if self._task is not None:
            self._task.forget()
        self._task, self._render, self._wanted = None, render, []
        self._kept.clear()
        self._broken.clear()
        self._bytes = 0

    def try_again(self) -> None:
        """Forget which pages could not be drawn, and what is on its way to fail."""
        if self._task is not None:
            self._task.forget()
        self._task = None
        self._broken.clear()

    def picture(self, number: int) -> QImage | None:
        """The latest picture of a page, whatever its scale."""
        found = self._kept.get(number)
        return found[1] if found else None

    def want(self, numbers: Sequence[int], scale: float) -> None:
        """Have these pages at this scale, the most important first; older wishes are dropped."""
        self._wanted = [(number, scale) for number in numbers if not self.has(number, scale)]
        for number in reversed(numbers):
            if number in self._kept:
                self._kept.move_to_end(number)
        self._next()

    @property
    def held_bytes(self) -> int:
        """What the pictures take in memory."""
        return self._bytes

    def has(self, number: int, scale: float) -> bool:
        """Whether nothing better than what is there is to be expected."""
        if number in self._broken:
            return True
        found = self._kept.get(number)
        return found is not None and abs(found[0] - scale) <= _NEAR * scale

    def _next(self) -> None:
        if self._task is not None or self._render is None or not self._wanted:
            return
        render, (number, scale) = self._render, self._wanted.pop(0)
        self._task = self._background.run(
            lambda: render(number, scale),
            lambda image: self._on_image(number, scale, image),
            lambda error: self._on_error(number, error),
        )

    def _on_image(self, number: int, scale: float, image: QImage) -> None:
        self._task = None
        self._keep(number, scale, image)
        self.arrived.emit(number)
        self._next()

    def _on_error(self, number: int, error: DesktopRagError) -> None:
        self._task = None
        self._broken.add(number)
        self.failed.emit(number, error)
        self._next()

    def _keep(self, number: int, scale: float, image: QImage) -> None:
        if number in self._kept:
            self._bytes -= self._kept.pop(number)[1].sizeInBytes()
        self._kept[number] = (scale, image)
        self._bytes += image.sizeInBytes()
        while self._bytes > self._max_bytes and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._bytes -= dropped.sizeInBytes()
