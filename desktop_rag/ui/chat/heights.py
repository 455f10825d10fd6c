"""How high the messages of a chat are, and so where each one lies. No widgets.

Most heights are guesses until their message was on screen; whoever learns a better one sets it, and
all messages below it lie elsewhere from then on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate


class Heights:
    """A column of boxes from top to bottom, with `gap` between two and `margin` around all."""

    def __init__(self, gap: int, margin: int) -> None:
        self._gap, self._margin = gap, margin
        self._heights: list[int] = []
        self._tops: list[int] | None = [margin]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, place: int) -> int:
        return self._heights[place]

    def replace(self, heights: Iterable[int]) -> None:
        """Another column."""
        self._heights = list(heights)
        self._tops = None

    def append(self, height: int) -> None:
        """One more box at the end."""
        self._heights.append(height)
        self._tops = None

    def set(self, place: int, height: int) -> None:
        """What is known now about one box."""
        if self._heights[place] != height:
            self._heights[place] = height
            self._tops = None

    def top(self, place: int) -> int:
        """Where a box begins; the place after the last one is where another would."""
        return self._known_tops()[place]

    def bottom(self, place: int) -> int:
        """Where a box ends."""
        return self.top(place) + self._heights[place]

    @property
    def total(self) -> int:
        """Height of the column with its margins."""
        end = self._known_tops()[-1]
        return end - (self._gap if self._heights else 0) + self._margin

    def at(self, y: int) -> int:
        """The box at a height, or the one above the gap there; the column must not be empty."""
        place = bisect_right(self._known_tops(), y) - 1
        return min(max(place, 0), len(self._heights) - 1)

    def between(self, top: int, bottom: int) -> range:
        """The boxes that have a part between two heights."""
        if not self._heights or bottom < top:
            return range(0)
        first, last = self.at(top), self.at(bottom)
        if self.bottom(first) < top and first < last:
            first += 1
        return range(first, last + 1)

    def _known_tops(self) -> Sequence[int]:
        if self._tops is None:
            steps = (height + self._gap for height in self._heights)
            self._tops = list(accumulate(steps, initial=self._margin))
        return self._tops
