"""Tells the code page of text in Latin letters: by the language its accented letters make sense in.

A naive Bayes classifier over pairs of code page and language. Only bytes beyond ASCII count: each
is a letter of the language, more or less frequent (Zipf's law over the order given here), another
letter, a sign, or something that does not stand where it is.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache

_PAGES = (
    *("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257"),
    *("cp850", "cp437", "cp852", "cp857", "iso8859_15", "mac_roman", "mac_latin2"),
)
"""In order of how common they are: of two that say the same, the first is taken."""
_LANGUAGES = (
    "áéíóúñü",  # Spanish
    "éèàêâîôûçùëïœæü",  # French
    "äüößé",  # German
    "ãçáéíóêâõúàô",  # Portuguese
    "èàòùìé",  # Italian
    "æøåéóä",  # Danish, Norwegian
    "äöåé",  # Swedish, Finnish
    "ëéèïöü",  # Dutch
    "àçèéíòóúïü",  # Catalan
    "áðéíóúýþæö",  # Icelandic
    "ıüşöçğâîû",  # Turkish
    "íáéěřčžšýůúťóňď",  # Czech
    "áíčžýéšúľťôňďäóĺŕ",  # Slovak
    "łóęąśżćńź",  # Polish
    "áéöóőüíúű",  # Hungarian
    "ăîâșțşţ",  # Romanian
    "čšžćđ",  # Slovene, Croatian
    "äõüöšž",  # Estonian
    "ėšžįųūčąę",  # Lithuanian
    "āīšēūļņžķģč",  # Latvian
    "éáíóúàèñçãõêâôîûüöäßåæøëïœìòùýðþæ",  # several of the West in one text
)
_SIGNS = frozenset("«»‘’“”„–—…€£§°·•©®™¿¡²³½¼´×\xa0\xad")
_IN_WORDS = frozenset("’·\xad")
"""Signs that stand between letters."""
_LETTER, _SPACE, _SIGN, _OTHER_LETTER, _ODD = 0.9, 0.1, 0.006, 0.0002, 0.00001
_UPPER, _ALONE = 0.1, 0.1
"""How much rarer a letter is as a capital, and outside of words."""
_STRANGER = 0.6
"""How much rarer text is on every page after the first of `_PAGES`, which has most of it."""


def latin_page(sample: bytes) -> str:
    """Name of the code page that makes most sense of `sample`, which is not UTF-8."""
    seen = _bytes_in_place(sample)
    return max(_PAGES, key=lambda page: _likelihood(page, seen))


def _bytes_in_place(sample: bytes) -> Counter[tuple[int, str, str]]:
    """How often each byte beyond ASCII comes: (byte, what is before it, what after)."""
    seen: Counter[tuple[int, str, str]] = Counter()
    for found in re.finditer(rb"[\x80-\xff]", sample):
        at = found.start()
        after, before = sample[max(at - 1, 0) : at], sample[at + 1 : at + 2]
        seen[sample[at], _neighbour(after), _neighbour(before)] += 1
    return seen


def _neighbour(byte: bytes) -> str:
    """A small letter, another letter (of which page is open) or nothing that belongs to words."""
    if byte.islower():
        return "a"
    return "A" if byte.isalpha() or byte > b"\x7f" else ""


def _likelihood(page: str, seen: Counter[tuple[int, str, str]]) -> float:
    prior = math.log(_STRANGER) * min(_PAGES.index(page), 1)
    characters = {byte: bytes([byte]).decode(page, errors="replace") for byte, _, _ in seen}
    return prior + max(
        sum(
            number * math.log(_chance(characters[byte], before, after, language))
            for (byte, before, after), number in seen.items()
        )
        for language in _LANGUAGES
    )


@cache
def _chance(character: str, before: str, after: str, language: str) -> float:
    """How probable a character is in a language, between such neighbours."""
    if character.isalpha():
        place = language.find(character.lower())
        chance = _OTHER_LETTER if place < 0 else _LETTER * _zipf(place, len(language))
        if not before and not after:
            chance *= _ALONE
        if character.islower():
            return chance
        return _ODD if before == "a" else chance * _UPPER
    if character not in _SIGNS:
        return _ODD
    if character == "\xa0" and not before == after == "a":
        return _SPACE
    return _ODD if before == after == "a" and character not in _IN_WORDS else _SIGN


@cache
def _zipf(place: int, number: int) -> float:
    return 1 / (place + 1) / sum(1 / (n + 1) for n in range(number))
