"""Finds words in a text as people type them: any case, with or without accents, in any script.

A word is found inside longer ones, so that typing finds things from the first letters on and runs
without spaces (Chinese, Japanese, Thai) need no cutting. Spans are of the text as it is written.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from desktop_rag.domain.terms import fold

_PARTS = re.compile(r'"([^"]+)"|(\S+)')
_RANGES = ((0x21, 0x3000), (0x3040, 0x3400), (0xA640, 0xAC00), (0xF900, 0xFFF0))
"""Where letters stand that fold to others: with accents, of full width, in other forms."""
_ACCENTS = "[\u0300-\u036f\u3099\u309a]*"
_MAX_WORDS = 16


@dataclass(frozen=True, slots=True)
class Wanted:
    """Words that shall be found; `in quotes` several are one."""

    words: tuple[str, ...]
    """Folded, each once."""

    def missing(self, text: str) -> frozenset[str]:
        """Those that a text does not hold."""
        return frozenset(word for word in self.words if not finder(word)(text))

    def spans(self, text: str, most: int | None = None) -> list[tuple[int, int, str]]:
        """Where they stand, each so many times: start, end and which word, in reading order."""
        found = [
            (match.start(), match.end(), word)
            for word in self.words
            for match in islice(_pattern(word).finditer(text), most)
        ]
        return sorted(found)


def wanted(query: str) -> Wanted:
    """What a person typed, as words; none of blanks."""
    parts = (quoted or bare for quoted, bare in _PARTS.findall(query))
    words = (fold(" ".join(part.split())) for part in parts)
    return Wanted(tuple(dict.fromkeys(filter(None, words)))[:_MAX_WORDS])


def merged(spans: Sequence[tuple[int, int, str]]) -> tuple[tuple[int, int], ...]:
    """Spans to be marked: in order, none within or touching another."""
    found: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


@lru_cache(maxsize=64)
def finder(word: str) -> Callable[[str], object]:
    """Looks for a folded word; gives something true for texts that hold it."""
    search = _pattern(word).search
    if " " in word:
        return search
    # Where nothing must be folded, plain comparing is four times as quick.
    return lambda text: word in text.lower() if text.isascii() else search(text)


@lru_cache(maxsize=64)
def _pattern(word: str) -> re.Pattern[str]:
    """Matches the word in unfolded text: folding that text first would take five times as long."""
    pieces: list[str] = []
    at = 0
    while at < len(word):
        piece, taken = _piece(word, at)
        pieces.append(piece)
        at += taken
    return re.compile(_ACCENTS.join(pieces) + _ACCENTS)


def _piece(word: str, at: int) -> tuple[str, int]:
    """What matches the letters at a place of the word, and how many of them it stands for."""
    if word[at].isspace():
        return r"\s+", 1
    single, several = _forms()
    one = _any_of(single.get(word[at], "") + word[at])
    for length in (3, 2):
        letters = word[at : at + length]
        if len(letters) == length and letters in several:
            singly = _ACCENTS.join(_any_of(single.get(c, "") + c) for c in letters)
            return f"(?:{singly}|{_any_of(several[letters])})", length
    return one, 1


def _any_of(letters: str) -> str:
    return f"[{''.join(map(re.escape, sorted(set(letters))))}]"


@lru_cache(maxsize=1)
def _forms() -> tuple[dict[str, str], dict[str, str]]:
    """All ways to write a letter (`a`: AÀÁâ …), and several in one (`ss`: ß, `fi`: ﬁ)."""
    single, several = defaultdict[str, str](str), defaultdict[str, str](str)
    for first, end in _RANGES:
        for letter in map(chr, range(first, end)):
            folded = fold(letter)
            (single if len(folded) == 1 else several)[folded] += letter
    return single, several
