"""Which words of a question may be misspelled, and the question with them set right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.terms import fold

LEAST_LETTERS = 4
"""Shorter words have too many neighbours."""
_ACRONYM_LETTERS = 5
_QUOTED = re.compile(r'"[^"]*"|`[^`]*`')

Correction = tuple[str, str]
"""As typed, and as the documents write it."""


def is_correctable(word: str) -> bool:
    """Whether it is a plain word: no number, code, acronym or part of one."""
    is_plain = word.isalpha() and (word[1:].islower() or word.isupper())
    is_acronym = word.isupper() and len(word) <= _ACRONYM_LETTERS
    return len(word) >= LEAST_LETTERS and is_plain and not is_acronym


def spelling_of(word: str) -> str:
    """What spellings are compared by: without case and accents."""
    return fold(word)


def unquoted(question: str) -> str:
    """The question without what stands in quotes, which is meant as it is written."""
    return _QUOTED.sub(" ", question)


def corrected(question: str, corrections: Sequence[Correction]) -> str:
    """The question with its words as the documents write them; quotations stay."""
    pieces = _QUOTED.split(question)
    quoted = [*_QUOTED.findall(question), ""]
    for typed, held in corrections:
        spaced = r"\s+".join(map(re.escape, typed.split()))
        word = re.compile(rf"(?<!\w){spaced}(?!\w)")
        pieces = [word.sub(lambda _, held=held: held, piece) for piece in pieces]
    return "".join(piece + quote for piece, quote in zip(pieces, quoted, strict=True))
