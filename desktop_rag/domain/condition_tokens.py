"""The words of a condition, and which of them say nothing by themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain import condition_words
from desktop_rag.domain.terms import fold

_TOKEN = re.compile(r'"[^"]+"|[^\s"]+')
FILLERS = frozenset(condition_words.FILLERS.split())
DENIALS = frozenset(condition_words.DENIALS.split())
"""Some are harmless in one language and deny in another: then they deny."""


def tokens_of(condition: str) -> list[str]:
    """Words of a condition, quotations whole and without their quotes."""
    found = (token.strip('"') if '"' in token else token for token in _TOKEN.findall(condition))
    return [token.strip(",;:!?()") or token for token in found if token.strip(",;:!?().")]


def condition_of(tokens: Sequence[str]) -> str:
    """The condition that these are the words of."""
    return " ".join(f'"{one}"' if " " in one else one for one in tokens)


def is_filler(token: str) -> bool:
    """Whether a word says nothing about which records are meant."""
    folded = fold(token).strip(".")
    return folded in FILLERS or (folded.startswith(("d'", "l'")) and len(folded) == 2)
