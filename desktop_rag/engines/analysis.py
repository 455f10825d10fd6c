"""Text to search terms of its own language: which stemmer, which function words, which forms.

Scripts decide for themselves: a Greek word meets the Greek stemmer wherever it stands. What is
written in Latin letters is taken for the language most of whose function words the passage holds,
and for English when none stands out. A passage in another Latin language than English also gets
that language's `marker` as a term, so that an index knows which languages it holds; a question is
too short to be sure of, so its words are analysed in each of those.

A passage keeps an accented word in two forms, `cafe` and `café`: the first is found by both
spellings, the second ranks what is written exactly like the question above it; likewise
`retryLimit`, which `retry_limit` finds, too. Whoever asks for a name of several parts means the
name: as a whole it counts more than its parts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import bm25s.stopwords as published
import Stemmer

from desktop_rag import paths
from desktop_rag.domain.notations import same_things
from desktop_rag.domain.terms import MAX_TERM_CHARS, cut, fold, pairs, pieces, plain, words

_RULES = 2
"""Raise when the same text gives other terms than before."""

DEFAULT = "english"
_PUBLISHED: dict[str, Sequence[str]] = {
    "german": published.STOPWORDS_GERMAN,
    "french": published.STOPWORDS_FRENCH,
    "spanish": published.STOPWORDS_SPANISH,
    "portuguese": published.STOPWORDS_PORTUGUESE,
    "italian": published.STOPWORDS_ITALIAN,
    "dutch": published.STOPWORDS_DUTCH,
    "swedish": published.STOPWORDS_SWEDISH,
    "norwegian": published.STOPWORDS_NORWEGIAN,
    "danish": published.STOPWORDS_DANISH,
    "turkish": published.STOPWORDS_TURKISH,
}
# Participles in those lists that are states far more often than not (`Estados Unidos`).
_NO_FUNCTION = {"estado", "estados", "sentido", "sentidos", "stato", "stati"}
_OWN = ("finnish", "polish", "czech", "romanian", "hungarian", "indonesian", "vietnamese")
LANGUAGES = (*_PUBLISHED, *_OWN)
"""Of Latin letters, beside English, by their Snowball names (Vietnamese needs no stemmer)."""

_SCRIPTS = (
    ("greek", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    # Ukrainian and Belarusian letters: there is no stemmer for them, and the Russian one is wrong.
    ("", re.compile(r"[іїєґўІЇЄҐЎ]")),
    ("russian", re.compile(r"[\u0400-\u04ff]")),
    # Letters that Persian and Urdu have and Arabic has not.
    ("", re.compile(r"[\u067e\u0686\u0698\u06a9\u06af\u06cc]")),
    ("arabic", re.compile(r"[\u0600-\u06ff\u0750-\u077f]")),
    ("hindi", re.compile(r"[\u0900-\u097f]")),
    ("tamil", re.compile(r"[\u0b80-\u0bff]")),
    ("armenian", re.compile(r"[\u0530-\u058f]")),
    ("", re.compile(r"[\u0590-\u05ff]")),
)
_UNSPACED = (
    ("thai", re.compile(r"[\u0e00-\u0e7f]")),
    ("korean", re.compile(r"[\uac00-\ud7af]")),
    ("japanese", re.compile(r"[\u3040-\u30ff]")),
    ("chinese", re.compile(r"[\u3400-\u9fff\U00020000-\U0003134f]")),
)
_LETTERS = (
    ("turkish", re.compile(r"[ğışĞİŞ]")),
    ("vietnamese", re.compile(r"[ơưƠƯ\u1ea0-\u1ef9]")),
    ("polish", re.compile(r"[ąćęłńśźżŁŚŻ]")),
    ("czech", re.compile(r"[čďěňřšťůžČŘŠŽ]")),
    ("romanian", re.compile(r"[ăâîșțşţȘȚ]")),
    ("hungarian", re.compile(r"[őűŐŰ]")),
    ("german", re.compile(r"[äöüßÄÖÜ]")),
)
"""Letters that speak for a language like its function words; others may share them."""
# Hebrew points and Arabic vowel signs are written for learners only; the tatweel is ornament.
_POINTS = re.compile(r"[\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]")
_LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")
_VOTERS = 120
"""How many words of a passage are asked for its language: some 10 us."""
_LEAST_VOTES = 3
_LEAST_SHARE = 0.15
_LEAD = 2.0
"""How many times as many function words as English has another language must have."""
_SURE_VOTES = 2
_EXACT_WEIGHT = 0.25
"""Of an accented term beside the folded one: enough to rank it first among equals."""
_FOREIGN_WEIGHT = 0.3
"""Of a term in another language than the question's."""
_NAME_WEIGHT = 8.0
"""Of a whole name against each of its parts, when little else is asked for."""
_SPELT_WEIGHT = 2.0
"""Of a name written exactly like that."""
_FEW, _FEW_BESIDE_CODES = 1, 2
"""How many words of a question leave it a question for the name; names with digits mean more."""
_THING_WEIGHT = 4.0
"""Of a date, number or section that the passage may write otherwise."""
_PREFIX_CHARS = 4
_NAME = re.compile(
    r"[^\W\d].*\d|\d.*[^\W\d]|\d[^\w]+\d|[_/@:]|[a-z][A-Z]|-[A-Z]|--|[^\W_]\.[^\W_]{2}"
)
"""Letters with digits, digits that are joined, or a joint that ordinary words do not have."""
_HUMPED = re.compile(r"_|[a-z][A-Z]")


