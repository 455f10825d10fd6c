"""Puts the text fragments of a page into reading order and finds its blocks.

Works on rectangles alone, so it serves any source of placed text (PDF now, OCR later). The rules
are simple and cheap on purpose: a learned layout model costs about a second a page, these cost a
few milliseconds. Order of work: columns (`reading_regions`), rows and cells (`rows_of`), blocks
(`page_layout_blocks`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from desktop_rag.domain.documents import BlockKind

Rect = tuple[float, float, float, float]


@dataclass(slots=True)
class Fragment:
    """A piece of a line as the source gave it, with its box in the frame the text is read in."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    """Font size in points."""
    is_bold: bool
    shown: Rect
    """The box on the page as it is displayed; differs from the reading frame on rotated text."""


@dataclass(slots=True)
class Row:
    """Fragments that stand side by side, grouped into cells from left to right."""

    cells: list[list[Fragment]]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    is_bold: bool

    @property
    def text(self) -> str:
        """Text of the row with single spaces, for rules that look at words."""
        return " ".join(fragment.text for cell in self.cells for fragment in cell)

    @property
    def height(self) -> float:
        """Height of the row's box in points."""
        return self.y1 - self.y0


@dataclass(slots=True)
class LayoutBlock:
    """Rows that belong together."""

    kind: BlockKind
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TextStyle:
    """What ordinary text looks like in a document; headings are what differs from it."""

    size: float
    is_bold: bool


