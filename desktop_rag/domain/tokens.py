"""Token counts of any span of a text that was tokenised once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


class TokenMap:
    """Where the embedder's tokens stand in a text; counting a span costs two bisections.

    A token that a cut would split counts on both sides, so the count of a span is never below the
    number of tokens it touches.

    Args:
        starts, ends: character offsets of the tokens, both ascending, of equal length.
    """

    def __init__(self, starts: Sequence[int], ends: Sequence[int]) -> None:
        self._starts = starts
        self._ends = ends

    def __len__(self) -> int:
        return len(self._starts)

    def count(self, start: int, end: int) -> int:
        """Tokens that touch `text[start:end]`."""
        if end <= start:
            return 0
        return max(bisect_left(self._starts, end) - bisect_right(self._ends, start), 0)

    def fit(self, start: int, end: int, limit: int) -> int:
        """The largest offset up to `end` so that `count(start, offset) <= limit`."""
        first = bisect_right(self._ends, start)
        if first + limit >= len(self._starts):
            return end
        return min(self._starts[first + limit], end)
