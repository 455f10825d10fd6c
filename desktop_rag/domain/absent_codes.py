"""A model number asked about that nothing found holds, while its sisters stand there.

What is said of the HX-250 reads like an answer about an HX-400, to embedders and to language models
alike. Where no passage names the one and some name others of its family, there is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.facts.codes import Code, codes
from desktop_rag.domain.terms import fold

_FEWEST_DIGITS = 2
"""`Q3` may be written as the third quarter."""
_MOST_TOLD = 3
_NO_LETTER = re.compile(r"[\W_]+")


def absent_code(question: str, passages: Sequence[Passage]) -> str:
    """A sentence that names it and its sisters; empty when there is no such number.

    Args:
        question: about one thing; of a comparison one side may be missing.
        passages: all that was found.
    """
    asked = [one for one in codes(question) if one.family and _digits(one) >= _FEWEST_DIGITS]
    if not asked or not passages:
        return ""
    texts = [f"{one.path} {one.title} {one.section} {one.columns}\n{one.text}" for one in passages]
    held = _NO_LETTER.sub("", fold(" ".join(texts)))
    for one in asked:
        is_held = _NO_LETTER.sub("", one.key) in held
        sisters = [] if is_held else _sisters(one, texts)
        if sisters:
            written = question[one.start : one.end]
            return f"What comes closest is about {', '.join(sisters)}, not about {written}."
    return ""


def is_of_one_each(question: str) -> bool:
    """Whether it names several numbers, no two of a family: `error E09 on the HX-200`.

    One passage must then hold them all; of sisters, each may have its own.
    """
    families = [one.family for one in codes(question)]
    return len(families) > 1 and len(set(families)) == len(families)


def _sisters(code: Code, texts: Sequence[str]) -> list[str]:
    found = {
        other.key: text[other.start : other.end]
        for text in texts
        for other in codes(text)
        if other.family == code.family and _digits(other) == _digits(code)
    }
    return sorted(found.values())[:_MOST_TOLD]


def _digits(code: Code) -> int:
    return sum(letter.isdigit() for letter in code.key)