Forms = tuple[tuple[str, float], ...]
"""The terms that one word of a question may have in the index, and what each is worth."""

_EXACT = "="
"""Begins the second term of a word, which is as it is written."""


def marker(language: str) -> str:
    """The term of every passage in `language`; no word gives it, for words have no such sign."""
    return f"@{language}"


class Analyzer:
    """Text to stemmed terms without function words. Thread-safe.

    Args:
        stop_words: of English and of each of `LANGUAGES`, lower case.
    """

    def __init__(self, stop_words: dict[str, Collection[str]]) -> None:
        self._stopped = {name: frozenset(found) for name, found in stop_words.items()}
        self._stopped[""] = frozenset()
        names = {*stop_words, *(name for name, _ in _SCRIPTS)} & set(Stemmer.algorithms())
        self._stemmers = {name: Stemmer.Stemmer(name) for name in names}
        self._votes: dict[str, list[str]] = {}
        for name in (DEFAULT, *LANGUAGES):
            for word in self._stopped.get(name, ()):
                self._votes.setdefault(word, []).append(name)
        self._analysed = lru_cache(maxsize=131072)(self._analyse)
        self.version = self._fingerprint()

    def terms(self, text: str) -> list[str]:
        """Terms of a passage in reading order, with repeats, its language's `marker` last."""
        found = words(text)
        language = self.language(found)
        terms: list[str] = []
        exact: dict[str, None] = {}
        analysed = self._analysed
        for word in found:
            terms.extend(analysed(word, language))
            if not word.isascii() or _HUMPED.search(word):
                exact.update(dict.fromkeys(_spellings(word)))
        # Once a passage: more would make its length another one.
        terms.extend(exact)
        terms.extend(same_things(plain(text)))
        if language != DEFAULT:
            terms.append(marker(language))
        return terms

    def question(self, text: str, held: Sequence[str] = ()) -> list[Forms]:
        """The different words of a question; of each the terms it may have in the index.

        Args:
            text: of any kind.
            held: those of `LANGUAGES` that the index holds passages in.
        """
        found = words(text)
        language, is_sure = self._asked_in(found, held)
        others = [name for name in (DEFAULT, *held) if name != language]
        weight = _FOREIGN_WEIGHT if is_sure else 1.0
        asked: dict[Forms, None] = {}
        names: dict[Forms, str] = {}
        beside = 0
        for word in found:
            known = pieces(word)
            whole = known[-1][0] if len(known) > 1 else ""
            for piece, is_unspaced in known:
                if is_unspaced:
                    asked.update(dict.fromkeys(((one, 1.0),) for one in pairs(cut_run(piece))))
                elif forms := self._forms(piece, language, others, weight):
                    asked[forms] = None
                    beside += not whole
                    if piece == whole:
                        names[forms] = word
        return [_named(forms, names[forms], beside) if forms in names else forms for forms in asked]

    def hints(self, text: str) -> Forms:
        """Terms of a question that are not its words: dates, numbers, sections, joined names.

        They rank passages that hold them higher; none of them need be there.
        """
        things = (*same_things(plain(text)), *_neighbours(words(text)))
        return tuple(dict.fromkeys(things, _THING_WEIGHT).items())

    def stem(self, word: str, language: str) -> str:
        """The term of one word in a language; empty for its function words."""
        return next(iter(self._piece_terms(word, language)), "")

    def asked_language(self, text: str, held: Sequence[str] = ()) -> str:
        """The language a question is surely in, by its name; empty for English and when in doubt.

        Of 14,000 English questions one is taken for another; of those in twelve other languages 94
        of 100 are told when the index holds passages in their language (`held`), else 92.
        """
        found = [word for word in words(text)[:_VOTERS] if not word[0].isdecimal()]
        if foreign := _foreign_language(found):
            return foreign
        votes = self._count(found)
        english = votes.pop(DEFAULT, 0)
        best = max(votes, key=votes.__getitem__, default=DEFAULT)
        count = votes.get(best, 0)
        is_sure = count >= _SURE_VOTES and count > _LEAD * english
        return best if is_sure or (count > english and best in held) else ""

    def language(self, found: Sequence[str]) -> str:
        """The language of a passage's words in Latin letters."""
        # Different words: a name on every line of a list is one voter.
        voters = set(found[:_VOTERS])
        votes = self._count(voters)
        best = max(votes, key=votes.__getitem__, default=DEFAULT)
        least = max(_LEAST_VOTES, _LEAST_SHARE * len(voters))
        is_enough = votes.get(best, 0) >= least
        return best if is_enough and votes[best] > _LEAD * votes.get(DEFAULT, 0) else DEFAULT

    def language_of(self, text: str) -> str:
        """The language of a passage in any letters, by its name."""
        found = words(text)
        return _foreign_language(found[:_VOTERS]) or self.language(found)

    def _asked_in(self, found: Sequence[str], held: Sequence[str]) -> tuple[str, bool]:
        """The language of a question out of those of the index; whether anything speaks for it."""
        votes = self._count(found[:_VOTERS])
        # The first of equals is taken.
        best = max((DEFAULT, *held), key=lambda name: votes.get(name, 0))
        return best, votes.get(best, 0) > 0

    def _count(self, found: Collection[str]) -> dict[str, int]:
        """How many words are function words, or have letters, of one language only."""
        votes: dict[str, int] = {}
        for word in found:
            for name in self._votes.get(word.lower(), ()):
                votes[name] = votes.get(name, 0) + 1
            if not word.isascii():
                for name, letters in _LETTERS:
                    if letters.search(word):
                        votes[name] = votes.get(name, 0) + 1
        return votes

    def _forms(self, piece: str, language: str, others: Sequence[str], weight: float) -> Forms:
        """The terms of a question's word; none if it is a function word of the question."""
        forms = dict.fromkeys(self._piece_terms(piece, language), 1.0)
        if not forms:
            return ()
        for name in others:
            for term in self._piece_terms(piece, name):
                forms.setdefault(term, weight)
        if not piece.isascii() and (exact := _exact(piece)):
            forms[exact] = _EXACT_WEIGHT
        return tuple(forms.items())

    def _analyse(self, word: str, language: str) -> tuple[str, ...]:
        found: list[str] = []
        # `License-license` is one piece, `licensed_license` two that stem alike.
        different = {fold(piece): (piece, is_unspaced) for piece, is_unspaced in pieces(word)}
        for piece, is_unspaced in different.values():
            if not is_unspaced:
                found.extend(self._piece_terms(piece, language))
                continue
            run = cut_run(piece)
            # Once a run, which may be a whole sentence: measures better than with repeats.
            found.extend(dict.fromkeys(pairs(run)))
            # For questions of one character, which in Thai and its kin mean nothing.
            if len(run) > 1 and run[0] >= "\u2e80":
                found.extend(dict.fromkeys(run))
        return tuple(found)

    def _piece_terms(self, piece: str, language: str) -> tuple[str, ...]:
        if piece.isascii():
            plain = surface = cut(piece.lower())
        else:
            surface = _surface(piece)
            plain = cut(fold(surface))
            language = _script(surface, language)
        stopped = self._stopped.get(language, ())
        if not plain or surface in stopped or (language == DEFAULT and plain in stopped):
            return ()
        stemmer = self._stemmers.get(language)
        # English has no accents of its own: `naïve` is stemmed like `naive`.
        base = plain if language == DEFAULT else surface
        stem = cut(fold(stemmer.stemWord(base))) if stemmer else plain
        return (stem,) if stem else ()

    def _fingerprint(self) -> str:
        lists = sorted((word, *names) for word, names in self._votes.items())
        told = f"{_RULES} {Stemmer.version()} {unicodedata.unidata_version} {lists}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def shipped_analyzer() -> Analyzer:
    """With the function words that come with the program."""
    own = {
        name: _read(paths.shipped("resources", "stopwords", f"{name}.txt"))
        for name in (DEFAULT, *_OWN)
    }
    lists = {**own, **_PUBLISHED, "russian": published.STOPWORDS_RUSSIAN}
    return Analyzer({name: set(found) - _NO_FUNCTION for name, found in lists.items()})


