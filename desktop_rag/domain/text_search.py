"""Finds what a person types in the text they look at: every place, as they see it.

Unlike `occurrences`, which counts words, this finds any stretch of letters; case and line ends do
not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

MOST = 10_000
"""Places that are found at most; nobody steps through more."""
_SLICE = 200_000
_GAPS = 200
"""Characters of white space between two words at most, over the end of a slice."""


def find_all(text: str, wanted: str, most: int = MOST) -> list[tuple[int, int]]:
    """Spans of `text` that read as `wanted`, in order; none for nothing but white space."""
    words = wanted.split()
    if not words:
        return []
    return list(islice(_spans(text, words), most))


def _spans(text: str, words: list[str]) -> Iterator[tuple[int, int]]:
    """Slice by slice: a search through megabytes at once would hold up every other thread."""
    looked_for = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    reach = sum(map(len, words)) + _GAPS * len(words)
    position = 0
    for border in range(_SLICE, len(text) + _SLICE, _SLICE):
        while position < border:
            found = looked_for.search(text, position, min(border + reach, len(text)))
            if found is None or found.start() >= border:
                break
            yield found.span()
            position = found.end()
        position = max(position, border)
