"""Uses a document's outline (bookmarks) to tell its headings and their depth.

An outline is only believed where its titles stand on the pages they name: many are left over from
another version of the document or name its files. It never adds text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.domain.documents import BlockKind
from desktop_rag.domain.layout.fragments import LayoutBlock

MAX_LEVEL = 6
_MIN_FOUND = 0.5
"""Share of the titles that must stand on their pages."""
_MAX_ROWS = 4
_NUMBERING = frozenset("0123456789ivxlc")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark. `level` is 1 for the highest, `page` physical, the first is 1."""

    level: int
    title: str
    page: int


def outlined_levels(
    layouts: Sequence[Sequence[LayoutBlock]], outline: Sequence[OutlineEntry]
) -> dict[int, int]:
    """Level by the `id` of every block that is a heading in the outline, in reading order.

    Empty when the outline does not fit the document. The blocks become headings.
    """
    entries = [entry for entry in outline if _key(entry.title)]
    found: dict[int, tuple[LayoutBlock, int]] = {}
    matched = 0
    for entry in entries:
        block = _titled(layouts, entry)
        if block is not None:
            matched += 1
            found.setdefault(id(block), (block, min(max(entry.level, 1), MAX_LEVEL)))
    if matched < max(2, _MIN_FOUND * len(entries)):
        return {}
    for block, _ in found.values():
        block.kind = BlockKind.HEADING
    return {key: level for key, (_, level) in found.items()}


def fitted_levels(
    headings: Sequence[LayoutBlock], levels: Sequence[int], outlined: dict[int, int]
) -> list[int]:
    """Levels of all headings: those of the outline, the others below them.

    Headings before the first of the outline (the title page's) keep the level of their print.
    """
    if not outlined:
        return list(levels)
    deepest = max(outlined.values())
    fitted = []
    has_begun = False
    for heading, level in zip(headings, levels, strict=True):
        has_begun = has_begun or id(heading) in outlined
        below = min(deepest + level, MAX_LEVEL) if has_begun else level
        fitted.append(outlined.get(id(heading), below))
    return fitted


def _titled(layouts: Sequence[Sequence[LayoutBlock]], entry: OutlineEntry) -> LayoutBlock | None:
    """The block of the entry's page that says just its title, perhaps with a number before it."""
    if not 1 <= entry.page <= len(layouts):
        return None
    title = _key(entry.title)
    for block in layouts[entry.page - 1]:
        if block.kind is BlockKind.TABLE or len(block.rows) > _MAX_ROWS:
            continue
        text = _key(" ".join(row.text for row in block.rows))
        if text == title:
            return block
        number = text.removesuffix(title) if text.endswith(title) else "?"
        if len(number) <= 6 and all(c in _NUMBERING for c in number):
            return block
    return None


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
