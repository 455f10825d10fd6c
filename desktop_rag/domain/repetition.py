"""Notices that a language model says the same again and again.

Small models fall into loops: the last words make the same words likely again. Nothing but a limit
ends that, and what is written until then helps nobody.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\S+")
_LONGEST = 60
"""Words of the longest passage that is looked for."""
_TIMES = 3
"""Twice may be a refrain; a list names its heading twice."""
_LEAST_CHARS = 60
"""What is repeated must come to so much together: "ha ha ha" is no loop."""
_SENTENCE_END = re.compile(r"[.!?。！？](?:\s*\[\d+\])*[\"'”’)]*(?=\s|$)|\n")


def loop_start(text: str) -> int | None:
    """Where the end of the text begins to repeat itself; `None` when it does not.

    Returns:
        the position after the first occurrence of what is repeated at least three times over.
    """
    spans = [match.span() for match in _WORD.finditer(text)][-_LONGEST * _TIMES :]
    words = [text[start:end] for start, end in spans]
    for period in range(1, len(words) // _TIMES + 1):
        repeated = _repeated_words(words, period)
        begin = len(words) - repeated
        if repeated >= period * _TIMES and len(text) - spans[begin][0] >= _LEAST_CHARS:
            begin += _tail_of_sentence(words, begin, period)
            return spans[begin + period - 1][1]
    return None


def _tail_of_sentence(words: list[str], begin: int, period: int) -> int:
    """Words at `begin` that end the sentence before the loop, and end like what is repeated."""
    if not begin or _ends(words[begin - 1]):
        return 0
    ends = (count for count in range(1, period) if _ends(words[begin + count - 1]))
    return next(ends, 0)


def _ends(word: str) -> bool:
    return bool(_SENTENCE_END.search(word)) or word.endswith("].")


def _repeated_words(words: list[str], period: int) -> int:
    """How many words at the end are each the same as the one `period` words before or after."""
    count = period
    while count < len(words) and words[-count - 1] == words[-count - 1 + period]:
        count += 1
    return count


def without_loop(text: str, start: int) -> str:
    """The text up to its last whole sentence before a loop; the words before it without one."""
    kept = text[:start]
    ends = [match.end() for match in _SENTENCE_END.finditer(kept)]
    return (kept[: ends[-1]] if ends else kept).strip()
