"""Compound words of languages that write them as one: `Kündigungsfrist`, `Frist der Kündigung`.

An index knows which words there are, so a compound is taken apart only where both halves stand in
it, and put together only where the result does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

LANGUAGES = frozenset({"german", "dutch", "swedish", "norwegian", "danish", "finnish", "hungarian"})

_LEAST_HALF = 4
_MOST_WORDS = 6
_LINKS = ("", "s", "es", "n", "en", "er", "e")

Term = Callable[[str], str]
"""The index's term for a word in the language of the question; empty when it holds none."""


def halves(word: str, term: Term) -> tuple[str, ...]:
    """The two terms of the index that a compound is made of; empty when there are none.

    Of several ways that with the most even halves.
    """
    if not word.isalpha():
        return ()
    ways = [
        (abs(2 * at - len(word)), first, second)
        for at in range(_LEAST_HALF, len(word) - _LEAST_HALF + 1)
        if (second := term(word[at:])) and (first := _linked(word[:at], term))
    ]
    return min(ways)[1:] if ways else ()


def compounds(words: Sequence[str], term: Term) -> Iterator[str]:
    """Terms of the index that two of a question's words make together."""
    long = [one.lower() for one in words if one.isalpha() and len(one) >= _LEAST_HALF]
    for first, second in permutations(long[:_MOST_WORDS], 2):
        for link in _LINKS:
            if together := term(first + link + second):
                yield together
        # `Miete` and `Vertrag` are a `Mietvertrag`.
        if first.endswith("e") and (together := term(first[:-1] + second)):
            yield together


def _linked(half: str, term: Term) -> str:
    """The term of a first half, without the letters that link it."""
    bare = (half.removesuffix(link) for link in _LINKS if half.endswith(link))
    forms = (form for one in bare if len(one) >= _LEAST_HALF for form in (one, one + "e"))
    return next(filter(None, map(term, forms)), "")
