"""Understands questions that want everything counted or listed, and what they want counted.

`How many invoices are from 2023?` is about the library, and only looking at all of it gives the
number. `How many employees does Acme have?` asks for a number that a passage states. What cannot
be told apart for sure is left to search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.domain import counting_words as w
from desktop_rag.domain.politeness_words import plain_request
from desktop_rag.domain.terms import fold

_END = r"(?=[\s,;:]|$)"
_FILE_NAME = r"\S+\.(?:csv|tsv|xlsx?|xlsm|ods|pdf|docx?|odt|md|txt|html?)"
_OPENING = re.compile(r"^(?:and|so|ok|okay|und|et|y|e)[\s,]+", re.IGNORECASE)


class Unit(StrEnum):
    """What is counted."""

    FILES = "files"
    KINDS = "kinds"
    """Invoices, contracts …: files of that name, or rows of a list of them."""
    MENTIONS = "mentions"
    ROWS = "rows"
    RECORDS = "records"
    """Customers, orders …: rows of a table about them."""
    HEADINGS = "headings"
    ENTRIES = "entries"
    """Of lists in documents."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants counted or listed, in its own words."""

    unit: Unit
    is_list: bool
    noun: str
    """The thing as it was called; empty for mentions."""
    term: str = ""
    """Words that must be mentioned."""
    condition: str = ""
    """The rest, which narrows: `from Berlin`, `unpaid`, `in customers.csv`."""


_UNITS = (
    (Unit.FILES, w.FILE),
    (Unit.KINDS, w.KIND_OF_FILE),
    (Unit.ROWS, w.ROW),
    (Unit.RECORDS, f"{w.RECORD}|{w.EVENT}"),
    (Unit.HEADINGS, w.HEADING),
    (Unit.ENTRIES, w.ENTRY),
)
_NOUN = "|".join(f"(?P<{unit}>{words})" for unit, words in _UNITS)
_SKIP = rf"(?:(?:{w.ALL}|{w.ARTICLE}){_END}\s*|[dl]')*"
_ADJECTIVE = r"(?:(?!(?:do|does|did|is|are|was|were) )(?P<adjective>[^\s,]+) )??"
_THING = rf"{_SKIP}{_ADJECTIVE}{_SKIP}(?:{_NOUN}){_END}\s*(?P<rest>.*)$"
_HOW_MANY = re.compile(rf"(?P<within>(?:in|across|dans|en|em|w|i|в) )?(?:{w.HOW_MANY})\s*{_THING}")
_COUNT = re.compile(rf"(?:{w.COUNT}) {_THING}")
_WHICH = re.compile(rf"(?:{w.WHICH}) {_THING}")
_LIST = re.compile(rf"(?P<verb>{w.LIST})\s*:? (?P<many>{_SKIP}){_THING}")
_TIMES = re.compile(rf"(?:{w.TIMES}){_END}\s*(?P<rest>.*)$")
_ALL_OF = re.compile(rf"(?:{w.LIST})\s*:? (?:{w.ALL}){_END}")
_PAST_VERB = re.compile(r"(?:was|were|did|has|have|had|wurden?|hat|haben)(?=\s)")
_IN_TABLE = re.compile(
    rf"(?:{w.HOW_MANY})\s*(?P<noun>[^\s,]+) (?P<rest>.*\b(?:{w.TABLE}|{_FILE_NAME})(?:\W.*)?)$"
)
_MENTION = re.compile(rf"(?<!\S)(?P<verb>{w.MENTION}){_END}")
_IS_EXISTING = re.compile(rf"(?:{w.EXISTING}){_END}")
_ARE_SO = re.compile(rf"(?:{w.ARE_SO}){_END}")
_BARE_ARE = re.compile(rf"(?:are|were){_END}")
_PAST = re.compile(rf"(?<!\S)(?:{w.PAST}){_END}")
_ALL = re.compile(rf"(?<!\S)(?:{w.ALL}){_END}")
_HOLDS = re.compile(rf"(?:{w.HOLDS}) .*(?:{w.TABLE}|{_FILE_NAME})(?:\W|$)")
_NAMES_TABLE = re.compile(rf"(?:{w.TABLE}|{_FILE_NAME})(?:\W|$)")
_EVENT = re.compile(rf"(?:{w.EVENT})")
_TERM_NOUN = re.compile(rf"(?<!\S)(?:{w.TERM_NOUN}){_END}")
_STRICT_LIST = re.compile(r"list|liste|lista|elenca|enumer|auflisten|перечисли|список|show all")
_VERB_LAST = re.compile(r"^(alle .*) (?:auflisten|anzeigen|zeigen|nennen)$", re.IGNORECASE)
_UNSPACED = tuple(map(re.compile, w.UNSPACED))
_AUXILIARY = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|been|wird|werden|wurde|ist|sind|est|sont|se|es|e|"
    r"sono|"
    r"viene|vengono|wordt|worden|jest|sa|namns|er|ar|of|my|the|you|i|we|that|which|die|qui|que|che|"
    r"also|actually|ever|auch|es|there)(?=\s|$)\s*"
)
_PLACE = re.compile(r"(?:in|from|within|im|aus|dans|en|nella|nel|na|no|w|i|в|of type)(?=\s)")
_LEADING = re.compile(
    rf"^(?:(?:{w.TERM_NOUN}|the|a|an|of|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|o|os|as|"
    r"het|de|du|des|sur)(?=\s|$)\s*|l')"
)
_TRAILING = re.compile(
    r"\s+(?:in|within|across|throughout|anywhere in|in all|of|dans|en|em|in|nei|nelle|w|i|в)"
    r"(?: all| any)?(?: of)? (?:the|my|our|these|this|meinen|den|mes|mis|los|i|miei|meus|mijn|de|"
    r"mina|"
    r"moich|моих)? ?(?:" + w.FILE + r"|library|collection|bibliothek|bibliotheque|biblioteca)$"
    r"|\s+(?:vor|voor|est-il|est-elle|at all|anywhere)$"
)


