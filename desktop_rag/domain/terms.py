"""Cuts text into search terms: what keyword search indexes and what a question is compared by.

Rules, in order: accents are folded and case is dropped; words joined by punctuation or written in
camelCase (`CVE-2024-1234`, `snake_case`, `getUserName`) give their parts *and* the whole, written
without joints, so `XC-23` meets `XC23`; numbers keep their joints in the whole (`3.14` is not
`314`) but lose thousands separators; scripts written without spaces give pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters and digits of any script, plus the marks that Indic, Thai, Arabic and Hebrew words
# contain and that `\w` leaves out, and combining accents of text that was not composed.
_LETTER = (
    r"[^\W_\u0300-\u036f]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963"
    r"\u0980-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3]"
)
_WORD = re.compile(rf"(?:{_LETTER})+(?:[-_.:/@#+'’]+(?:{_LETTER})+)*(?:\+\+|#)?")
_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_JOINTS = re.compile(r"[-_.:/@#+'’]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
_ACCENT = re.compile(r"[\u0300-\u036f]")
_APOSTROPHE = re.compile(r"['’](?:s|t|d|ll|re|ve|m)\b", re.IGNORECASE)
MAX_TERM_CHARS = 64
"""Longer runs (base64, long addresses) are cut: nobody searches for all of one."""


def terms(text: str) -> list[str]:
    """Search terms of a text in reading order, with repeats; neither stemmed nor stopped."""
    found: list[str] = []
    for word in _WORD.findall(_THOUSANDS.sub("", text)):
        found.extend(_word_terms(word))
    return found


def content_terms(text: str) -> list[str]:
    """The different terms of a text that carry meaning, in order of appearance."""
    return [term for term in dict.fromkeys(terms(text)) if term not in FUNCTION_WORDS]


def fold(text: str) -> str:
    """Lower case without accents: `Ölpreis` and `olpreis` are one term."""
    if text.isascii():
        return text.lower()
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare)


@lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, ...]:
    found: list[str] = []
    end = 0
    for run in _UNSPACED.finditer(word) if not word.isascii() else ():
        found.extend(_spaced_terms(word[end : run.start()]))
        found.extend(_pairs(fold(run.group())))
        end = run.end()
    found.extend(_spaced_terms(word[end:]))
    return tuple(term for term in dict.fromkeys(found) if term)


def _spaced_terms(word: str) -> list[str]:
    """Parts, then the whole, of a word in a script that has spaces."""
    bare = _APOSTROPHE.sub("", word)
    parts = [part for part in _JOINTS.split(bare) if part]
    if bare.endswith(("++", "#")) and len(parts) == 1:  # C++, C#
        return [_cut(bare)]
    pieces = [piece for part in parts for piece in _CAMEL.split(part)]
    found = [_cut(piece) for piece in pieces]
    if len(pieces) > 1:
        is_number = all(part.isdigit() for part in parts)
        found.append(_cut(bare if is_number else "".join(parts)))
    return found


def _cut(piece: str) -> str:
    # The compatibility form of a mark that stands alone (Arabic U+FC70) brings a space along.
    return "".join(fold(piece).split())[:MAX_TERM_CHARS]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


# The same list as `resources/stopwords/english.txt` (a test compares them): the domain reads no
# files.
# fmt: off
FUNCTION_WORDS = frozenset({
    "a", "about", "above", "after", "again", "against", "ain", "all", "also", "am", "an", "and",
    "any", "are", "aren", "as", "at", "be", "because", "been", "before", "being", "below",
    "between", "both", "but", "by", "can", "could", "couldn", "d", "did", "didn", "do", "does",
    "doesn", "doing", "don", "down", "during", "each", "few", "for", "from", "further", "had",
    "hadn", "has", "hasn", "have", "haven", "having", "he", "her", "here", "hers", "herself",
    "him", "himself", "his", "how", "i", "if", "in", "into", "is", "isn", "it", "its", "itself",
    "just", "let", "ll", "m", "ma", "many", "me", "might", "mightn", "more", "most", "much",
    "must", "mustn", "my", "myself", "needn", "no", "nor", "not", "now", "o", "of", "off", "on",
    "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "re", "s",
    "same", "shall", "shan", "she", "should", "shouldn", "so", "some", "such", "t", "than",
    "that", "the", "their", "theirs", "them", "themselves", "then", "there", "these", "they",
    "this", "those", "through", "to", "too", "under", "until", "up", "us", "ve", "very", "was",
    "wasn", "we", "were", "weren", "what", "when", "where", "which", "while", "who", "whom",
    "why", "will", "with", "won", "would", "wouldn", "y", "you", "your", "yours", "yourself",
    "yourselves",
})
# fmt: on
