"""How near an answer in words comes to one that somebody wrote down.

As the evaluation scripts of SQuAD define it (Rajpurkar et al. 2016, `evaluate-v2.0.py`): letters
small, without punctuation, articles and repeated spaces; words are what spaces part. Chinese and
Japanese characters count one by one, as in MLQA's script (Lewis et al. 2020). Numbers of citations
are no part of an answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from desktop_rag.domain.marks import without_marks

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")


def normalised(text: str) -> list[str]:
    """The words that are compared, in order."""
    folded = unicodedata.normalize("NFKC", without_marks(text)).casefold()
    bare = "".join(one for one in folded if unicodedata.category(one)[0] not in "PS")
    return _CJK.sub(r" \1 ", _ARTICLES.sub(" ", bare)).split()


def contains(text: str, wanted: Sequence[str]) -> bool:
    """Whether the text holds any of the answers, word for word."""
    held = f" {' '.join(normalised(text))} "
    return any(f" {' '.join(words)} " in held for words in map(normalised, wanted) if words)


def is_exact(text: str, wanted: Sequence[str]) -> bool:
    """Whether the text is any of the answers and nothing else."""
    words = normalised(text)
    return any(words == normalised(one) for one in wanted)


def token_f1(text: str, wanted: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of words with the nearest answer, in [0, 1]."""
    words = normalised(text)
    return max((_f1(words, normalised(one)) for one in wanted), default=0.0)


def _f1(words: Sequence[str], wanted: Sequence[str]) -> float:
    shared = (Counter(words) & Counter(wanted)).total()
    if not shared:
        return float(not words and not wanted)
    return 2 * shared / (len(words) + len(wanted))
