"""Groups fragments into rows and rows into cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.domain.layout.fragments import Fragment, Row

BULLETS = "•◦▪▫●○■□–—‣⁃∙·*-➢➤✓❖►"
_MARKER = re.compile(
    rf"^(?:[{re.escape(BULLETS)}]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\d{{1,2}}(?:\.\d{{1,2}})*\.?)$"
)
FIGURE = re.compile(r"^[(\-–$€£¥]?\d[\d.,]*[)%]*$")
_DASHES = frozenset({"—", "–", "-", "$—", "$–"})
_CURRENCY = re.compile(r"^[$€£¥]$")
_TRAILING_SIGN = re.compile(r"^[%)]+%?$")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_STEP = 10.0
"""Height in points by which rows are looked up."""


def rows_of(fragments: Sequence[Fragment]) -> list[Row]:
    """Group a region's fragments into rows from top to bottom, each with its cells."""
    usual = usual_size(fragments)
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


def usual_size(fragments: Sequence[Fragment]) -> float:
    """The font size most characters have; 0 when there are none."""
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
    if len(group) == 1:
        only = group[0]
        return Row([group], only.x0, only.y0, only.x1, only.y1, only.size, only.is_bold)
    text = "".join(f.text for f in group)
    is_rtl = not text.isascii() and len(_RIGHT_TO_LEFT.findall(text)) > len(group)
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
    """Neighbours closer than about a letter, signs, list markers and "Name:" share a cell."""
    cells = [[group[0]]]
    for before, fragment in pairwise(group):
        is_near = gap_between(before, fragment) < 0.9 * max(before.size, fragment.size)
        is_near = is_near and not _begins_figure(before, fragment)
        is_sign = bool(_CURRENCY.match(before.text) or _TRAILING_SIGN.match(fragment.text))
        is_label = before.text.endswith(":") and _is_value(before, fragment)
        if is_near or is_sign or is_label or _is_marked_text(cells, fragment):
            cells[-1].append(fragment)
        else:
            cells.append([fragment])
    return cells


def _is_value(label: Fragment, fragment: Fragment) -> bool:
    """What a form says behind a label with a colon; figures keep the columns of their table."""
    is_close = gap_between(label, fragment) < 6 * label.size
    return is_close and not FIGURE.match(fragment.text) and fragment.text[:1].isalpha()


def gap_between(before: Fragment, after: Fragment) -> float:
    """White space between neighbours in a row, in points, whichever way the row is read."""
    return max(after.x0 - before.x1, before.x0 - after.x1)


def _begins_figure(before: Fragment, fragment: Fragment) -> bool:
    """Two figures that almost touch are two cells, and so is the next figure's currency sign."""
    if not (FIGURE.match(before.text) or before.text in _DASHES):
        return False
    is_figure = bool(FIGURE.match(fragment.text)) or fragment.text in _DASHES
    is_apart = gap_between(before, fragment) > 0.15 * fragment.size
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
    return " " if is_below or gap_between(before, after) > 0.12 * before.size else ""
