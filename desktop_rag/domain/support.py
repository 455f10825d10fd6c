"""Does a text support a statement? Measured by shared content words, numbers exactly.

No model: words are compared by their first letters (a light, language-independent stemmer), runs
of Chinese, Japanese and Korean characters by pairs, numbers by their digits. A statement whose
number does not occur in the source is never supported, however many words agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_TOKEN = re.compile(r"\d[\d.,'\u202f\u00a0]*\d|\d|[^\W\d_]+(?:['’][^\W\d_]+)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STEM_LENGTH = 6
_NUMBER_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_STOP_WORD_LIST = """
a an the of to in on at by for from with as and or but not no is are was were be been being it its
this that these those there here which who whom whose what when where why how do does did has have
had will would can could may might shall should than then so such if into over about between also
according document documents passage passages text based provided states stated mentioned
following context answer question
yes ja oui sí nein non he she they we you i his her their our your my
der die das den dem des ein eine einer eines einem einen und oder aber nicht ist sind war waren wird
werden wurde wurden im am zum zur mit von für auf aus bei nach über unter als auch es er sie wir ihr
sich dass wie was wer wo wann
le la les un une des du de et ou mais ne pas est sont était étaient dans sur pour par avec qui que
quoi dont où ce cette ces il elle ils elles au aux se en
el los las una unos unas y o pero del al por para con su sus lo es son fue fueron
gli i uno e ma non di da nel nella che si è sono era erano
"""
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
"""Function words of English, German, French, Spanish and Italian; they support nothing."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a text says: stems of its content words, and the digits of its numbers."""

    words: frozenset[str]
    numbers: frozenset[str]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compare."""
        return not self.words and not self.numbers


def terms(text: str) -> Terms:
    """Terms of a text, in any language."""
    words: set[str] = set()
    numbers: set[str] = set()
    for found in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = found.group()
        if token[0].isdigit():
            numbers.add(_digits(token))
        else:
            _add_word(token.casefold(), words, numbers)
    return Terms(frozenset(words), frozenset(numbers))


def support(statement: Terms, source: Terms) -> float:
    """Share of the statement's terms that the source holds, in [0, 1]; numbers count double.

    A number that is missing from the source halves what the words gained.
    """
    if statement.is_empty:
        return 0.0
    words = len(statement.words & source.words)
    numbers = len(statement.numbers & source.numbers)
    total = len(statement.words) + 2 * len(statement.numbers)
    share = (words + 2 * numbers) / total
    return share if numbers == len(statement.numbers) else share / 2


def jaccard(one: AbstractSet[object], other: AbstractSet[object]) -> float:
    """Shared part of two sets in [0, 1]; 1 for two empty ones."""
    union = one | other
    return len(one & other) / len(union) if union else 1.0


def _add_word(token: str, words: set[str], numbers: set[str]) -> None:
    if _CJK.search(token):
        # No spaces to go by: neighbouring characters stand in for words.
        words.update(
            {token} if len(token) == 1 else {token[i : i + 2] for i in range(len(token) - 1)}
        )
        return
    word = token.removesuffix("'s").removesuffix("’s")
    if word in _NUMBER_WORDS:
        numbers.add(_NUMBER_WORDS[word])
    elif word not in _STOP_WORDS:
        words.add(_stem(word))


def _stem(word: str) -> str:
    """First letters without a plural s. Short words stay whole: they are names and symbols."""
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:_STEM_LENGTH]


def _digits(number: str) -> str:
    """Digits alone: `1,234.50`, `1.234,50` and `1 234,50` are one number."""
    return "".join(character for character in number if character.isdigit())
