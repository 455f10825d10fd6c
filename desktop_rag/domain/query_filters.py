"""Filters said in words: `in the file handbook.html`, `in my PDFs`, `on page 12 of X`.

Only what names something the library has is a filter; all else stays words. Dates are filters only
right after a word for the documents themselves (`documents since 2023`, `emails from last week`):
`revenue in 2023` is about the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

from desktop_rag.domain.calendar_words import MONTHS, day_of, period_of
from desktop_rag.domain.matching import (
    DocumentFacts,
    has_file,
    has_folder,
    has_type,
    selected,
)
from desktop_rag.domain.scope import Scope

Documents = Callable[[], Sequence[DocumentFacts]]

_MAX_NAME_WORDS = 6
_DATE = (
    r"\d{4}(?:-\d{2}(?:-\d{2})?)?|yesterday|today|(?:last|this) (?:week|month|year)"
    r"|\d{1,3} (?:days?|weeks?|months?|years?) ago"
    rf"|(?:{'|'.join(MONTHS)}) \d{{4}}"
)
_TYPE = (
    r"pdfs|pdf files|word (?:documents|files)|e-?mails|mails|spreadsheets|excel (?:files|sheets)"
    r"|presentations|powerpoints|slides|images|pictures|photos|scans|e-?books|web ?pages|text files"
    r"|markdown files|csv files"
)
_PAGE = re.compile(
    r"\b(?:on|from|at|auf) (?:pages?|slides?|seiten?|folien?) (\d{1,6})(?:\s*(?:-|\u2013|to)\s*"
    r"(\d{1,6}))? (?:of|in|from|von|in) (?:the |my |der |dem )?(?:file |document |datei )?(?=\S)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\b(?:in|from|of|within|inside|according to|aus|laut) (?:the |my |our |der |dem )?"
    r"(?P<kind>(?:file|document|datei|dokument)(?: (?:called|named))? )?(?=\S)",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"\b(?:in|from|within|inside|im|aus dem) (?:the |my |our )?(?:folder|directory|ordner)"
    r"(?: (?:called|named))? (?=\S)",
    re.IGNORECASE,
)
_IN_TYPE = re.compile(
    rf"\b(?:in|from|among|within|of) (?:all )?(?:of )?(?:my|our) ({_TYPE})(?!\w)", re.IGNORECASE
)
_DATED = re.compile(
    rf"\b(?:in |from |of )?(?:my |our |the |all )*(?P<what>documents|files|{_TYPE}) "
    rf"(?:(?:written|created|dated|made|sent|received) )?"
    rf"(?P<how>since|after|from|before|until|of|in) (?P<when>{_DATE})(?!\w)",
    re.IGNORECASE,
)
_EDGE = ".,;:!?()\"'"


def filters_in_words(
    text: str, scope: Scope, documents: Documents, today: date
) -> tuple[str, Scope]:
    """The text without the filters it says, and the scope with them."""
    for take in (_take_page, _take_folder, _take_file, _take_type, _take_dates):
        text, scope = take(text, scope, documents, today)
    return text, scope


def _take_page(text: str, scope: Scope, documents: Documents, _: date) -> tuple[str, Scope]:
    found = _PAGE.search(text)
    name = _name_after(text, found, lambda one: has_file(documents(), one)) if found else None
    if found is None or name is None:
        return text, scope
    pages = (int(found[1]), int(found[2] or found[1]))
    narrowed = replace(
        scope,
        files=(*scope.files, name[0]),
        pages=(*scope.pages, (min(pages), max(pages))),
    )
    return _cut(text, found.start(), name[1]), narrowed


def _take_file(text: str, scope: Scope, documents: Documents, _: date) -> tuple[str, Scope]:
    for found in _FILE.finditer(text):
        is_named = bool(found["kind"])

        def is_file(name: str, *, is_named: bool = is_named) -> bool:
            # Without "the file" before it, only a name with its suffix is one.
            is_whole = re.search(r"\.[A-Za-z]\w{0,5}$", name) is not None
            return (is_named or is_whole) and has_file(documents(), name)

        name = _name_after(text, found, is_file)
        if name is not None:
            narrowed = replace(scope, files=(*scope.files, name[0]))
            return _cut(text, found.start(), name[1]), narrowed
    return text, scope


def _take_folder(text: str, scope: Scope, documents: Documents, _: date) -> tuple[str, Scope]:
    found = _FOLDER.search(text)
    name = _name_after(text, found, lambda one: has_folder(documents(), one)) if found else None
    if found is None or name is None:
        return text, scope
    return _cut(text, found.start(), name[1]), replace(scope, folders=(*scope.folders, name[0]))


def _take_type(text: str, scope: Scope, documents: Documents, _: date) -> tuple[str, Scope]:
    found = _IN_TYPE.search(text)
    if found is None or not has_type(documents(), _type_name(found[1])):
        return text, scope
    narrowed = replace(scope, types=(*scope.types, _type_name(found[1])))
    return _cut(text, *found.span()), narrowed


def _take_dates(text: str, scope: Scope, documents: Documents, today: date) -> tuple[str, Scope]:
    found = _DATED.search(text)
    if found is None:
        return text, scope
    narrowed = _dated(scope, found["how"].lower(), found["when"], today)
    kind = _type_name(found["what"])
    if kind and has_type(documents(), kind):
        narrowed = replace(narrowed, types=(*narrowed.types, kind))
    if not selected(documents(), narrowed):
        return text, scope
    return _cut(text, *found.span()), narrowed


def _dated(scope: Scope, how: str, when: str, today: date) -> Scope:
    if how == "before":
        return replace(scope, before=day_of(when, today))
    period = period_of(when, today)
    if period is None:
        return scope
    start, end = period
    if how == "until":
        return replace(scope, before=end)
    if how == "after" and not when[0].isdigit():
        return replace(scope, after=end)
    return replace(scope, after=start, before=None if how in ("since", "after") else end)


def _type_name(said: str) -> str:
    """The value for `type:` that a word for documents means; empty for any document."""
    said = said.lower()
    if said in ("documents", "files"):
        return ""
    name = re.sub(r" (?:files|documents|sheets)$", "", said).replace("web page", "webpage")
    return name if name in ("excel", "word", "text", "markdown") else name.removesuffix("s")


def _name_after(
    text: str, found: re.Match[str], is_known: Callable[[str], bool]
) -> tuple[str, int] | None:
    """The longest known name that stands after `found`, and where it ends."""
    rest = text[found.end() :]
    if quoted := re.match(r"[\"'‘]([^\"'’]+)[\"'’]", rest):
        name = quoted[1].strip()
        return (name, found.end() + quoted.end()) if is_known(name) else None
    words = list(islice(re.finditer(r"\S+", rest), _MAX_NAME_WORDS))
    for last in reversed(words):
        name = rest[: last.end()].rstrip(_EDGE)
        if name and is_known(name):
            return name, found.end() + len(name)
    return None


def _cut(text: str, start: int, end: int) -> str:
    """The text without the filter; if that leaves nothing, the filter is what is searched."""
    rest = f"{text[:start]} {text[end:]}"
    return rest if re.search(r"[^\W_]", rest) else text
