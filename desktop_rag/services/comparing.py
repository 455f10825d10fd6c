"""Finds passages for both sides of a comparison, as many for one as for the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.comparing import balanced, sides_of
from desktop_rag.domain.errors import NothingIndexed
from desktop_rag.services.retrieval import CONSIDERED, Found


def for_both_sides(found: Found, find: Callable[[str], Found]) -> Found:
    """What was found for a comparison, with the passages of both sides in turn.

    Each side is searched alone, about 50 ms; where filters narrowed the search, what was found for
    the whole question is shared out. A question whose sides cannot be told stays as it is.

    Args:
        found: for the whole question.
        find: searches a wording by the same rules, in the same scope.
    """
    sides = sides_of(found.texts[0])
    if not sides:
        return found
    of_sides = []
    for side in sides:
        alone = () if found.understood.filters else _passages(side.query, find)
        of_sides.append([*alone, *found.passages])
    passages = balanced(sides, of_sides)[:CONSIDERED]
    return replace(found, passages=tuple(passages)) if passages else found


def _passages(query: str, find: Callable[[str], Found]) -> tuple[Passage, ...]:
    try:
        return find(query).passages
    except NothingIndexed:
        return ()
