"""Do two files disagree on what was asked? The same sentence with another number, date or name.

In code, not by a language model, and rather silent than wrong: two sentences disagree only when
they hold the same words besides the value. Reports on other years or quarters, other products, and
two cases of one kind (the leases of Miller and of Smith) do not disagree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.naming import file_name, name_words
from desktop_rag.domain.sentences import sentence_spans
from desktop_rag.domain.support import terms
from desktop_rag.domain.table_cells import CELL
from desktop_rag.domain.terms import words as written_words
from desktop_rag.domain.versions import periods

_FEWEST_SHARED = 2
"""Words with a meaning that two sentences must share to be about one thing."""
_LONGEST_CHARS = 400
_GENERIC = terms(
    "get gets receive receives entitled entitle amount amounts total per year yearly annually month"
    " monthly each every currently now has have gives give granted grants grant paid pay pays must"
    " erhalten erhält beträgt betragen bekommen jährlich monatlich pro s'élève"
).words
"""Words that make no difference to what a sentence is about."""
_YEAR = re.compile(
    r"(?<![\d.,$€£])(?:19|20)\d\d(?![\d.,]\d|\d| ?(?:€|%|eur|euros?|usd|dollars?|pounds?|kg|km|m|mm"
    r"|hours?|days?|pieces?|people|stück)\b)",
    re.IGNORECASE,
)
"""But for amounts."""
_ASKS_TIME = re.compile(
    r"\b(?:when|what (?:year|date|day|month)|which (?:year|date|day|month)|deadline|since|until"
    r"|how (?:old|long ago)|wann|quand|cuándo|quando)\b",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"\b(?:who|whom|whose|where|which|what is the name|wer|wem|wen|wo|qui|où|quién|chi"
    r"|dónde|dove)\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(
    r"\b(?:the|der|die|das|le|la|el|il)\b.*\b(?:is|was|ist|war|est|es|è)\b"
    r"|\b(?:is|was|ist|war|est|es|è) (?:the|der|die|das|le|la|el|il)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and where it stands."""

    sentence: str
    path: str
    title: str
    section: str

    @property
    def file(self) -> str:
        """The file's name."""
        return file_name(self.path)

    @property
    def context(self) -> frozenset[str]:
        """Words of title, file and section: they say what the sentence need not."""
        return _words(f"{self.title} {' '.join(name_words(self.file))} {self.section}")


@dataclass(frozen=True, slots=True)
class _Said:
    """What a claim says of what."""

    subject: frozenset[str]
    values: frozenset[str]
    years: frozenset[str]
    names: frozenset[str]


def claims_of(passage: Passage) -> list[Claim]:
    """Sentences of prose of a passage."""
    found = (passage.text[start:end] for start, end in sentence_spans(passage.text))
    return [
        Claim(" ".join(one.split()), passage.path, passage.title, passage.section)
        for one in found
        if CELL not in one and len(one) <= _LONGEST_CHARS
    ]


def claims_cited(citations: Sequence[Citation], answer: str) -> list[Claim]:
    """Sentences of the quotes, as far as the answer repeats a value or name of theirs."""
    told = _said(answer, frozenset())
    found = []
    for citation in citations:
        for start, end in sentence_spans(citation.quote):
            sentence = " ".join(citation.quote[start:end].split())
            said = _said(sentence, frozenset())
            is_told = (said.values | said.years) & (told.values | told.years)
            if CELL not in sentence and (is_told or said.names & told.names):
                found.append(Claim(sentence, citation.path, citation.title, citation.section))
    return found


def disagree(question: str, one: Claim, other: Claim) -> bool:
    """Whether two sentences give different values for the same thing, the one asked about."""
    asked = _words(question) - _GENERIC
    first, second = _said(one.sentence, one.context), _said(other.sentence, other.context)
    if not _is_same_subject(first, second, one, other):
        return False
    about_one = asked & (_words(one.sentence) | one.context)
    about_other = asked & (_words(other.sentence) | other.context)
    if not about_one <= about_other:
        return False
    return _values_differ(question, first, second) or (
        _names_differ(question, first, second)
        and all(_DEFINITE.search(claim.sentence) for claim in (one, other))
    )


def are_other_things(one: Claim, other: Claim) -> bool:
    """Whether names of files and titles tell of other periods, products or cases."""
    whens = [periods(claim.path, claim.title, claim.section) for claim in (one, other)]
    if whens[0] != whens[1]:
        return True
    names = [frozenset(name_words(f"{claim.file} {claim.title}")) for claim in (one, other)]
    digits = [frozenset(word for word in name if word.isdigit()) for name in names]
    if digits[0] != digits[1] and all(digits):
        return True
    stems = [frozenset(name_words(claim.file.rpartition(".")[0])) for claim in (one, other)]
    return bool(stems[0] & stems[1]) and bool(stems[0] - stems[1]) and bool(stems[1] - stems[0])


def _is_same_subject(first: _Said, second: _Said, one: Claim, other: Claim) -> bool:
    shared = (first.subject | first.names) & (second.subject | second.names)
    return (
        len(shared) >= _FEWEST_SHARED
        and first.subject - second.subject <= other.context
        and second.subject - first.subject <= one.context
    )


def _values_differ(question: str, first: _Said, second: _Said) -> bool:
    if first.names != second.names:
        return False
    if first.values != second.values:
        is_other = not (first.values <= second.values or second.values <= first.values)
        return is_other and first.years == second.years
    is_other = not (first.years <= second.years or second.years <= first.years)
    return is_other and _ASKS_TIME.search(question) is not None


def _names_differ(question: str, first: _Said, second: _Said) -> bool:
    is_other = not (first.names <= second.names or second.names <= first.names)
    is_same_else = (first.values, first.years) == (second.values, second.years)
    return is_other and is_same_else and _ASKS_NAME.search(question) is not None


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return terms(text).words


@lru_cache(maxsize=1024)
def _said(sentence: str, context: frozenset[str]) -> _Said:
    names = _names(sentence) - context
    found = _words(sentence) - _GENERIC
    years = frozenset(_YEAR.findall(sentence))
    numbers = frozenset(filter(None, map(_value, written_words(sentence)))) | _spelled(sentence)
    return _Said(found - names, numbers - frozenset(map(_plain, years)), years, names)


def _spelled(sentence: str) -> frozenset[str]:
    """Numbers in words, as digits."""
    return terms(re.sub(r"\d[\d.,]*", " ", sentence)).numbers


def _names(sentence: str) -> frozenset[str]:
    """Stems of words with a capital, but for one that merely begins the sentence."""
    found = list(_CAPITAL.finditer(sentence))
    if found and found[0].start() == 0:
        is_name = len(found) > 1 and found[1].start() == found[0].end() + 1
        found = found if is_name else found[1:]
    return terms(" ".join(one[0] for one in found)).words


def _value(word: str) -> str:
    """A number in one notation; empty for what is none."""
    return _plain(word) if word[:1].isdigit() else ""


def _plain(number: str) -> str:
    try:
        return f"{float(number):.15g}"
    except ValueError:
        return number.casefold()
