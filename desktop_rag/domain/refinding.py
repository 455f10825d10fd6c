"""Finds a quote again in a document that has changed since it was quoted."""

from __future__ import annotations

import re

_LEAST_CHARS = 12
"""Shorter quotes stand in many places by chance."""


def refind(text: str, quote: str, start: int) -> tuple[int, int] | None:
    """Where a quote stands now: at its old offset, else the nearest place word for word.

    White space may differ. `None` when it stands nowhere, or is too short to tell.
    """
    if quote and text.startswith(quote, start):
        return start, start + len(quote)
    if len(quote.strip()) < _LEAST_CHARS:
        return None
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    spans = [found.span() for found in re.finditer(pattern, text)]
    return min(spans, key=lambda span: abs(span[0] - start), default=None)
