"""Cuts what is to be summarised into parts that a language model can read at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.documents import DocumentId

_FULL_ENOUGH = 0.5
"""Filled so far, a part ends where a section does."""


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """Passages of one document that follow each other."""

    passages: tuple[Passage, ...]
    first: int
    """Index of its first passage among all."""

    @property
    def document(self) -> DocumentId:
        """They are of."""
        return self.passages[0].document

    @property
    def text(self) -> str:
        """What the language model reads: sections as headings above their text."""
        lines: list[str] = []
        section = ""
        for passage in self.passages:
            if passage.section != section:
                section = passage.section
                lines.append(f"\n{section.rsplit(' > ', 1)[-1]}:")
            if passage.columns:
                lines.append(passage.columns)
            lines.append(passage.text)
        return "\n".join(lines).strip()

    @property
    def numbers(self) -> range:
        """Indexes of its passages among all."""
        return range(self.first, self.first + len(self.passages))


def without_overlap(passages: Sequence[Passage]) -> list[Passage]:
    """Passages in reading order, each without what the one before it has already."""
    found: list[Passage] = []
    for passage in passages:
        before = found[-1] if found and found[-1].document == passage.document else None
        skipped = max(0, before.end - passage.start) if before else 0
        text = passage.text[skipped:]
        if text.strip():
            found.append(replace(passage, text=text, start=passage.start + skipped))
    return found


def parts_of(passages: Sequence[Passage], chars: int) -> list[SummaryPart]:
    """Parts of at most about `chars` characters, of one document each, cut at sections if it fits.

    A single passage that is longer is a part of its own.
    """
    parts: list[SummaryPart] = []
    run: list[Passage] = []
    first = 0
    for number, passage in enumerate(passages):
        if run and _begins_another(run, passage, chars):
            parts.append(SummaryPart(tuple(run), first))
            run, first = [], number
        run.append(passage)
    return [*parts, SummaryPart(tuple(run), first)] if run else parts


def chosen_within(
    parts: Sequence[SummaryPart], count: int, worth: Callable[[Sequence[int]], float]
) -> list[SummaryPart]:
    """The `count` parts to read when there is no time for all, in order.

    First the beginnings of the documents, then what is most central.
    """
    openings = [n for n, part in enumerate(parts) if n == 0 or _is_other(parts[n - 1], part)]
    by_worth = sorted(range(len(parts)), key=lambda n: -worth(parts[n].numbers))
    if len(openings) > count:
        openings = [n for n in by_worth if n in set(openings)]
    wanted = [*dict.fromkeys([*openings, *by_worth])][:count]
    return [parts[n] for n in sorted(wanted)]


def _begins_another(run: Sequence[Passage], passage: Passage, chars: int) -> bool:
    if passage.document != run[-1].document:
        return True
    length = sum(len(one.text) for one in run)
    if length + len(passage.text) > chars:
        return True
    is_new_section = _top(passage) != _top(run[-1])
    return is_new_section and length > _FULL_ENOUGH * chars


def _top(passage: Passage) -> str:
    return " > ".join(passage.section.split(" > ")[:2])


def _is_other(one: SummaryPart, other: SummaryPart) -> bool:
    return one.document != other.document
