"""Tells text from rubbish: characters without meaning, letters that are no language, bad OCR.

A font without a right character map, or an old scanner's recognition, leaves text that nobody can
find or read although the page looks well. The rules are set so that tables, code, references and
text in any language pass; what is judged rubbish is worth a second of text recognition.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MIN_LETTERS = 120
_MIN_WORDS = 20
"""Different words of a text that is judged; one word a thousand times proves nothing."""
_MAX_UNREADABLE = 0.1
"""Share of a page's characters that may stand for nothing: bullets of symbol fonts do."""
_MIN_UNREADABLE = 5
_HOLE = re.compile(r"[^\W\d_]\ufffd|\ufffd[^\W\d_]")
"""An unknown character in a word; arrows and boxes of forms stand alone."""
_MIN_HOLES = 20
_MAX_HOLES = 0.01
_FREQUENCIES = (
    82, 14, 31, 43, 130, 15, 18, 28, 74, 3, 7, 44, 26,
    73, 66, 22, 4, 66, 66, 67, 37, 14, 10, 3, 10, 7,
)  # fmt: skip
"""Letters from a to z a thousand, the mean of English, German, French, Spanish and Italian."""
_MIN_LIKENESS = 0.8
"""Cosine of a page's letters with a language's: text has 0.8 or more, shifted letters 0.4-0.7."""
_COMMON_WORDS = (
    "the of and to in is for a on that by with as or are be this from at you not it der die das und"
    " den von zu mit ein eine ist im des auf le la les de et un une du en que pour dans est el los"
    " las y por con se del para il di che per non una een het van op i och att som er og det av"
    " o e os da do em um uma w z na nie za"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")
_ODD = re.compile(r"[!\"#$%&'()<>?@\[\\\]^`{|}~;]")
_TOKEN = re.compile(r"\S+")
_SOUND = re.compile(
    r"[(\"'“„«\[]*(?:[^\W\d_][a-zß-ÿ]+|[A-ZÀ-Þ][a-zß-ÿ]+|[A-ZÀ-Þ]{2,}|\d[\d.,:/%-]*|[aAI&]|[–—.…*•-]+)"
    r"(?:['’\-/](?:[^\W\d_]+|\d+))*[)\"'”“»\].,:;!?%]*"
)
_VOWEL = re.compile(r"[aeiouyà-ÿAEIOUYÀ-Þ\d&]|^\W+$")
_MIN_SOUND = 0.85
_MIN_TOKENS = 20


def is_unreadable(text: str, unreadable: int) -> bool:
    """Whether too many of a page's characters stand for nothing.

    Args:
        unreadable: number of control characters, replacement characters and characters of private
            use in the page as it was read; cleaning takes some of them out of `text`.
    """
    if unreadable >= len(text) - unreadable:
        return unreadable > 0
    if unreadable < _MIN_UNREADABLE:
        return False
    holes = len(_HOLE.findall(text))
    return unreadable > _MAX_UNREADABLE * (len(text) + unreadable) or (
        holes >= _MIN_HOLES and holes > _MAX_HOLES * len(text)
    )


def is_no_language(text: str) -> bool:
    """Whether a page's letters, or the lack of them, are those of no language.

    Only Latin letters are judged. Both must be wrong: how often each letter stands, and that none
    of the words stand that every text in these languages has.
    """
    packed = "".join(text.split())
    if len(packed) < _MIN_LETTERS:
        return False
    if len(_ODD.findall(packed)) > 0.4 * len(packed):
        return True
    lower = packed.lower()
    letters = [lower.count(letter) for letter in _LETTERS]
    total = sum(letters)
    if total < _MIN_LETTERS or total < 0.5 * len(packed) or _likeness(letters) >= _MIN_LIKENESS:
        return False
    words = _WORD.findall(text.lower())
    common = sum(word in _COMMON for word in words)
    return len(set(words)) >= _MIN_WORDS and common < 0.02 * len(words)


def _likeness(letters: Sequence[int]) -> float:
    """Cosine between the counts of the letters from a to z and what a language has."""
    dot = sum(n * weight for n, weight in zip(letters, _FREQUENCIES, strict=True))
    return dot / (math.hypot(*letters) * math.hypot(*_FREQUENCIES))


def is_badly_recognised(text: str) -> bool:
    """Whether a layer of recognised text has too few sound words to be relied on.

    Only text in Latin letters is judged.
    """
    tokens = _TOKEN.findall(text)
    if len(tokens) < _MIN_TOKENS or sum(c > "\u024f" and c.isalpha() for c in text) > 0.2 * len(
        text
    ):
        return False
    return sound_words(text) < _MIN_SOUND


def sound_words(text: str) -> float:
    """Share of the words, by their letters, that are written like words or numbers, in [0, 1]."""
    tokens = _TOKEN.findall(text)
    sound = sum(len(token) for token in tokens if _SOUND.fullmatch(token) and _VOWEL.search(token))
    return sound / (sum(map(len, tokens)) or 1)
