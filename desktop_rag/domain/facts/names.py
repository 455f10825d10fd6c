"""Proper names in a sentence, and whether a source holds them.

A name is a capitalised word that does not merely begin its sentence, with what belongs to it; a
first word counts when the sources or the question know it as a name. Names meet without case and
accents, with an ending more or less, and as their initials (`United States`, `U.S.`). Languages
that write every noun with a capital (German) do not tell names from nouns: there only names behind
a form of address or a bare preposition count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from desktop_rag.domain.terms import FUNCTION_WORDS, fold

_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W\d_]+(?:['’&-][^\W\d_]+)*")
_PARTS = re.compile(r"[^\W_]+")
_BEGIN = re.compile(r"(?:^|[.!?:;•|\n\"“”‘„«(\[*]\s*|[-–—]\s)$")
_POSSESSIVE = re.compile(r"['’]s?$")
_PEOPLE = {
    "english": "england", "french": "france", "spanish": "spain", "dutch": "netherlands",
    "swiss": "switzerland", "greek": "greece", "welsh": "wales", "danish": "denmark",
    "polish": "poland", "turkish": "turkey", "jewish": "jews",
}  # fmt: skip
_TITLES = frozenset(
    """
    mr mrs ms miss dr prof professor president king queen sir lord lady saint st prince princess
    emperor pope duke general minister chancellor senator judge captain company herr frau
    monsieur madame señor señora the yes no note answer question source passage document i
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_GERMAN_NAME = re.compile(
    r"\b(?:Herrn?|Frau|Dr\.|Prof\.|Firma|in|aus|nach|von|bei|mit|durch)\s(?P<name>[A-ZÄÖÜ][\w-]{2,})"
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|dem|und|ist|sind|wird|werden|wurde|wurden|nicht|ein|eine|einen|von|mit|für"
    r"|im|zu|auf|wie|wo|wer|wann|welche|welcher|kann|darf|muss|viel|viele)\b",
    re.IGNORECASE,
)
_LEAST_GERMAN = 2
_LEAST_PREFIX = 4
_MOST_ENDING = 3
_ALIKE = 0.8
"""From here (`difflib`) two words are one, mistyped."""
_OF_PLACE = re.compile(r"(?<=[a-z]{3})(?:ians?|eans?|ans?|ish|ese|land|ain|ns?|y|ia|ic|a)$")
"""What turns a country or a town into its people: Italy, Italian; Britain, British."""
_ACRONYM = re.compile(r"[A-Z]{2,6}s?")
_SMALL = frozenset(
    """
    of the and for de la del du der des van von & y e di
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a source, as names are looked up in it."""

    words: frozenset[str]
    initials: frozenset[str]
    """Of its runs of capitalised words."""

    def has(self, word: str) -> bool:
        """Whether one word of a name stands here, perhaps with another ending."""
        if word in self.words or word in self.initials:
            return True
        if len(word) < _LEAST_PREFIX:
            return False
        return any(_is_form(word, known) for known in self.words)

    def has_like(self, name: tuple[str, ...]) -> bool:
        """Whether words spelled nearly like a name stand here: questions are typed in haste."""
        return all(self.has(word) or _has_near(word, self.words) for word in name)

    def has_name(self, name: tuple[str, ...]) -> bool:
        """Whether all words of a name stand here, or its initials."""
        initials = "".join(word[0] for word in name)
        if len(name) > 1 and initials in (self.words if len(name[0]) > 1 else self.initials):
            return True
        return all(map(self.has, name))


def vocabulary(text: str) -> Vocabulary:
    """Words and initials of a text."""
    words = {part for one in _PARTS.findall(text) for part in (fold(one),)}
    words |= {_plain(one) for one in re.findall(r"(?:[A-Z]\.){2,}", text)}
    return Vocabulary(frozenset(words), frozenset(_initials(text)))


def names(text: str, known: Set[str] = frozenset()) -> list[tuple[str, ...]]:
    """Names of a text, each as the folded words that are compared.

    Args:
        text: a sentence or more.
        known: folded words that are names even where they begin a sentence.
    """
    if is_german(text):
        return [(fold(one["name"]),) for one in _GERMAN_NAME.finditer(text)]
    found = []
    for run in _runs(text):
        kept = [word for word, is_initial in run if not is_initial or word in known]
        kept = [word for word in kept if word not in _TITLES]
        if kept:
            found.append(tuple(part for word in kept for part in _PARTS.findall(word)))
    # A single letter is a symbol more often than a name.
    return [name for name in found if len("".join(name)) > 1]


def sure_names(text: str) -> frozenset[str]:
    """Folded words that a text writes with a capital though they begin no sentence."""
    words = {word for run in _runs(text) for word, is_initial in run if not is_initial}
    return frozenset(words)


def is_german(text: str) -> bool:
    """Whether nouns are likely to have capitals in this text."""
    return len(set(map(str.lower, _GERMAN.findall(text)))) >= _LEAST_GERMAN


def _runs(text: str) -> Iterator[list[tuple[str, bool]]]:
    """Capitalised words that stand together: each folded, and whether it begins a sentence."""
    run: list[tuple[str, bool]] = []
    end = 0
    is_owner = False
    for one in _WORD.finditer(text):
        gap = text[end : one.start()]
        if run and (gap not in {" ", "\u00a0", ". "} or is_owner):
            yield run
            run = []
        if one.group()[0].isupper():
            is_initial = bool(_BEGIN.search(text[: one.start()][-4:])) or one.start() == 0
            is_sure = bool(_ACRONYM.fullmatch(one.group())) or "." in one.group()
            word = _plain(one.group())
            # `US` and `IT` are names, `Us` and `It` are not.
            if is_sure or word not in FUNCTION_WORDS:
                run.append((word, is_initial and not is_sure))
        elif run:
            yield run
            run = []
        end = one.end()
        is_owner = bool(_POSSESSIVE.search(one.group()))
    if run:
        yield run


def _initials(text: str) -> Iterator[str]:
    """Initials of every stretch of a run, with and without the small words between."""
    run: list[str] = []
    for one in _WORD.finditer(text):
        word = one.group()
        if word[0].isupper():
            run += [part[0].lower() for part in re.split(r"[-&]", word) if part]
        elif word.lower() not in _SMALL:
            yield from _stretches(run)
            run = []
    yield from _stretches(run)


def _stretches(run: list[str]) -> Iterator[str]:
    letters = "".join(run[:12])
    for start in range(len(letters)):
        for end in range(start + 2, min(len(letters), start + 6) + 1):
            yield letters[start:end]


@lru_cache(maxsize=16384)
def _base(word: str) -> str:
    return _OF_PLACE.sub("", _PEOPLE.get(word, word))


def _plain(word: str) -> str:
    return fold(_POSSESSIVE.sub("", word).replace(".", ""))


def _has_near(word: str, words: Set[str]) -> bool:
    if len(word) < _LEAST_PREFIX:
        return False
    alike = [known for known in words if known[0] == word[0] and abs(len(known) - len(word)) < 3]
    return bool(get_close_matches(word, alike, n=1, cutoff=_ALIKE))


def _is_form(one: str, other: str) -> bool:
    if _base(one) == _base(other):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < _LEAST_PREFIX or len(long) - len(short) > _MOST_ENDING:
        return False
    if one.isascii() and other.isascii():
        return long.startswith(short)
    return one[: max(_LEAST_PREFIX, len(short) - 2)] == other[: max(_LEAST_PREFIX, len(short) - 2)]
