"""Puts regions, tables, headings and paragraphs of a page together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.domain.documents import BlockKind
from desktop_rag.domain.layout.columns import reading_regions
from desktop_rag.domain.layout.fragments import Fragment, LayoutBlock, Row, TextStyle
from desktop_rag.domain.layout.headings import (
    NUMBERED_ITEM,
    looks_like_heading,
    without_long_headings,
)
from desktop_rag.domain.layout.rows import BULLETS, rows_of
from desktop_rag.domain.layout.tables import joined_rows, table_runs
from desktop_rag.domain.sentences import ends_sentence

_LIST_START = re.compile(
    rf"^(?:[{re.escape(BULLETS.replace('-', '').replace('–', '').replace('—', ''))}]\s*\S"
    r"|[-–—]\s+\S|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s+\S)"
)


def page_layout_blocks(
    fragments: Sequence[Fragment], style: TextStyle, *, is_vertical: bool = False
) -> list[LayoutBlock]:
    """All blocks of a page in reading order.

    Args:
        is_vertical: the page is written from top to bottom; bands of lines beside each other are
            columns then, not tables.
    """
    blocks: list[LayoutBlock] = []
    for region in reading_regions(fragments, is_vertical=is_vertical):
        rows = rows_of(region)
        if is_vertical:
            blocks += _text_blocks(rows, style)
            continue
        for start, end, is_table in table_runs(rows):
            if is_table:
                blocks.append(LayoutBlock(BlockKind.TABLE, joined_rows(rows[start:end])))
            else:
                blocks += _text_blocks(rows[start:end], style)
    return blocks


def _text_blocks(rows: Sequence[Row], style: TextStyle) -> list[LayoutBlock]:
    """Headings, paragraphs and list items of rows that are no table."""
    blocks: list[LayoutBlock] = []
    right_edge = max((row.x1 for row in rows), default=0.0)
    pitch = _usual_pitch(rows)
    for position, row in enumerate(rows):
        above = rows[position - 1] if position else None
        is_heading = looks_like_heading(row, style)
        if (
            above is not None
            and blocks
            and _continues(
                blocks[-1], above, row, is_heading=is_heading, pitch=pitch, right_edge=right_edge
            )
        ):
            blocks[-1].rows.append(row)
            continue
        if is_heading:
            kind = BlockKind.HEADING
        elif _LIST_START.match(row.text):
            kind = BlockKind.LIST
        else:
            kind = BlockKind.PARAGRAPH
        blocks.append(LayoutBlock(kind, [row]))
    return [without_long_headings(block) for block in blocks]


def _usual_pitch(rows: Sequence[Row]) -> float:
    """The median distance between the tops of neighbouring rows, in points."""
    steps = sorted(b.y0 - a.y0 for a, b in pairwise(rows) if b.y0 > a.y0)
    return steps[len(steps) // 2] if steps else 0.0


def _continues(
    block: LayoutBlock, above: Row, row: Row, *, is_heading: bool, pitch: float, right_edge: float
) -> bool:
    """Whether `row` is the next line of `block`, whose last line is `above`."""
    if is_heading != (block.kind is BlockKind.HEADING):
        return False
    if abs(row.size - above.size) > 0.12 * above.size:
        return False
    step = row.y0 - above.y0
    if step > max(min(1.35 * pitch, 2.2 * above.height), 1.25 * above.height):
        return False
    if is_heading:
        return row.is_bold == above.is_bold and not NUMBERED_ITEM.match(row.text)
    if _LIST_START.match(row.text) and not _is_mid_sentence(above, row, right_edge):
        return False
    if block.kind is BlockKind.LIST:
        return row.x0 > block.rows[0].x0 - 2
    is_indented = row.x0 > above.x0 + 0.9 * row.size and len(block.rows) > 1
    was_short = above.x1 < right_edge - 0.25 * (right_edge - above.x0)
    return not is_indented and not (was_short and ends_sentence(above.text))


def _is_mid_sentence(above: Row, row: Row, right_edge: float) -> bool:
    """A line that starts like "3) shows" because the sentence before it broke there."""
    is_full = above.x1 > right_edge - 0.1 * (right_edge - above.x0)
    is_flush = abs(row.x0 - above.x0) < 2 and row.text[0] not in BULLETS
    return (
        is_full and is_flush and not ends_sentence(above.text) and not _LIST_START.match(above.text)
    )
