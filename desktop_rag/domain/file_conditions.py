"""Understands which files are counted: `contracts with Meyer`, `PDFs in the folder archive`.

As in `domain.conditions`, either all words of a condition are understood, or none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.domain import condition_words
from desktop_rag.domain.condition_tokens import DENIALS, FILLERS, is_filler, tokens_of
from desktop_rag.domain.dates import dates_in
from desktop_rag.domain.matching import DocumentFacts, has_file, has_folder
from desktop_rag.domain.periods import Period, days_in, period_at
from desktop_rag.domain.query_filters import filters_in_words
from desktop_rag.domain.same_things import names
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.terms import content_terms, fold

_TYPES = (
    ("pdf", r"pdf"),
    ("word", r"\bword"),
    ("spreadsheet", r"excel|spreadsheet|workbook|tabellendat"),
    ("csv", r"csv"),
    ("mail", r"mail|courriel|correo|nachricht|messag|courrier|messagg|писем|письма"),
    ("presentation", r"prasentation|presentat|presentac|apresentac|presentaz|powerpoint|slide"),
    ("image", r"image|picture|photo|foto|bild|scan"),
    ("book", r"book"),
    ("markdown", r"markdown"),
    ("web", r"html|web"),
    ("text", r"\btext"),
)
_ABOUT = frozenset(condition_words.ABOUT.split())
_SUFFIX = re.compile(r"(?:txt|docx?|xlsx?|md|png|jpe?g|eml|pptx?|odt|rtf)(?= )")
_FOLDER_WORDS = {"folder", "directory", "ordner", "dossier", "carpeta", "cartella", "pasta", "map"}
_MOST_TERMS = 3
"""Words with a meaning of a name; more is a description, which is searched for."""
_LABELLED = re.compile(
    r"(?P<before>[^\n]{0,14})(?:\bdated?\b|datum|\bvom\b|\bfecha\b|\bdata\b|\bdato\b|дата|日期)"
    r"(?P<after>[^\n]{0,40})"
)
_OTHER_DATE = re.compile(
    r"due|birth|deliver|pay|expir|valid|start|end|fallig|liefer|geburt|zahl|ablauf|naissance|"
    r"echeance|nacimiento|venc|nascita|scad"
)
_BEGINNING = 40
"""Characters in which a text says what it is: `INVOICE No 2023-101`."""
_LOOKED_AT = 1500
"""Characters at the beginning of a text in which a letter or an invoice tells its date."""


@dataclass(frozen=True, slots=True)
class FileCondition:
    """Which files are meant."""

    scope: Scope
    period: Period | None = None
    terms: tuple[str, ...] = ()
    """Each must be mentioned."""


def type_of(noun: str) -> str:
    """The value for `type:` that a word for files means; empty for files of any type."""
    folded = fold(noun)
    if suffix := _SUFFIX.match(folded):
        return suffix[0]
    return next((kind for kind, said in _TYPES if re.search(said, folded)), "")


def read_condition(
    noun: str, condition: str, documents: Sequence[DocumentFacts], today: date
) -> FileCondition | None:
    """What a condition on files means; `None`: not all of it is understood.

    Args:
        noun: what the files were called; words such as `from 2023` mean their dates after it.
    """
    scope, rest = taken_places(noun, condition, documents, today)
    kind = type_of(noun)
    if kind:
        scope = replace(scope, types=(*scope.types, kind))
    tokens: list[str | None] = list(tokens_of(rest))
    period = _take_period(tokens, today)
    folder = _take_folder(tokens, documents)
    scope = replace(scope, folders=(*scope.folders, *folder))
    terms = _terms(tokens)
    return None if terms is None else FileCondition(scope, period, terms)


def taken_places(
    noun: str, condition: str, documents: Sequence[DocumentFacts], today: date
) -> tuple[Scope, str]:
    """The files, folders, types and dates that a condition names, and the rest of it."""
    text, scope = filters_in_words(f"{noun} {condition}", Scope(), lambda: documents, today)
    rest = text.strip().removeprefix(noun).strip()
    named = [token for token in tokens_of(rest) if _is_file(token, documents)]
    rest = " ".join(
        f'"{one}"' if " " in one else one for one in tokens_of(rest) if one not in named
    )
    return replace(scope, files=(*scope.files, *named)), rest


def _is_file(token: str, documents: Sequence[DocumentFacts]) -> bool:
    return re.search(r"\.[A-Za-z]\w{0,5}$", token) is not None and has_file(documents, token)


def _take_period(tokens: list[str | None], today: date) -> Period | None:
    for start in range(len(tokens)):
        if found := period_at(tokens, start, today):
            period, stop = found
            tokens[start:stop] = [None] * (stop - start)
            return period
    return None


def _take_folder(tokens: list[str | None], documents: Sequence[DocumentFacts]) -> tuple[str, ...]:
    """`in contracts`, `in the directory contracts`, when there is such a folder."""
    for number, token in enumerate(tokens):
        before = {fold(one or "") for one in tokens[max(0, number - 3) : number]}
        is_place = before & {"in", "im", "dans", "en", "nella", "na", "w", "i", "в", "from", "aus"}
        if token and is_place and not is_filler(token) and has_folder(documents, token):
            tokens[number] = None
            for index, other in enumerate(tokens):
                if other and fold(other) in _FOLDER_WORDS:
                    tokens[index] = None
            return (token,)
    return ()


def _terms(tokens: Sequence[str | None]) -> tuple[str, ...] | None:
    """Names that files must mention, each after a word such as `with`; `None` if more is said."""
    found: list[list[str]] = []
    is_after_about = False
    for token in tokens:
        if token is None:
            is_after_about = False
        elif fold(token) in DENIALS:
            return None
        elif fold(token) in _ABOUT:
            is_after_about = True
            found.append([])
        elif is_after_about and not (is_filler(token) and not found[-1]):
            found[-1].append(token)
        elif not is_filler(token):
            return None
    terms = [" ".join(_without_ends(one)) for one in found]
    if any(len(content_terms(term)) > _MOST_TERMS for term in terms):
        return None
    return tuple(term for term in terms if term)


def _without_ends(words: list[str]) -> list[str]:
    """Without small words at the end: `Liste alle Verträge mit Meyer auf`."""
    while words and (fold(words[-1]) in FILLERS):
        words = words[:-1]
    return words


def speaks_of(noun: str, file: DocumentFacts, title: str, text: str) -> bool:
    """Whether a file is called, lies in a folder that is called, or begins with, the noun."""
    beginning = text.lstrip()[:_BEGINNING].partition("\n")[0]
    return any(names(one, noun) for one in (*file.names[-2:], title, beginning))


def days_of(file: DocumentFacts, text: str) -> tuple[tuple[str, ...], str]:
    """When a letter or an invoice was written, and how that is known.

    The date beside a word for it, the one in the file's name, the first one in the text, and last
    the document's own: files are copied and printed long after they were written.
    """
    beginning = text[:_LOOKED_AT]
    labelled = [
        day
        for one in _LABELLED.finditer(fold(beginning))
        if not _OTHER_DATE.search(one["before"])
        for day in days_in(one["after"])
    ]
    if labelled:
        return tuple(labelled[:1]), "the date in the text"
    name = file.names[-1]
    if found := dates_in(name.replace("_", " ")) or re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", name):
        return (max(found, key=len),), "the date in the name"
    if found := dates_in(beginning):
        days = [one for one in found if len(one) == 10] or found
        return tuple(days[:1]), "the first date in the text"
    return (file.day.isoformat(),), "the file's own date"