def wanted_in(question: str) -> Wanted | None:
    """What to count or list; `None`: the question is for search."""
    words = _VERB_LAST.sub(r"liste \1", _OPENING.sub("", plain_request(question)))
    folded = fold(words)
    if len(folded.split()) != len(words.split()):
        return None
    text = _Text(words.split(), folded)
    return (
        _mentions(text)
        or _how_many(text)
        or _counted(text)
        or _which(text)
        or _listed(text)
        or _in_table(text)
        or _unspaced(words)
    )


def wants_all(question: str) -> bool:
    """Whether it is for all of something, or how often it was; even if it is not clear of what."""
    folded = fold(_OPENING.sub("", plain_request(question)))
    times = _TIMES.match(folded)
    return bool(_ALL_OF.match(folded) or (times and _PAST_VERB.match(times["rest"])))


@dataclass(frozen=True, slots=True)
class _Text:
    """A question folded, and its words as they were written, one for one."""

    words: list[str]
    folded: str

    def written(self, part: str) -> str:
        """A part of the folded text, whole words, as it was written."""
        begin = f" {self.folded} ".find(f" {part} ") if part else -1
        if begin < 0:
            return part
        first = len(self.folded[:begin].split())
        return " ".join(self.words[first : first + len(part.split())])


def _mentions(text: _Text) -> Wanted | None:
    """`How often is X mentioned?`"""
    found = _TIMES.match(text.folded)
    verb = _MENTION.search(found["rest"]) if found else None
    if found is None or verb is None:
        return None
    is_quoted = '"' in found["rest"] or _TERM_NOUN.search(found["rest"]) is not None
    if re.match(r"occur|appear|contain|kommt|include|compare", verb["verb"]) and not is_quoted:
        return None
    term, place = _term(found["rest"], verb)
    if not term:
        return None
    return Wanted(
        Unit.MENTIONS,
        is_list=False,
        noun="",
        term=text.written(term),
        condition=text.written(place),
    )


def _how_many(text: _Text) -> Wanted | None:
    found = _HOW_MANY.match(text.folded)
    if found is None:
        return None
    unit, rest = _unit(found), found["rest"]
    if unit in (Unit.FILES, Unit.KINDS) and (verb := _MENTION.search(rest)):
        return _by_term(text, found, verb, is_list=False)
    if found["within"]:
        return None
    is_asked = not rest or _IS_EXISTING.match(rest) or _is_rows(unit, rest) or _is_bare(unit, rest)
    if not is_asked or _is_told(found, unit):
        return None
    return _wanted(text, found, is_list=False)


def _counted(text: _Text) -> Wanted | None:
    """`The number of files …`; `the number of employees` is for search."""
    found = _COUNT.match(text.folded)
    if found is None:
        return None
    unit, rest = _unit(found), found["rest"]
    if unit is Unit.FILES and (verb := _MENTION.search(rest)):
        return _by_term(text, found, verb, is_list=False)
    is_command = re.match(r"count|zahle|compte|cuenta|conta|tel|policz|п", text.folded) is not None
    is_in_table = _NAMES_TABLE.search(rest) is not None
    if not (is_command or is_in_table or unit in (Unit.FILES, Unit.ROWS)):
        return None
    if rest and not (_IS_EXISTING.match(rest) or _is_rows(unit, rest)):
        return None
    return _wanted(text, found, is_list=False)


