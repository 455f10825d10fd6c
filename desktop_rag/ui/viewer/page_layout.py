"""Where pages lie below each other, at any zoom. Plain numbers, no widgets.

Paper is measured in points, the space around it in pixels: it does not grow with the zoom.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from desktop_rag.domain.documents import Page

MARGIN = 16
GAP = 12


class PageLayout:
    """Pages of one document. Indices begin at 0."""

    def __init__(self, pages: Sequence[Page] = ()) -> None:
        self.sizes = [(max(page.width, 1.0), max(page.height, 1.0)) for page in pages]
        self._tops = [0.0, *accumulate(height for _, height in self.sizes)]
        self.widest = max((width for width, _ in self.sizes), default=612.0)

    def __len__(self) -> int:
        return len(self.sizes)

    def top(self, index: int, scale: float) -> float:
        """Upper edge of a page in pixels from the beginning of the document."""
        return MARGIN + index * GAP + self._tops[index] * scale

    def height(self, scale: float) -> float:
        """Of all pages with what is between and around them."""
        return 2 * MARGIN + max(len(self) - 1, 0) * GAP + self._tops[-1] * scale

    def width(self, scale: float) -> float:
        """Of the widest page with what is beside it."""
        return 2 * MARGIN + self.widest * scale

    def index_at(self, y: float, scale: float) -> int:
        """The page at a height in pixels; the gap below a page belongs to it."""
        found = bisect_right(range(len(self)), y, key=lambda index: self.top(index, scale)) - 1
        return max(found, 0)

    def between(self, top: float, bottom: float, scale: float) -> range:
        """The pages that lie between two heights."""
        if not self.sizes:
            return range(0)
        return range(self.index_at(top, scale), self.index_at(bottom, scale) + 1)

    def fitting(self, index: int, width: float, height: float) -> float:
        """The scale at which a whole page is seen."""
        page_width, page_height = self.sizes[index]
        return min((width - 2 * MARGIN) / page_width, (height - 2 * MARGIN) / page_height)
