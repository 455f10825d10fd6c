"""Tells headings from text by their print and grades them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.domain.documents import BlockKind
from desktop_rag.domain.layout.fragments import LayoutBlock, Row, TextStyle
from desktop_rag.domain.layout.rows import BULLETS
from desktop_rag.domain.sentences import ends_sentence

NUMBERED_HEADING = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+[^\W\d_a-zß-ÿ]")
_NUMBERED_PART = re.compile(r"^(?:part|chapter|kapitel|teil|chapitre)\s+[\divxlc]+\b", re.I)
NUMBERED_ITEM = re.compile(
    r"^(?:item|section|article|abschnitt|appendix|annex)\s+[\divxlca-z]{1,4}\b", re.I
)


def looks_like_heading(row: Row, style: TextStyle) -> bool:
    """Larger than text, numbered like a section, or bold where text is not; and not a sentence."""
    text = row.text
    if len(row.cells) != 1 or len(text) > 160 or not any(c.isalpha() for c in text):
        return False
    if text.endswith((",", ";", "-")) or text[0] in BULLETS:
        return False
    if row.size >= 1.15 * style.size:
        return True
    if NUMBERED_HEADING.match(text) and len(text) <= 100 and not ends_sentence(text):
        return True
    is_set_off = row.is_bold and not style.is_bold and row.size >= 0.95 * style.size
    return is_set_off and len(text) <= 120 and not text[0].islower()


def without_long_headings(block: LayoutBlock) -> LayoutBlock:
    """Large print over many lines is a paragraph, whatever its font."""
    if block.kind is BlockKind.HEADING:
        length = sum(len(row.text) for row in block.rows)
        if length > 250 or len(block.rows) > 4:
            return LayoutBlock(BlockKind.PARAGRAPH, block.rows)
    return block


def heading_levels(headings: Sequence[LayoutBlock], style: TextStyle) -> list[int]:
    """A level for every heading of a document, 1 for the largest print.

    Sizes above the body's rank first; bold headings in the body's size come below them, graded by
    the words reports use (Part, Item), because their print says nothing.
    """
    sizes = sorted(
        {_rounded(block) for block in headings if _rounded(block) >= 1.15 * style.size},
        reverse=True,
    )
    rank = {size: min(position + 1, 4) for position, size in enumerate(sizes)}
    base = min(len(sizes), 3)
    return [_level(block, rank, base) for block in headings]


def _level(block: LayoutBlock, rank: dict[float, int], base: int) -> int:
    size = _rounded(block)
    if size in rank:
        return rank[size]
    text = block.rows[0].text
    if _NUMBERED_PART.match(text):
        return base + 1
    numbered = NUMBERED_HEADING.match(text)
    if numbered:
        return base + min(1 + numbered.group(1).count("."), 5)
    return base + (2 if NUMBERED_ITEM.match(text) else 3)


def _rounded(block: LayoutBlock) -> float:
    return round(block.rows[0].size * 2) / 2