def _which(text: _Text) -> Wanted | None:
    found = _WHICH.match(text.folded)
    if found is None:
        return None
    unit, rest = _unit(found), found["rest"]
    if unit is Unit.FILES and (verb := _MENTION.search(rest)):
        return _by_term(text, found, verb, is_list=True)
    if unit in (Unit.ENTRIES, Unit.HEADINGS) or (unit is Unit.RECORDS and found["adjective"]):
        return None
    if not _ARE_SO.match(rest) or _is_told(found, unit):
        return None
    return _wanted(text, found, is_list=True)


def _listed(text: _Text) -> Wanted | None:
    found = _LIST.match(text.folded)
    if found is None:
        return None
    unit, rest = _unit(found), found["rest"]
    if unit in (Unit.FILES, Unit.KINDS) and (verb := _MENTION.search(rest)):
        return _by_term(text, found, verb, is_list=True)
    is_all = _ALL.search(text.folded[: found.start(str(unit))]) is not None
    is_list = is_all or _STRICT_LIST.match(found["verb"]) is not None or unit is Unit.HEADINGS
    if not is_list or (not is_all and unit is Unit.RECORDS and rest.startswith("of ")):
        return None
    if rest and not (_IS_EXISTING.match(rest) or _is_rows(unit, rest)):
        return None
    return None if unit is Unit.ENTRIES and not rest else _wanted(text, found, is_list=True)


def _in_table(text: _Text) -> Wanted | None:
    """`How many planets are in the table?`: whatever stands in a table can be counted."""
    found = _IN_TABLE.match(text.folded)
    if found is None or _PAST.search(found["rest"]):
        return None
    noun, rest = text.written(found["noun"]), text.written(found["rest"])
    return Wanted(Unit.RECORDS, is_list=False, noun=noun, condition=rest)


def _unspaced(words: str) -> Wanted | None:
    found = next(filter(None, (one.fullmatch(words) for one in _UNSPACED)), None)
    if found is None:
        return None
    said = found.groupdict()
    unit = Unit.KINDS if said.get("kind") else Unit.FILES
    noun = said.get("kind") or said["noun"] or ""
    return Wanted(unit, not said.get("many"), noun, said.get("term") or "")


def _wanted(text: _Text, found: re.Match[str], *, is_list: bool) -> Wanted:
    unit = _unit(found)
    condition = f"{found['adjective'] or ''} {text.written(found['rest'])}".strip()
    return Wanted(unit, is_list, text.written(found[unit]), condition=condition)


def _by_term(
    text: _Text, found: re.Match[str], verb: re.Match[str], *, is_list: bool
) -> Wanted | None:
    term, place = _term(found["rest"], verb)
    if not term:
        return None
    unit = _unit(found)
    condition = f"{found['adjective'] or ''} {text.written(place)}".strip()
    return Wanted(unit, is_list, text.written(found[unit]), text.written(term), condition)


def _term(rest: str, verb: re.Match[str]) -> tuple[str, str]:
    """What is mentioned and where: `X` in `is X mentioned in Y`, `in Y mention X`."""
    before, after = rest[: verb.start()].strip(), rest[verb.end() :].strip()
    if _PLACE.match(before):
        return _bare(after), before
    return (_bare(before), _TRAILING.sub("", after)) if _bare(before) else (_bare(after), "")


def _bare(term: str) -> str:
    """Without articles and `the word` before it, and quotes around it."""
    term = term.strip(" ,;:")
    for pattern in (_AUXILIARY, _AUXILIARY, _AUXILIARY, _LEADING, _LEADING, _LEADING):
        term = pattern.sub("", term)
    return _TRAILING.sub("", term).strip(" ,;:")


def _unit(found: re.Match[str]) -> Unit:
    return next(unit for unit, _ in _UNITS if found[unit])


def _is_rows(unit: Unit, rest: str) -> bool:
    """`rows does customers.csv have`"""
    of_parts = unit in (Unit.ROWS, Unit.HEADINGS, Unit.ENTRIES)
    return of_parts and _HOLDS.match(rest) is not None


def _is_bare(unit: Unit, rest: str) -> bool:
    """`customers are female`"""
    return unit in (Unit.RECORDS, Unit.KINDS) and _BARE_ARE.match(rest) is not None


def _is_told(found: re.Match[str], unit: Unit) -> bool:
    """Whether it is about what happened, which a text tells: `patients were in the study`."""
    if unit is Unit.ROWS and found["rest"].startswith("of "):  # of seats, of combs
        return _NAMES_TABLE.search(found["rest"]) is None
    is_event = unit is Unit.RECORDS and _EVENT.fullmatch(found[unit]) is not None
    return unit is Unit.RECORDS and not is_event and _PAST.search(found["rest"]) is not None
