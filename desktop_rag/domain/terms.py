"""Cuts text into search terms: what keyword search indexes and what a question is compared by.

Rules, in order: accents are folded and case is dropped; words joined by punctuation or written in
camelCase (`CVE-2024-1234`, `snake_case`, `getUserName`) give their parts *and* the whole, and what
lies between (`src/read_file.py` also gives `read_file` and `read_file.py`); a whole is written
without joints, so `XC-23` meets `XC23`, but for those between two digits (`3.14` is not `314`);
numbers lose thousands separators, `1.234,50` is `1234.50` and `v2.10` is `2.10`; scripts written
without spaces give pairs of characters. Hyphens that cannot be seen or only look different, and
letters in full width, are plain ones.
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
# 1.234,50 can only be 1234.50; 1.234 alone may be either and 12,5 a list, so they stay.
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+),(\d+)(?![\d,]|\.\d)")
_LEVELS = tuple(re.compile(one) for one in (r"[/@#:]+", r"\.+", r"[-_+'’]+"))
"""What joins words to a name, the loosest first."""
_DROPPED = re.compile(r"(?<!\d)[-_.:/@#+'’]+|[-_.:/@#+'’]+(?!\d)")
_VERSION = re.compile(r"^[vV](?=\d+\.\d)")
_LOOKALIKES: dict[int, int | None] = {0xAD: None, 0x2010: 0x2D, 0x2011: 0x2D, 0x2212: 0x2D}
_LOOKALIKES |= {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
_ACCENT = re.compile(r"[\u0300-\u036f]")
# Letters that Unicode does not take apart into a letter and an accent.
_STROKES = {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"}
_APOSTROPHE = re.compile(r"['’](?:s|t|d|ll|re|ve|m)\b", re.IGNORECASE)
MAX_TERM_CHARS = 64
"""Longer runs (base64, long addresses) are cut: nobody searches for all of one."""


def terms(text: str) -> list[str]:
    """Search terms of a text in reading order, with repeats; neither stemmed nor stopped."""
    found: list[str] = []
    for word in words(text):
        found.extend(_word_terms(word))
    return found


def words(text: str) -> list[str]:
    """Words as they are written, identifiers whole; numbers without thousands separators."""
    text = plain(text)
    if "," in text:
        text = _DECIMAL_COMMA.sub(_with_point, text)
    return _WORD.findall(_THOUSANDS.sub("", text))


def plain(text: str) -> str:
    """Text with plain hyphens and letters of plain width, without soft hyphens."""
    return text if text.isascii() else text.translate(_LOOKALIKES)


def content_terms(text: str) -> list[str]:
    """The different terms of a text that carry meaning, in order of appearance."""
    return [term for term in dict.fromkeys(terms(text)) if term not in FUNCTION_WORDS]


def fold(text: str) -> str:
    """Lower case without accents: `Ölpreis` and `olpreis` are one term."""
    if text.isascii():
        return text.lower()
    plain_text = text.casefold()
    # Six replacements of long texts take a tenth of one translation.
    for stroke, letters in _STROKES.items():
        plain_text = plain_text.replace(stroke, letters)
    bare = _ACCENT.sub("", unicodedata.normalize("NFKD", plain_text))
    return unicodedata.normalize("NFC", bare)


def pieces(word: str) -> list[tuple[str, bool]]:
    """One of `words` in its parts, then the whole; and whether a piece is of a script without
    spaces. Neither folded nor cut, and runs without spaces are whole.
    """
    if word.isascii():
        return [(piece, False) for piece in _spaced_pieces(word)]
    found: list[tuple[str, bool]] = []
    end = 0
    for run in _UNSPACED.finditer(word):
        found.extend((piece, False) for piece in _spaced_pieces(word[end : run.start()]))
        found.append((run.group(), True))
        end = run.end()
    found.extend((piece, False) for piece in _spaced_pieces(word[end:]))
    return found


@lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, ...]:
    found: list[str] = []
    for piece, is_unspaced in pieces(word):
        found.extend(pairs(fold(piece)) if is_unspaced else [cut(fold(piece))])
    return tuple(term for term in dict.fromkeys(found) if term)


def _spaced_pieces(word: str) -> list[str]:
    """Parts, then the whole, of a word in a script that has spaces."""
    if word.isalpha() and (word.islower() or word.istitle()):
        return [word]
    bare = _APOSTROPHE.sub("", word)
    if bare.endswith(("++", "#")) and bare.rstrip("+#").isalnum():  # C++, C#
        return [bare]
    found: list[str] = []
    _split(_VERSION.sub("", bare), 0, found)
    return found


def _split(name: str, level: int, found: list[str]) -> None:
    """Append the pieces of a name to `found`: those of its parts at a level, then the whole."""
    if level == len(_LEVELS):
        parts = _CAMEL.split(name)
        found.extend(parts)
    else:
        parts = [part for part in _LEVELS[level].split(name) if part]
        for part in parts:
            _split(part, level + 1, found)
    if len(parts) > 1:
        found.append(_DROPPED.sub("", name))


def cut(piece: str) -> str:
    """A folded piece as a term: without spaces, of bounded length."""
    # The compatibility form of a mark that stands alone (Arabic U+FC70) brings a space along.
    return "".join(piece.split())[:MAX_TERM_CHARS]


def _with_point(number: re.Match[str]) -> str:
    return f"{number[1].replace('.', '')}.{number[2]}"


def pairs(run: str) -> list[str]:
    """Every two neighbouring characters; the character itself when there is only one."""
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
