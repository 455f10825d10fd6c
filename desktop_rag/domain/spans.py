"""The words of a text that answer a question, as an extractive model reads them."""

from __future__ import annotations

from dataclasses import dataclass

NO_MARGIN = -1000.0
"""`Span.margin` where there is no text to find an answer in: below whatever a model says."""


@dataclass(frozen=True, slots=True)
class Span:
    """The words of a text that answer a question, as an extractive model reads them.

    Offsets count characters of the text that was given; `end` is exclusive.
    """

    start: int
    end: int
    margin: float
    """Logits of the best span (start + end) over those of "no answer here"; 0: as likely as not."""


NOWHERE = Span(0, 0, NO_MARGIN)
"""What there is in an empty text."""
