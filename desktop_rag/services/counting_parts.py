"""Counts parts of one document that is named: headings, chapters, entries of lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.condition_tokens import is_filler, tokens_of
from desktop_rag.domain.counting import Unit, Wanted
from desktop_rag.domain.documents import Block, BlockKind, Part, PartKind
from desktop_rag.domain.file_conditions import taken_places
from desktop_rag.domain.matching import has_file
from desktop_rag.domain.scope import Scope
from desktop_rag.domain.tally import Item, Tally, count
from desktop_rag.domain.terms import fold
from desktop_rag.services.whole_library import WholeLibrary, gaps, labels
from desktop_rag.storage.holdings import HeldFile

_CHAPTER = re.compile(r"chap|kapitel|capit|hoofdstuk|rozdzial|глав")
_ENTRY = re.compile(r"^[ \t]*(?:[-*•–◦▪]|\d{1,4}[.)]|[a-z][.)])[ \t]+\S.*$", re.MULTILINE)


def count_parts(library: WholeLibrary, wanted: Wanted) -> Tally | None:
    """Counts headings or entries; `None` when it is not clear of which document."""
    files = _named(library, wanted)
    if len(files) != 1 or not files[0].is_read:
        return None
    file = files[0]
    text = library.catalog.text(file.file.id)
    blocks = library.catalog.blocks(file.file.id)
    if wanted.unit is Unit.HEADINGS:
        spans = _headings(wanted.noun, blocks, library.catalog.parts(file.file.id))
    else:
        spans = [span for block in blocks for span in _entries(text, block)]
    name = labels(library.files)[file.file.id]
    items = tuple(Item(text[a:b], file.file.id, a, b) for a, b in spans)
    are_nested = any(item.label[:1] in " \t" for item in items)
    return Tally(
        sentence=f"{name} has {count(len(items), wanted.noun, wanted.noun)}",
        count=len(items),
        items=items,
        scope=f"the whole of {name}",
        remarks=("Entries inside entries are counted, too.",) if are_nested else (),
        gaps=gaps(files),
        documents=1,
    )


def _named(library: WholeLibrary, wanted: Wanted) -> list[HeldFile]:
    """The files that a condition names, with or without their suffix."""
    scope, rest = taken_places(wanted.noun, wanted.condition, library.facts, library.today)
    left = [one for one in tokens_of(rest) if not is_filler(one)]
    if scope.files:
        return library.narrowed(scope) if not left else []
    name = " ".join(left)
    is_known = bool(name) and has_file(library.facts, name)
    return library.narrowed(Scope(files=(name,))) if is_known else []


def _headings(noun: str, blocks: Sequence[Block], parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Chapters are the headings of the highest level that has several, sections are all."""
    if not _CHAPTER.match(fold(noun)):
        return [(one.start, one.end) for one in blocks if one.kind is BlockKind.HEADING]
    chapters = [(one.start, one.start) for one in parts if one.kind is PartKind.CHAPTER]
    if chapters:
        return chapters
    headings = [one for one in blocks if one.kind is BlockKind.HEADING]
    for level in sorted({one.level for one in headings}):
        spans = [(one.start, one.end) for one in headings if one.level == level]
        if len(spans) > 1:
            return spans
    return [(one.start, one.end) for one in headings]


def _entries(text: str, block: Block) -> list[tuple[int, int]]:
    if block.kind is not BlockKind.LIST:
        return []
    stretch = text[block.start : block.end]
    return [
        (block.start + a, block.start + b) for a, b in (f.span() for f in _ENTRY.finditer(stretch))
    ]
