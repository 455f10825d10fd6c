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


def find_all(text: str, wanted: str, most: int = MOST) -> list[tuple[int, int]]:
    """Spans of `text` that read as `wanted`, in order; none for nothing but white space."""
    words = wanted.split()
    if not words:
        return []
    return list(islice(_spans(text, words), most))


def _spans(text: str, words: list[str]) -> Iterator[tuple[int, int]]:
    pattern = r"\s+".join(re.escape(word) for word in words)
    for found in re.finditer(pattern, text, re.IGNORECASE):
        yield found.span()
