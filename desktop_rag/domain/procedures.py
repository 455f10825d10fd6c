"""Procedures: all steps of the one that was found, in the document's order.

A passage is a few steps long, and the search finds the one that reads most like the question. The
steps before and after it belong to the answer, whether they go on in the section or in sections of
their own (`Step 1`, `Step 2`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.parents import Neighbour, same_section
from desktop_rag.domain.sentences import line_spans

MOST_CHARS = 3000
"""About 700 tokens: fifteen steps of two sentences."""
_STEP_SECTION = re.compile(
    r"^(?:(?:step|schritt|étape|etape|paso|passo|stap|krok)\s*\d+|\d{1,2}[.)]\s*\S|[a-h][.)]\s*\S)",
    re.IGNORECASE,
)
_STEP_LINE = re.compile(
    r"^(?:\(?\d{1,2}[.):]|\(?[a-h][.)]|[-*•–▪●]|(?:step|schritt|étape|paso|passo|stap)\s*\d+[.:]?)\s+"
    r"(?P<text>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FEWEST = 2


def procedure_around(own: int, around: Sequence[Neighbour]) -> list[Neighbour]:
    """The chunks of the procedure that chunk `own` is of, in order, without a gap.

    Its section, and sections beside it that are steps as well.

    Args:
        own: ordinal of the passage's chunk; it is among the others.
        around: chunks of one document.
    """
    by_ordinal = {one.ordinal: one for one in around}
    found = {one.ordinal: one for one in same_section(own, around)}
    parent = _step_parent(by_ordinal[own].section)
    for step in (-1, 1):
        number = (min if step < 0 else max)(found) + step
        while (one := by_ordinal.get(number)) is not None and _belongs(one, parent):
            found[number] = one
            number += step
    return [found[number] for number in sorted(found)]


def fitting(
    procedure: Sequence[Neighbour], start: int, end: int, most_chars: int = MOST_CHARS
) -> list[Neighbour]:
    """As much of a procedure as fits, with the span in it.

    All of it, or from the chunk before the span on: what follows is worth more than what is far
    before.
    """
    touched = [n for n, one in enumerate(procedure) if one.start < end and one.end > start]
    is_long = procedure[-1].end - procedure[0].start > most_chars
    first = max(0, touched[0] - 1) if is_long and touched else 0
    if end - procedure[first].start > most_chars and touched:
        first = touched[0]
    kept = [one for one in procedure[first:] if one.end - procedure[first].start <= most_chars]
    return kept or [procedure[n] for n in touched]


def steps_in(text: str) -> list[tuple[int, int]]:
    """Spans of the steps of a list in a text, without their numbers; none for one step alone."""
    spans = []
    for start, end in line_spans(text, 0, len(text)):
        found = _STEP_LINE.match(text[start:end])
        if found:
            spans.append((start + found.start("text"), end))
    return spans if len(spans) >= _FEWEST else []


def _step_parent(section: str) -> str | None:
    """The section that holds a section which is a step; `None` for one that is none."""
    parent, _, last = section.rpartition(" > ")
    return parent if _STEP_SECTION.match(last) else None


def _belongs(one: Neighbour, parent: str | None) -> bool:
    return parent is not None and _step_parent(one.section) == parent
