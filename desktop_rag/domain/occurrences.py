"""Finds every place where a text holds a phrase, for counting: none is left out, none counts twice.

Whole words, without case and accents, over line ends and hyphenation, as `domain.phrases`; what is
found only inside longer words (`asbestos` in `asbestos-free`, `Asbest` in `Asbestsanierung`) is
kept apart, because people differ on whether that is a mention.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.terms import fold

_MARKS = {"’": "'", "‘": "'", "–": "-", "—": "-", "‐": "-", "‑": "-"}
_MAY_BREAK = re.compile(r"\u00ad|-[ \t]*\n")
_NEVER = re.compile(r"(?!)")
_BREAK = r"(?:\u00ad\s*|-[ \t]*\n\s*)?"
_BORDERED = re.compile(r"[0-9a-z\u00c0-\u1fff]")
"""A letter that others stand beside in one word; scripts without spaces have no such borders."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where a text holds a phrase: spans of the sentences that do, one for each occurrence."""

    places: tuple[tuple[int, int], ...] = ()
    """As words of their own."""
    longer: tuple[tuple[int, int], ...] = ()
    """Only as a part of longer words."""
    longer_words: tuple[str, ...] = ()
    """These words, folded, each once."""

    def __len__(self) -> int:
        return len(self.places)


_NOWHERE = Occurrences()


def occurrences(text: str, phrase: str) -> Occurrences:
    """All places of the phrase in a text of any length."""
    folded, wanted = _plain(text), _plain(phrase).strip()
    may_break = _MAY_BREAK.search(folded) is not None
    # Most texts lack a word; that is found out ten times faster than the pattern fails.
    if not may_break and any(word not in folded for word in wanted.split()):
        return _NOWHERE
    whole, loose = _patterns(wanted, may_break=may_break)

    def own(part: str) -> list[re.Match[str]]:
        return list(whole.finditer(part))

    def longer(part: str) -> list[re.Match[str]]:
        return [found for found in loose.finditer(part) if not whole.search(found[0])]

    return Occurrences(
        _sentences(text, folded, own),
        _sentences(text, folded, longer),
        tuple(sorted({" ".join(found[0].split()) for found in longer(folded)})),
    )


def _sentences(
    text: str, folded: str, find: Callable[[str], list[re.Match[str]]]
) -> tuple[tuple[int, int], ...]:
    """The sentences of the text at places of the folded text, which count other characters."""
    found: list[tuple[int, int]] = []
    starts = [one.start() for one in find(folded)]
    for line, times in Counter(_lines(text, folded, starts)).items():
        held = [
            span for span in sentence_spans(text, *line) for _ in find(_plain(text[slice(*span)]))
        ]
        # A phrase that runs on over the end of a line or a sentence is in none of them.
        found += held if len(held) == times else [line] * times
    return tuple(sorted(found))


def _lines(text: str, folded: str, starts: Sequence[int]) -> list[tuple[int, int]]:
    """The lines of the text at places of the folded text: there are as many in both."""
    if not starts:
        return []
    lengths = [len(line) + 1 for line in text.split("\n")]
    ends = list(accumulate(lengths))
    found: list[tuple[int, int]] = []
    number, counted = 0, 0
    for start in starts:
        number += folded.count("\n", counted, start)
        counted = start
        found.append((ends[number] - lengths[number], ends[number] - 1))
    return found


@lru_cache(maxsize=32)
def _patterns(phrase: str, *, may_break: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The phrase as whole words, and with what its first and last word go on with."""
    words = phrase.split()
    if not words:
        return _NEVER, _NEVER
    joint = _BREAK if may_break else ""
    body = r"\s+".join(joint.join(map(re.escape, word)) for word in words)
    before = r"(?<!\w)" if _BORDERED.match(words[0][0]) else ""
    after = r"(?!\w)" if _BORDERED.match(words[-1][-1]) else ""
    left, right = r"\w*" if before else "", r"\w*" if after else ""
    return re.compile(before + body + after), re.compile(left + body + right)


def _plain(text: str) -> str:
    if not text.isascii():
        for mark, plain in _MARKS.items():
            text = text.replace(mark, plain)
    return fold(text)
