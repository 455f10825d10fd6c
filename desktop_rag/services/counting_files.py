"""Counts files: all of them, those of a kind, those that mention words, and mentions themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.domain import condition_words
from desktop_rag.domain.counting import Unit, Wanted
from desktop_rag.domain.file_conditions import (
    FileCondition,
    days_of,
    read_condition,
    speaks_of,
    taken_places,
    type_of,
)
from desktop_rag.domain.occurrences import occurrences
from desktop_rag.domain.periods import Period
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.tally import Item, Tally, count, enumerated
from desktop_rag.domain.terms import content_terms, fold, words
from desktop_rag.services.whole_library import WholeLibrary, copies, gaps, labels, told_copies
from desktop_rag.storage.holdings import HeldFile

_JOINED = re.compile(
    r"\s+(?:and|und|et|y|e|en|och|og|i|и)\s+|\s*,\s*(?:and |und |et |y |e )?", re.IGNORECASE
)
_EITHER = re.compile(r"\s+(?:or|oder|ou|o|of|eller|lub|или)\s+", re.IGNORECASE)
_IN_FILES = frozenset(condition_words.THINGS_IN_FILES.split())
_KIND_NAMES = {"pdf": "PDF", "csv": "CSV", "word": "Word", "markdown": "Markdown"}
_NAME_JOINTS = re.compile(r"[-_.]+")
_SURE_WORDS = 2
"""Of an unquoted term: more may be a description, of which no file holds the very words."""


@dataclass(slots=True)
class _Matches:
    """Files that hold what was asked for."""

    base: int = 0
    """Files of the kind, whatever else was asked."""
    files: list[tuple[HeldFile, str]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    longer: list[Item] = field(default_factory=list)
    """Files that hold a term only inside longer words, with those."""
    known_by: Counter[str] = field(default_factory=Counter)
    """How many dates are known in which way."""


@dataclass(frozen=True, slots=True)
class _Terms:
    """Words that must be mentioned: all of them, or one of them."""

    words: tuple[str, ...] = ()
    is_any: bool = False
    is_sure: bool = True
    """Whether a file that speaks of it holds these very words."""

    def __str__(self) -> str:
        quoted = [f"“{one}”" for one in self.words]
        joint = " or " if self.is_any else " and "
        return joint.join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:])))


def count_files(
    library: WholeLibrary, wanted: Wanted, besides: Sequence[HeldFile] = ()
) -> Tally | None:
    """Counts files; `None` when a condition is not understood, or no file is of that kind.

    Args:
        besides: files that were counted in another way, row by row.
    """
    condition = read_condition(wanted.noun, wanted.condition, library.facts, library.today)
    if condition is None:
        return None
    place, term = taken_places("files", wanted.term, library.facts, library.today)
    scope = _both(condition.scope, place)
    terms = _terms(term, condition.terms)
    if any(fold(word) in _IN_FILES for word in terms.words):
        return None
    files = [one for one in library.narrowed(scope) if one not in besides]
    found = _matches(library, wanted, files, terms, condition)
    is_kind = wanted.unit is Unit.KINDS
    if (is_kind and not found.base) or not (found.items or terms.is_sure):
        return None
    if terms.words and not found.items and found.longer:
        return _inside_longer_words(found, terms, files)
    said = replace(scope, types=()).described()
    where = f" ({said})" if said else ""
    return Tally(
        sentence=_sentence(wanted, found, terms, condition.period, _read(files)) + where,
        count=len(found.items),
        items=tuple(found.items),
        scope=_looked_at(wanted, found, terms, _all(files) + where),
        remarks=tuple(_remarks(found, files)),
        gaps=gaps(files),
        documents=sum(one.is_read for one in files),
    )


def _inside_longer_words(found: _Matches, terms: _Terms, files: Sequence[HeldFile]) -> Tally:
    """Whether `Asbestsanierung` mentions `Asbest` is for the person to say."""
    number = len(found.longer)
    held = f"{count(number, 'file')} hold{'s' if number == 1 else ''} it inside longer words"
    return Tally(
        sentence=f"{_none_of(files)} mentions {terms} as a word of its own; {held}",
        count=number,
        items=tuple(found.longer),
        scope=f"the whole text of {_all(files)}",
        gaps=gaps(files),
        documents=sum(one.is_read for one in files),
    )


def count_mentions(library: WholeLibrary, wanted: Wanted) -> Tally | None:
    """Counts how often words are mentioned; `None` when a condition is not understood."""
    condition = read_condition("files", wanted.condition, library.facts, library.today)
    place, term = taken_places("files", wanted.term, library.facts, library.today)
    if condition is None or condition.terms or condition.period:
        return None
    files = library.narrowed(_both(condition.scope, place))
    terms = _terms(term, ())
    if len(terms.words) != 1:
        return None
    items, longer = _mentions(library, files, terms.words[0])
    if not (items or terms.is_sure):
        return None
    return Tally(
        sentence=_mentioned(items, terms, files),
        count=len(items),
        items=tuple(items),
        scope=f"the whole text of {_all(files)}; whole words, whatever their case and accents",
        remarks=tuple(_longer([f"“{one}”" for one in sorted(longer)])),
        gaps=gaps(files),
        documents=sum(one.is_read for one in files),
    )


def _mentions(
    library: WholeLibrary, files: Sequence[HeldFile], word: str
) -> tuple[list[Item], set[str]]:
    """Every place of a word, and the longer words that hold it."""
    items: list[Item] = []
    longer: set[str] = set()
    names = labels(files)
    for file, text in library.texts(files):
        found = occurrences(text, word)
        longer.update(found.longer_words)
        name = names[file.file.id]
        items += [Item(f"{name}: {text[a:b]}", file.file.id, a, b) for a, b in found.places]
    return items, longer


def _matches(
    library: WholeLibrary,
    wanted: Wanted,
    files: Sequence[HeldFile],
    terms: _Terms,
    condition: FileCondition,
) -> _Matches:
    found, names = _Matches(), labels(files)
    for file, text in library.texts(files):
        if wanted.unit is Unit.KINDS and not speaks_of(
            wanted.noun, file.facts, file.file.title, text
        ):
            continue
        found.base += 1
        if condition.period and not _is_dated(found, wanted, file, text, condition.period):
            continue
        _take(found, file, text, terms, names[file.file.id])
    return found


def _is_dated(found: _Matches, wanted: Wanted, file: HeldFile, text: str, period: Period) -> bool:
    """Whether a file is of the period; kinds of document tell their date in their text."""
    if wanted.unit is Unit.KINDS:
        days, how = days_of(file.facts, text)
    else:
        days, how = (file.facts.day.isoformat(),), "the file's own date"
    found.known_by[how] += 1
    return period.holds(days)


def _take(found: _Matches, file: HeldFile, text: str, terms: _Terms, name: str) -> None:
    """Note a file that mentions the terms, at the first place of the first one."""
    places = {word: occurrences(text, word) for word in terms.words}
    held = [word for word in terms.words if places[word] or _is_in_name(file, word)]
    if len(held) < (min(1, len(terms.words)) if terms.is_any else len(terms.words)):
        longer = [one for one in places.values() if one.longer]
        if longer and not held:
            forms = enumerated(longer[0].longer_words)
            found.longer.append(Item(f"{name} ({forms})", file.file.id, *longer[0].longer[0]))
        return
    found.files.append((file, text))
    times = sum(len(places[word]) for word in held)
    told = f"{name} ({times:,} times)" if times > 1 else name
    first = next((one.places[0] for one in places.values() if one.places), (0, 0))
    found.items.append(Item(told, file.file.id, *first))


def _is_in_name(file: HeldFile, word: str) -> bool:
    """Whether the file is called so: `lease-meyer.pdf` is a contract with Meyer."""
    return bool(occurrences(_NAME_JOINTS.sub(" ", file.facts.names[-1]), word))


def _terms(term: str, also: Sequence[str]) -> _Terms:
    """A term taken apart where it names several, unless it stands in quotes."""
    quoted = re.findall(r'"([^"]+)"', term)
    if quoted or not term:
        is_any = bool(_EITHER.search(re.sub(r'"[^"]*"', "x", term)))
        return _Terms((*quoted, *also), is_any)
    either = _EITHER.split(term)
    words = either if len(either) > 1 else _JOINED.split(term)
    is_sure = all(_is_name(one) for one in words)
    return _Terms((*words, *also), len(either) > 1, is_sure)


def _is_name(term: str) -> bool:
    """Whether it names something, so that who speaks of it uses these words."""
    said = words(term)
    is_short = len(content_terms(term)) <= _SURE_WORDS and len(said) <= _SURE_WORDS
    return is_short or all(one[0].isupper() or one[0].isdigit() for one in said)


# ---------------------------------------------------------------------------- sentences


def _sentence(
    wanted: Wanted, found: _Matches, terms: _Terms, period: Period | None, files: str
) -> str:
    number = len(found.items)
    if wanted.unit is Unit.KINDS:
        base = f"{found.base:,} {wanted.noun}"
    else:
        kind = type_of(wanted.noun)
        base = count(found.base, f"{_KIND_NAMES.get(kind, kind)} file".strip())
    mention = f"mention{'s' if number < 2 else ''} {terms}" if terms.words else ""
    dated = f"{'is' if number < 2 else 'are'} dated {period.said}" if period else ""
    wish = " and ".join(filter(None, (mention, dated)))
    if not wish and wanted.unit is Unit.KINDS:
        return f"{wanted.noun.capitalize()} among your {files}: {number:,}"
    if not wish:
        return f"You have {base}"
    return (
        f"{f'{number:,}' if number else 'None'} of your {base} {wish}"
        if found.base
        else (f"You have {base}, so none {wish}")
    )


def _mentioned(items: Sequence[Item], terms: _Terms, files: Sequence[HeldFile]) -> str:
    if not items:
        return f"{_none_of(files)} mentions {terms}"
    holding = len({item.document for item in items})
    times = "once" if len(items) == 1 else f"{len(items):,} times"
    return f"{terms} stands {times}, in {count(holding, 'file')}"


def _looked_at(wanted: Wanted, found: _Matches, terms: _Terms, files: str) -> str:
    told = [f"the whole text of {files}" if terms.words else files]
    if wanted.unit is Unit.KINDS:
        told.append(f"{wanted.noun} by the name, folder, title or first lines of a file")
    if found.known_by:
        ways = enumerated([f"{how} ({n:,})" for how, n in found.known_by.most_common()])
        told.append(f"dated by {ways}")
    return "; ".join(told)


def _remarks(found: _Matches, files: Sequence[HeldFile]) -> Iterator[str]:
    doubles = copies(found.files)
    if doubles:
        told = told_copies(doubles, files)
        yield f"Among them {_are(len(doubles), 'is a copy', 'are copies')} ({told})."
    if found.longer and found.items:
        names = [one.label for one in found.longer]
        who = f"{count(len(names), 'more file').capitalize()} hold{'s' if len(names) == 1 else ''}"
        yield f"{who} it only inside longer words: {enumerated(names)}."


def _longer(forms: Sequence[str]) -> Iterator[str]:
    if forms:
        yield f"Longer words that hold it are not counted: {enumerated(forms)}."


def _are(number: int, one: str, many: str) -> str:
    return one if number == 1 else many.replace("are", f"are {number:,}", 1)


def _all(files: Sequence[HeldFile]) -> str:
    read = sum(one.is_read for one in files)
    return f"all {read:,} files" if read > 1 else count(read, "file")


def _read(files: Sequence[HeldFile]) -> str:
    return count(sum(one.is_read for one in files), "file")


def _none_of(files: Sequence[HeldFile]) -> str:
    return f"None of your {_read(files)}"


def _both(one: Scope, other: Scope) -> Scope:
    """The filters of two scopes of the same question together."""
    return replace(
        one,
        files=(*one.files, *other.files),
        folders=(*one.folders, *other.folders),
        types=(*one.types, *other.types),
        after=one.after or other.after,
        before=one.before or other.before,
        pages=(*one.pages, *other.pages),
    )