_BULLETS = "•◦▪▫●○■□–—‣⁃∙·*-➢➤✓❖►"
_MARKER = re.compile(
    rf"^(?:[{re.escape(_BULLETS)}]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\d{{1,2}}(?:\.\d{{1,2}})*\.?)$"
)
_LIST_START = re.compile(
    rf"^(?:[{re.escape(_BULLETS.replace('-', '').replace('–', '').replace('—', ''))}]\s*\S"
    r"|[-–—]\s+\S|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s+\S)"
)
_FIGURE = re.compile(r"^[(\-–$€£¥]?\d[\d.,]*[)%]*$")
_DASHES = frozenset({"—", "–", "-", "$—", "$–"})
_NUMBERED_HEADING = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+[^\W\d_a-zß-ÿ]")
_CURRENCY = re.compile(r"^[$€£¥]$")
_TRAILING_SIGN = re.compile(r"^[%)]+%?$")
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？…][\"'”’)\]]*$")
_NUMBERED_PART = re.compile(r"^(?:part|chapter|kapitel|teil|chapitre)\s+[\divxlc]+\b", re.I)
_NUMBERED_ITEM = re.compile(
    r"^(?:item|section|article|abschnitt|appendix|annex)\s+[\divxlca-z]{1,4}\b", re.I
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_MAX_COLUMN_DEPTH = 3
_MIN_COLUMN_LINES = 3
_STEP = 10.0
"""Height in points by which rows are looked up."""


# ---------------------------------------------------------------- columns


def reading_regions(fragments: Sequence[Fragment], depth: int = 0) -> list[list[Fragment]]:
    """Split a page into regions that are each read from top to bottom, in reading order.

    Text that spans all columns (a title, a wide table) separates column bands. A table is never
    split: columns count as such only when both sides hold running prose.
    """
    gutter = _find_gutter(fragments) if depth < _MAX_COLUMN_DEPTH else None
    if gutter is None:
        return [list(fragments)] if fragments else []
    regions: list[list[Fragment]] = []
    wide: list[Fragment] = []
    for band in _bands(fragments, gutter):
        left = [f for f in band if f.x1 <= gutter]
        right = [f for f in band if f.x0 >= gutter]
        if _is_prose(left) and _is_prose(right):
            if wide:
                regions.append(wide)
                wide = []
            regions += reading_regions(left, depth + 1) + reading_regions(right, depth + 1)
        else:
            wide.extend(band)
    if wide:
        regions.append(wide)
    return regions


def _find_gutter(fragments: Sequence[Fragment]) -> float | None:
    """The x just left of a column of prose that has prose beside it, or None."""
    if len(fragments) < 2 * _MIN_COLUMN_LINES:
        return None
    left_edge = min(f.x0 for f in fragments)
    width = max(f.x1 for f in fragments) - left_edge
    long_lines = [f for f in fragments if _words(f) >= 3 and f.x1 - f.x0 < 0.7 * width]
    starts = Counter(round(f.x0 / 3) for f in long_lines if f.x0 > left_edge + 0.2 * width)
    for start, count in starts.most_common(4):
        if count < _MIN_COLUMN_LINES:
            break
        gutter = start * 3 - 3.0
        left = [f for f in fragments if f.x1 <= gutter]
        right = [f for f in fragments if f.x0 >= gutter]
        if len(left) + len(right) >= 0.6 * len(fragments) and _is_prose(left) and _is_prose(right):
            return gutter
    return None


def _bands(fragments: Sequence[Fragment], gutter: float) -> list[list[Fragment]]:
    """Runs from top to bottom: fragments that cross the gutter, and those between them."""
    crossing = sorted(
        (f for f in fragments if f.x0 < gutter < f.x1), key=lambda f: (f.y0 + f.y1) / 2
    )
    beside = [f for f in fragments if not f.x0 < gutter < f.x1]
    beside.sort(key=lambda f: (f.y0 + f.y1) / 2)
    bands: list[list[Fragment]] = []
    position = 0
    for wide in crossing:
        middle = (wide.y0 + wide.y1) / 2
        start = position
        while position < len(beside) and (beside[position].y0 + beside[position].y1) / 2 < middle:
            position += 1
        if position > start:
            bands.append(beside[start:position])
        bands.append([wide])
    if position < len(beside):
        bands.append(beside[position:])
    return bands


def _is_prose(fragments: Sequence[Fragment]) -> bool:
    """Whether most text stands in full lines of several words: a column, not cells of a table."""
    if len(fragments) < _MIN_COLUMN_LINES:
        return False
    widths = sorted(f.x1 - f.x0 for f in fragments)
    usual = widths[int(0.8 * (len(widths) - 1))]
    full = [f for f in fragments if _words(f) >= 3 and f.x1 - f.x0 >= 0.7 * usual]
    characters = sum(len(f.text) for f in fragments)
    return len(full) >= _MIN_COLUMN_LINES and sum(len(f.text) for f in full) >= 0.6 * characters


def _words(fragment: Fragment) -> int:
    """Number of words; a long stretch without spaces (Chinese, Japanese) counts as several."""
    text = fragment.text
    spaceless = 0 if text.isascii() else len(_IDEOGRAPHS.findall(text)) // 3
    return max(text.count(" ") + 1, len(text) // 8, spaceless)


# ---------------------------------------------------------------- rows and cells


def rows_of(fragments: Sequence[Fragment]) -> list[Row]:
    """Group a region's fragments into rows from top to bottom, each with its cells."""
    usual = _usual_size(fragments)
    marks = [f for f in fragments if f.size < 0.85 * usual and len(f.text) <= 5]
    set_apart = {id(f) for f in marks}
    ordered = sorted(
        (f for f in fragments if id(f) not in set_apart), key=lambda f: ((f.y0 + f.y1) / 2, f.x0)
    )
    groups: list[list[Fragment]] = []
    top = bottom = 0.0
    for fragment in ordered:
        middle = (fragment.y0 + fragment.y1) / 2
        if groups and top <= middle <= bottom and _shares_row(groups[-1], fragment):
            groups[-1].append(fragment)
        else:
            groups.append([fragment])
            height = fragment.y1 - fragment.y0
            top, bottom = fragment.y0 + 0.2 * height, fragment.y1 - 0.2 * height
    return [_row(group) for group in _with_marks(groups, marks)]


def _usual_size(fragments: Sequence[Fragment]) -> float:
    sizes: Counter[float] = Counter()
    for fragment in fragments:
        sizes[fragment.size] += len(fragment.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _with_marks(groups: list[list[Fragment]], marks: Sequence[Fragment]) -> list[list[Fragment]]:
    """Put footnote marks and trademark signs, which stand a little higher, into their rows."""
    alone: list[list[Fragment]] = []
    by_height: dict[int, list[list[Fragment]]] = {}
    for group in groups:
        for step in range(int(group[0].y0 // _STEP), int(group[0].y1 // _STEP) + 1):
            by_height.setdefault(step, []).append(group)
    for mark in marks:
        near = by_height.get(int(mark.y1 // _STEP), ())
        host = next((group for group in near if _reaches_into(mark, group)), None)
        if host is None:
            alone.append([mark])
        else:
            host.append(mark)
    if not alone:
        return groups
    return sorted([*groups, *alone], key=lambda group: (group[0].y0 + group[0].y1) / 2)


def _reaches_into(mark: Fragment, group: Sequence[Fragment]) -> bool:
    """Whether a raised mark stands right behind or before a fragment of the row."""
    return any(
        min(mark.y1, f.y1) - max(mark.y0, f.y0) > -0.1 * f.size
        and -0.3 * f.size < max(mark.x0 - f.x1, f.x0 - mark.x1) < 0.6 * f.size
        for f in group
    )


def _shares_row(group: Sequence[Fragment], fragment: Fragment) -> bool:
    """Not on top of another fragment of the row (overprinted text, tight line spacing)."""
    return not any(
        min(other.x1, fragment.x1) - max(other.x0, fragment.x0)
        > 0.5 * min(other.x1 - other.x0, fragment.x1 - fragment.x0)
        for other in group
    )


def _row(group: list[Fragment]) -> Row:
    # Arabic and Hebrew rows begin on the right; the text inside a fragment is in order already.
    is_rtl = len(_RIGHT_TO_LEFT.findall("".join(f.text for f in group))) > len(group)
    group.sort(key=lambda f: f.x0, reverse=is_rtl)
    largest = max(group, key=lambda f: len(f.text))
    return Row(
        cells=_cells(group),
        x0=min(f.x0 for f in group),
        y0=min(f.y0 for f in group),
        x1=max(f.x1 for f in group),
        y1=max(f.y1 for f in group),
        size=largest.size,
        is_bold=all(f.is_bold for f in group),
    )


def _cells(group: Sequence[Fragment]) -> list[list[Fragment]]:
    """Neighbours closer than about a letter, signs and list markers share a cell."""
    cells = [[group[0]]]
    for before, fragment in pairwise(group):
        is_near = _gap(before, fragment) < 0.9 * max(before.size, fragment.size)
        is_near = is_near and not _begins_figure(before, fragment)
        is_sign = bool(_CURRENCY.match(before.text) or _TRAILING_SIGN.match(fragment.text))
        if is_near or is_sign or _is_marked_text(cells, fragment):
            cells[-1].append(fragment)
        else:
            cells.append([fragment])
    return cells


def _gap(before: Fragment, after: Fragment) -> float:
    """White space between neighbours in a row, in points, whichever way the row is read."""
    return max(after.x0 - before.x1, before.x0 - after.x1)


def _begins_figure(before: Fragment, fragment: Fragment) -> bool:
    """Two figures that almost touch are two cells, and so is the next figure's currency sign."""
    if not (_FIGURE.match(before.text) or before.text in _DASHES):
        return False
    is_figure = bool(_FIGURE.match(fragment.text)) or fragment.text in _DASHES
    is_apart = _gap(before, fragment) > 0.15 * fragment.size
    return is_apart and (is_figure or bool(_CURRENCY.match(fragment.text[:1])))


def _is_marked_text(cells: list[list[Fragment]], fragment: Fragment) -> bool:
    """A list marker or section number at the start of a row, followed by its text."""
    if len(cells) != 1 or len(cells[0]) != 1:
        return False
    return bool(_MARKER.match(cells[0][0].text)) and fragment.text[:1].isalpha()


def glue(before: Fragment, after: Fragment) -> str:
    """What stands between two fragments of one cell: a space, or nothing around signs."""
    if _CURRENCY.match(before.text) or _TRAILING_SIGN.match(after.text):
        return ""
    is_below = after.y0 > before.y1 - 0.3 * before.size
    return " " if is_below or _gap(before, after) > 0.12 * before.size else ""


# ---------------------------------------------------------------- blocks


def page_layout_blocks(fragments: Sequence[Fragment], style: TextStyle) -> list[LayoutBlock]:
    """All blocks of a page in reading order."""
    blocks: list[LayoutBlock] = []
    for region in reading_regions(fragments):
        rows = rows_of(region)
        for start, end, is_table in _table_runs(rows):
            if is_table:
                blocks.append(LayoutBlock(BlockKind.TABLE, _joined_rows(rows[start:end])))
            else:
                blocks += _text_blocks(rows[start:end], style)
    return blocks


def _table_runs(rows: Sequence[Row]) -> list[tuple[int, int, bool]]:
    """Split rows into runs `(start, end, is_table)`; a table has two rows of several cells."""
    flags = _table_flags(rows)
    runs: list[tuple[int, int, bool]] = []
    start = 0
    for position in range(1, len(rows) + 1):
        if position == len(rows) or flags[position] != flags[start]:
            runs.append((start, position, flags[start]))
            start = position
    return [
        (start, end, is_table and _has_columns(rows[start:end])) for start, end, is_table in runs
    ]


def _has_columns(rows: Sequence[Row]) -> bool:
    """Whether white gaps stand under each other; wide word spaces in justified text do not."""
    parted = [_gaps(row) for row in rows if len(row.cells) >= 2]
    aligned = sum(
        any(min(a1, b1) - max(a0, b0) > 3 for a0, a1 in above for b0, b1 in below)
        for above, below in pairwise(parted)
    )
    return aligned >= 0.5 * (len(parted) - 1)


def _gaps(row: Row) -> list[tuple[float, float]]:
    return [(a[-1].x1, b[0].x0) for a, b in pairwise(row.cells)]


def _joined_rows(rows: Sequence[Row]) -> list[Row]:
    """Put together what is one row of a table but was printed on two lines."""
    left = min(row.x0 for row in rows)
    joined: list[Row] = []
    for row in rows:
        above = joined[-1] if joined else None
        if above is not None and _is_wrapped_label(above, row):
            row.cells[0] = above.cells[0] + row.cells[0]
            joined[-1] = row
        elif above is not None and len(joined) <= 3 and _is_split_head(above, row, left):
            above.cells = [a + b for a, b in zip(above.cells, row.cells, strict=True)]
            above.y1 = row.y1
        else:
            joined.append(row)
    _mark_empty_cells(joined)
    return joined


def _mark_empty_cells(rows: Sequence[Row]) -> None:
    """Give rows that lack a cell inside the table an empty one, so that columns stay aligned."""
    fullest = max(rows, key=lambda row: len(row.cells))
    columns = [(cell[0].x0, cell[-1].x1) for cell in fullest.cells]
    for row in rows:
        if 2 <= len(row.cells) < len(columns):
            places = [_column(cell, columns) for cell in row.cells]
            if places[0] == 0 and all(a < b for a, b in pairwise(places)):
                by_place = dict(zip(places, row.cells, strict=True))
                row.cells = [by_place.get(place, []) for place in range(places[-1] + 1)]


def _column(cell: Sequence[Fragment], columns: Sequence[tuple[float, float]]) -> int:
    """The column whose nearest edge or middle lies closest to the cell's."""
    x0, x1 = cell[0].x0, cell[-1].x1

    def distance(number: int) -> float:
        left, right = columns[number]
        return min(abs(left - x0), abs(right - x1), abs(left + right - x0 - x1) / 2)

    return min(range(len(columns)), key=distance)


def _is_wrapped_label(above: Row, row: Row) -> bool:
    """A label alone on its line that ends in the next row ("Total change in … / losses | 5")."""
    if len(above.cells) != 1 or len(row.cells) < 2 or row.y0 - above.y1 > 0.6 * row.height:
        return False
    return _is_open_label(above, row)


def _is_split_head(above: Row, row: Row, left: float) -> bool:
    """Column titles on two lines ("June 25, / 2022"), with nothing in the label column."""
    if len(above.cells) != len(row.cells) or len(row.cells) < 2:
        return False
    if min(above.x0, row.x0) < left + 2 * row.size or row.y0 - above.y1 > 0.5 * row.height:
        return False
    if any(_FIGURE.match(cell[0].text) for cell in above.cells):
        return False
    return all(
        min(a[-1].x1, b[-1].x1) > max(a[0].x0, b[0].x0)
        for a, b in zip(above.cells, row.cells, strict=True)
    )


def _table_flags(rows: Sequence[Row]) -> list[bool]:
    """Which rows belong to a table: those of several cells, and single cells in or on top of it."""
    flags = [len(row.cells) >= 2 for row in rows]
    for position in range(1, len(rows) - 1):
        if not flags[position] and flags[position - 1]:
            flags[position] = _is_inside_table(rows, position)
    for position in range(len(rows) - 2, -1, -1):
        if not flags[position] and flags[position + 1]:
            flags[position] = _is_table_title(rows, position)
    for position, row in enumerate(rows):
        neighbours = flags[max(position - 1, 0) : position] + flags[position + 1 : position + 2]
        if flags[position] and (not any(neighbours) or (len(row.cells) < 2 and not neighbours[-1])):
            flags[position] = False
    return flags


def _is_inside_table(rows: Sequence[Row], position: int) -> bool:
    """A single cell between table rows: a label that wraps, a subheading ("Net sales:")."""
    row, above = rows[position], rows[position - 1]
    below = next((r for r in rows[position + 1 : position + 4] if len(r.cells) >= 2), None)
    if below is None:
        return False
    width = max(above.x1, below.x1) - min(above.x0, below.x0)
    gaps = (row.y0 - above.y1, below.y0 - row.y1)
    if gaps[0] < 2.2 * row.height and gaps[1] < 3.5 * row.height:
        return row.x1 - row.x0 < 0.66 * width
    return False


def _is_table_title(rows: Sequence[Row], position: int) -> bool:
    """A single cell right on top of a table row, over its columns or the start of its label."""
    row, below = rows[position], rows[position + 1]
    if below.y0 - row.y1 > 0.6 * row.height or len(below.cells) < 2:
        return False
    width = below.x1 - below.x0
    is_over_columns = row.x0 > below.x0 + 0.3 * width and row.x1 - row.x0 < 0.6 * width
    return is_over_columns or _is_open_label(row, below)


def _is_open_label(row: Row, below: Row) -> bool:
    """A label that breaks inside brackets or goes on in small letters in the next row."""
    is_flush = abs(row.x0 - below.x0) < 2.5 * row.size and row.x1 < below.x1
    return (
        is_flush
        and (row.text.count("(") > row.text.count(")") or below.text[:1].islower())
        and not row.text.endswith((".", ":"))
    )


def _text_blocks(rows: Sequence[Row], style: TextStyle) -> list[LayoutBlock]:
    """Headings, paragraphs and list items of rows that are no table."""
    blocks: list[LayoutBlock] = []
    right_edge = max((row.x1 for row in rows), default=0.0)
    pitch = _usual_pitch(rows)
    for position, row in enumerate(rows):
        above = rows[position - 1] if position else None
        is_heading = _looks_like_heading(row, style)
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
    return [_demote_long_heading(block) for block in blocks]


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
        return row.is_bold == above.is_bold and not _NUMBERED_ITEM.match(row.text)
    if _LIST_START.match(row.text) and not _is_mid_sentence(above, row, right_edge):
        return False
    if block.kind is BlockKind.LIST:
        return row.x0 > block.rows[0].x0 - 2
    is_indented = row.x0 > above.x0 + 0.9 * row.size and len(block.rows) > 1
    was_short = above.x1 < right_edge - 0.25 * (right_edge - above.x0)
    return not is_indented and not (was_short and bool(_ENDS_SENTENCE.search(above.text)))


def _is_mid_sentence(above: Row, row: Row, right_edge: float) -> bool:
    """A line that starts like "3) shows" because the sentence before it broke there."""
    is_full = above.x1 > right_edge - 0.1 * (right_edge - above.x0)
    is_flush = abs(row.x0 - above.x0) < 2 and row.text[0] not in _BULLETS
    return (
        is_full and is_flush and not ends_sentence(above.text) and not _LIST_START.match(above.text)
    )


def _looks_like_heading(row: Row, style: TextStyle) -> bool:
    text = row.text
    if len(row.cells) != 1 or len(text) > 160 or not any(c.isalpha() for c in text):
        return False
    if text.endswith((",", ";", "-")) or text[0] in _BULLETS:
        return False
    if row.size >= 1.15 * style.size:
        return True
    if _NUMBERED_HEADING.match(text) and len(text) <= 100 and not ends_sentence(text):
        return True
    is_set_off = row.is_bold and not style.is_bold and row.size >= 0.95 * style.size
    return is_set_off and len(text) <= 120 and not text[0].islower()


def _demote_long_heading(block: LayoutBlock) -> LayoutBlock:
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
    numbered = _NUMBERED_HEADING.match(text)
    if numbered:
        return base + min(1 + numbered.group(1).count("."), 5)
    return base + (2 if _NUMBERED_ITEM.match(text) else 3)


def _rounded(block: LayoutBlock) -> float:
    return round(block.rows[0].size * 2) / 2


def ends_sentence(text: str) -> bool:
    """Whether a paragraph's text is complete as it stands."""
    return bool(_ENDS_SENTENCE.search(text.rstrip()))