def cut_run(run: str) -> str:
    """A run of a script without spaces, folded; however long, all of it is searchable."""
    return "".join(fold(run).split())


def _named(forms: Forms, word: str, beside: int) -> Forms:
    """A whole name of a question with its spelling; worth more when little is asked beside it."""
    few = _FEW_BESIDE_CODES if any(one.isdecimal() for one in word) else _FEW
    is_wanted = beside == 0 or (beside <= few and _NAME.search(word))
    if not is_wanted:
        return forms
    spelt = ((one, _SPELT_WEIGHT) for one in _spellings(word) if word.isascii())
    return tuple((term, weight * _NAME_WEIGHT) for term, weight in (*forms, *spelt))


def _neighbours(found: Sequence[str]) -> list[str]:
    """Names that a question may have taken apart: `XC 23` for `XC23`."""
    return [
        fold(before + after)
        for before, after in pairwise(found)
        if before.isalpha()
        and len(before) <= _PREFIX_CHARS
        and after.isdecimal()
        and (before.isupper() or len(found) == 2)
    ]


@lru_cache(maxsize=16384)
def _spellings(word: str) -> tuple[str, ...]:
    """The second terms of a word as it is written; most have none."""
    if word.isascii():
        return (_EXACT + word[:MAX_TERM_CHARS],) if _HUMPED.search(word) else ()
    exact = (_exact(piece) for piece, is_unspaced in pieces(word) if not is_unspaced)
    return tuple(term for term in exact if term)


def _exact(piece: str) -> str:
    if not _LATIN.search(piece):
        return ""
    surface = _surface(piece)
    return _EXACT + surface if surface != cut(fold(surface)) else ""


def _surface(piece: str) -> str:
    return cut(_POINTS.sub("", unicodedata.normalize("NFKC", piece.casefold())))


def _foreign_language(found: Sequence[str]) -> str:
    """What half of the words are written in, when that is no Latin script; else empty."""
    foreign = [name for word in found if not word.isascii() and (name := _foreign_script(word))]
    is_most = bool(foreign) and 2 * len(foreign) >= len(found)
    return max(set(foreign), key=foreign.count) if is_most else ""


def _foreign_script(word: str) -> str:
    """The language of a word that is not in Latin letters, or the name of its script."""
    for name, letters in (*_SCRIPTS, *_UNSPACED):
        if letters.search(word):
            return name or "other"
    return "" if _LATIN.search(word) else "other"


def _script(word: str, latin: str) -> str:
    """The language of a word by its letters; `latin` for Latin ones."""
    for name, letters in _SCRIPTS:
        if letters.search(word):
            return name
    return latin


def _read(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [one for one in lines if one and not one.startswith("#")]
