"""Reads what a person typed: words to search, phrases, words to leave out, and filters.

Operators stand at the beginning of a word: `"exact phrase"`, `-word`, `-"phrase"`, `file:`,
`folder:`, `type:`, `after:`, `before:`, `page:`. A value with spaces stands in quotes, several are
parted by commas (`type:pdf,docx`) or the operator is repeated. What only looks like one, such as
an address, a time, `re:` before a subject, `-5 degrees` or `--limit`, is ordinary words, and so
is everything between backticks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from desktop_rag.domain.calendar_words import day_of
from desktop_rag.domain.errors import InvalidInput
from desktop_rag.domain.matching import DocumentFacts
from desktop_rag.domain.politeness_words import without_politeness
from desktop_rag.domain.queries import is_natural
from desktop_rag.domain.query_filters import filters_in_words
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.terms import content_terms
from desktop_rag.domain.text_cleaning import clean_characters

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»❝❞＂", '"'))
_PARTS = re.compile(
    r"""(?P<code>`[^`]*`)
    |(?<![\w"])(?P<minus>-?)"(?P<phrase>[^"]*)"(?!\w)
    |(?<!\S)(?P<key>file|folder|type|after|before|pages?):(?P<value>(?!//)(?:"[^"]*"|[^\s"])+)
    |(?<!\S)-(?P<without>[^\W\d_][\w'’-]*)(?=[\s,;.!?)]|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_PAGES = re.compile(r"(\d{1,6})(?:[-\u2013](\d{1,6}))?")
_LEAST_LEFT_OUT = 3
"""Letters of a Latin word that `-word` leaves out: `-v` and `-rf` are options of programs."""
_MENTIONED_BESIDE = 4
"""Words with a meaning beside the phrases that make a question about more than the phrases."""
_QUOTED = re.compile(r'"[^"]*"')
_HYPHENATED = re.compile(r"\b(?:und|oder|bzw|sowie|and|or|en|of|och|og)\.?,? $", re.IGNORECASE)
"""Before the second half of `Privatpersonen und -organisationen`."""
_LONGEST_AND = 10
"""Characters that `_HYPHENATED` looks at, with what is before them."""
_TOKEN = re.compile(r"""(?P<operator>(?:-|\w+:)(?:"[^"]*"|\S+))|\S+""")
_HAS_WORD = re.compile(r"[^\W_]")
_SPACE_BEFORE = re.compile(r"\s+([,;.!?])")


@dataclass(frozen=True, slots=True)
class Query:
    """A question, understood."""

    text: str
    """What is searched: the words and the phrases, the latter in straight quotes."""
    phrases: tuple[str, ...] = ()
    """Each must stand in a passage as it is."""
    excluded: tuple[str, ...] = ()
    """No passage may hold one of these words, in any form."""
    excluded_phrases: tuple[str, ...] = ()
    scope: Scope = field(default_factory=Scope)
    """What the filters let through."""

    @property
    def is_plain(self) -> bool:
        """Whether there are only words."""
        is_free = not (self.phrases or self.excluded or self.excluded_phrases)
        return is_free and self.scope.is_everything

    @property
    def filters(self) -> tuple[str, ...]:
        """Everything that narrows the search, for a person."""
        told = [f"exactly “{one}”" for one in self.phrases]
        told += [f"without “{one}”" for one in (*self.excluded, *self.excluded_phrases)]
        scope = self.scope.described()
        return (*told, scope) if scope else tuple(told)


def read_query(text: str, documents: Callable[[], Sequence[DocumentFacts]], today: date) -> Query:
    """Take a question apart.

    Args:
        text: as it was typed.
        documents: of the library; asked for only when the words may name one.
        today: what `yesterday` is counted from.

    Raises:
        InvalidInput: a filter's value makes no sense, or nothing is left to search for.
    """
    cleaned = clean_query(text)
    if not cleaned:
        raise InvalidInput("The question is empty; type what you want to know.")
    found = _Operators()
    words = _tidy(found.take_from(cleaned))
    words, scope = filters_in_words(words, found.scope(today), documents, today)
    query = Query(
        text=without_politeness(_tidy(words)),
        phrases=() if _are_mentions(words) else tuple(dict.fromkeys(found.phrases)),
        excluded=tuple(dict.fromkeys(found.excluded)),
        excluded_phrases=tuple(dict.fromkeys(found.excluded_phrases)),
        scope=scope,
    )
    return _searchable(query)


def typed_filters(text: str, today: date) -> tuple[str, Scope] | None:
    """A question's words as they stand, and the scope of filters written as `file:`.

    `None` when it leaves out words or asks for pages: those narrow passages, not files.

    Raises:
        InvalidInput: a filter's value makes no sense.
    """
    found = _Operators()
    words, scope = _tidy(found.take_from(clean_query(text))), found.scope(today)
    return None if found.excluded or found.excluded_phrases or scope.pages else (words, scope)


def plain_words(text: str) -> str:
    """The words and phrases of a question, whatever its filters say."""
    return without_politeness(_tidy(_Operators().take_from(clean_query(text))))


def clean_query(text: str) -> str:
    """One line of NFC text with plain spaces and straight quotes, without what is no text."""
    decoded = text.encode("utf-8", "replace").decode()
    spaced = "".join(" " if _is_control(one) else one for one in decoded)
    return " ".join(clean_characters(spaced).translate(_QUOTES).split())


def _are_mentions(words: str) -> bool:
    """Whether phrases are names in a long question: `who wrote the script of the show "Lost"`.

    What answers such a question need not repeat them, least of all when it takes two passages.
    """
    outside = _QUOTED.sub(" ", words)
    return is_natural(outside) and len(content_terms(outside)) >= _MENTIONED_BESIDE


class _Operators:
    """Collects what `_PARTS` finds."""

    def __init__(self) -> None:
        self.phrases: list[str] = []
        self.excluded: list[str] = []
        self.excluded_phrases: list[str] = []
        self._values: dict[str, list[str]] = {}
        self._leave_out_from = 0

    def take_from(self, text: str) -> str:
        """Note the operators of a cleaned question; returns its words."""
        # In a sentence, `-word` is a slip of the keyboard but for the end.
        self._leave_out_from = _operators_at_end(text) if is_natural(text) else 0
        return _PARTS.sub(self._take, text)

    def _take(self, found: re.Match[str]) -> str:
        """Note an operator; returns what stays of it in the words."""
        if found["key"]:
            key = found["key"].lower().removesuffix("s")
            self._values.setdefault(key, []).extend(_split(found["value"]))
            return " "
        if found["phrase"] is not None:
            return self._take_phrase(found)
        is_placed = found.start() >= self._leave_out_from
        if found["without"] and is_placed and _is_left_out(found):
            self.excluded.append(found["without"])
            return " "
        return found.group()

    def _take_phrase(self, found: re.Match[str]) -> str:
        phrase = found["phrase"].strip()
        if not _HAS_WORD.search(phrase):
            return found.group()
        if found["minus"]:
            self.excluded_phrases.append(phrase)
            return " "
        self.phrases.append(phrase)
        return f'"{phrase}"'

    def scope(self, today: date) -> Scope:
        """The filters' values, checked."""
        values = self._values
        return scope_of_filters(
            files=values.get("file", ()),
            folders=values.get("folder", ()),
            types=values.get("type", ()),
            after=values.get("after", ()),
            before=values.get("before", ()),
            pages=values.get("page", ()),
            today=today,
        )


def scope_of_filters(
    *,
    files: Sequence[str] = (),
    folders: Sequence[str] = (),
    types: Sequence[str] = (),
    after: Sequence[str] = (),
    before: Sequence[str] = (),
    pages: Sequence[str] = (),
    today: date | None = None,
) -> Scope:
    """Filters from their values as they were typed; several dates narrow each other.

    Raises:
        InvalidInput: a date or a page cannot be read.
    """
    today = today or date.today()
    return Scope(
        files=tuple(files),
        folders=tuple(folders),
        types=tuple(types),
        after=max((_day(one, "after", today) for one in after), default=None),
        before=min((_day(one, "before", today) for one in before), default=None),
        pages=tuple(_page_range(one) for one in pages),
    )


def _day(value: str, operator: str, today: date) -> date:
    day = day_of(value, today)
    if day is None:
        raise InvalidInput(
            f"“{value}” in “{operator}:{value}” is no date; write {operator}:2023, "
            f"{operator}:2023-05, {operator}:2023-05-17 or {operator}:yesterday, or put it in "
            "quotes to search for the words."
        )
    return day


def _page_range(value: str) -> tuple[int, int]:
    found = _PAGES.fullmatch(value)
    if found is None:
        raise InvalidInput(
            f"“{value}” in “page:{value}” is no page; write page:12 or page:3-5, or put it in "
            "quotes to search for the words."
        )
    first, last = int(found[1]), int(found[2] or found[1])
    return min(first, last), max(first, last)


def _split(value: str) -> list[str]:
    if value.startswith('"'):
        return [one for one in [value.strip('"').strip()] if one]
    return [one for one in value.replace('"', "").rstrip(";!?").split(",") if one.strip(".")]


def _searchable(query: Query) -> Query:
    """The query, if there is something to search.

    Raises:
        InvalidInput: there is not.
    """
    if _HAS_WORD.search(query.text):
        return query
    if query.excluded or query.excluded_phrases:
        raise InvalidInput("The question only says what to leave out; add the words to look for.")
    if not query.is_plain:
        raise InvalidInput(
            f"The question only says where to look ({query.scope.described()}); add the words to "
            "look for."
        )
    raise InvalidInput("The question holds no word or number to look for; type one or more.")


def _is_left_out(found: re.Match[str]) -> bool:
    """Whether `-word` is meant to be left out, and not an option or half of a word."""
    word, before = found["without"], found.string[: found.start()]
    is_long = not word.isascii() or len(word) >= _LEAST_LEFT_OUT
    return is_long and not _HYPHENATED.search(before[-_LONGEST_AND:])


def _operators_at_end(text: str) -> int:
    """Where the operators begin that only others and the last mark follow."""
    start = len(text)
    for token in reversed(list(_TOKEN.finditer(text))):
        if not token["operator"] and _HAS_WORD.search(token.group()):
            break
        start = token.start()
    return start


def _tidy(text: str) -> str:
    return " ".join(_SPACE_BEFORE.sub(r"\1", text).split())


def _is_control(character: str) -> bool:
    # The joiners, which Persian and Indic words are spelled with, are format characters (Cf).
    return unicodedata.category(character) in ("Cc", "Zl", "Zp")
