"""The part of a passage that a question is about, with the words that match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.scoring import stems_of
from desktop_rag.domain.terms import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LEAD_IN = 60
"""Characters before the first match that say what it is about."""
_ELLIPSIS = "… "

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of text on one line, and where in it words of the question stand."""

    text: str
    marks: tuple[Span, ...]


def excerpt(text: str, question: str, max_chars: int = 300) -> Excerpt:
    """The `max_chars` of a text that hold most of the question's words; else its beginning.

    Words match in any form. The excerpt begins and ends between words.
    """
    flat = " ".join(text.split())
    return around(flat, _matches(flat, question), max_chars)


def around(flat: str, found: Sequence[tuple[int, int, str]], max_chars: int) -> Excerpt:
    """The `max_chars` of a text on one line that hold most of what was found in it.

    Each find is a span and what it is a form of. The excerpt begins and ends between words.
    """
    start, end = _window(flat, found, max_chars)
    before = _ELLIPSIS if start else ""
    after = " …" if end < len(flat) else ""
    shift = len(before) - start
    marks = tuple((a + shift, b + shift) for a, b, _ in found if start <= a and b <= end)
    return Excerpt(before + flat[start:end] + after, marks)


def _matches(text: str, question: str) -> list[tuple[int, int, str]]:
    """Spans of matching words, each with the stem it matches by."""
    wanted = stems_of(question)
    found: list[tuple[int, int, str]] = []
    for word in _WORD.finditer(text):
        stems = wanted & stems_of(word.group())
        if not stems:
            continue
        spans = _unspaced_spans(word.group(), stems) or [(0, len(word.group()))]
        found += [(word.start() + a, word.start() + b, min(stems)) for a, b in spans]
    return found


def _unspaced_spans(word: str, stems: frozenset[str]) -> list[Span]:
    """Where the stems stand in a run of a script without spaces, which is no single word."""
    folded = fold(word)
    if word[0] < "\u0e00" or len(folded) != len(word):
        return []
    starts = [at for at in range(len(word)) for stem in stems if folded.startswith(stem, at)]
    spans: list[Span] = []
    for start in starts:
        end = start + max(len(stem) for stem in stems if folded.startswith(stem, start))
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _window(text: str, found: Sequence[tuple[int, int, str]], size: int) -> Span:
    """The stretch with the most different words, then the most words; the first of equals."""

    def value(start: int) -> tuple[int, int]:
        held = [stem for a, b, stem in found if start <= a and b <= start + size]
        return len(set(held)), len(held)

    if len(text) <= size:
        return 0, len(text)
    lead = min(_LEAD_IN, size // 3)
    starts = [0, *(max(0, first - lead) for first, _, _ in found)]
    start = _word_start(text, min(max(starts, key=value), len(text) - size))
    return start, _word_end(text, start + size)


def _word_start(text: str, start: int) -> int:
    """Where the first word from `start` on begins; `start` where there are no spaces."""
    space = text.find(" ", start - 1, start + _LEAD_IN) if start else -1
    return space + 1 if space >= 0 else start


def _word_end(text: str, end: int) -> int:
    space = text.rfind(" ", max(0, end - _LEAD_IN), end + 1) if end < len(text) else -1
    return space if space >= 0 else min(end, len(text))
