"""Which passages answer a question of a test set, and where quotes stand in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.evaluation import TRUTH, Place, Question, TokenScores, token_scores
from desktop_rag.domain.text_cleaning import clean_characters

_WORDS = re.compile(r"\w+")
_ENOUGH = 0.5
"""Share of a span's characters or a quote's word triples from which a passage holds it."""


def ranked(question: Question, passages: Sequence[Passage], names: Sequence[str]) -> list[str]:
    """What passages stand for, each once, at its best rank.

    Args:
        question: whose relevant places count.
        passages: best first.
        names: of each passage's text or file.

    Returns:
        For graded texts their ids. For places, the place a passage holds, or a name that is
        relevant to nothing.
    """
    if not question.places:
        return list(dict.fromkeys(names))
    found: list[str] = []
    for number, (passage, name) in enumerate(zip(passages, names, strict=True)):
        held = [i for i, place in enumerate(question.places) if holds(passage, name, place)]
        found.extend(f"{TRUTH}{i}" for i in held)
        if not held:
            found.append(f"other:{number}")
    return list(dict.fromkeys(found))


def is_relevant(question: Question, passage: Passage, name: str) -> bool:
    """Whether a passage of the named text or file helps to answer."""
    if question.places:
        return any(holds(passage, name, place) for place in question.places)
    return name in question.grades


def holds(passage: Passage, name: str, place: Place) -> bool:
    """Whether a passage of the named file holds the place: by span, else quote, else page."""
    if name != place.file:
        return False
    if place.span is not None:
        shared = min(passage.end, place.span[1]) - max(passage.start, place.span[0])
        return shared >= _ENOUGH * (place.span[1] - place.span[0]) and shared > 0
    if place.quote:
        return shares_words(passage.text, place.quote)
    if place.pages:
        first, last = passage.pages or (0, 0)
        return any(first <= page <= last for page in place.pages)
    return True


def found_tokens(
    question: Question, passages: Sequence[Passage], names: Sequence[str], cutoffs: Sequence[int]
) -> Mapping[int, TokenScores]:
    """Token scores of the passages down to each rank; none unless every place has a span."""
    wanted = [(place.file, *place.span) for place in question.places if place.span is not None]
    if not wanted or len(wanted) < len(question.places):
        return {}
    spans = [(name, one.start, one.end) for one, name in zip(passages, names, strict=True)]
    return {k: token_scores(wanted, spans[:k]) for k in cutoffs}


def quote_span(text: str, quote: str, near: int = 0) -> tuple[int, int] | None:
    """Where a quote stands in a text, however its words are spaced; `None` when it does not.

    Of several places one of whole words counts, of those the one that begins nearest to `near`.
    """
    pattern = r"\s+".join(map(re.escape, clean_characters(quote).split()))
    spans = [found.span() for found in re.finditer(pattern, text)] if pattern else []
    return min(
        spans, key=lambda span: (_cuts_words(text, *span), abs(span[0] - near)), default=None
    )


def shares_words(text: str, quote: str) -> bool:
    """Whether a text holds a quote, or half of its runs of three words; spaces do not count."""
    words, wanted = (_WORDS.findall(one.casefold()) for one in (text, quote))
    if f" {' '.join(wanted)} " in f" {' '.join(words)} ":
        return True
    triples = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    held = triples.intersection(zip(words, words[1:], words[2:], strict=False))
    return bool(triples) and len(held) >= _ENOUGH * len(triples)


def _cuts_words(text: str, start: int, end: int) -> bool:
    edges = (text[max(0, start - 1) : start + 1], text[end - 1 : end + 1])
    return any(len(edge) == 2 and edge.isalnum() for edge in edges)
