"""Turns the lines that text recognition (OCR) found on a page into fragments for the layout.

So a recognised page goes through the same columns, tables and headings as printed text, and its
boxes are those of the page as displayed, whichever way round the page was scanned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from desktop_rag.domain.documents import RecognisedLine, RecognisedPage
from desktop_rag.domain.layout.fragments import Direction, Fragment, PageText, Rect, turn
from desktop_rag.domain.text_cleaning import clean_line

_DIRECTIONS: dict[int, Direction] = {0: (1, 0), 90: (0, -1), 180: (-1, 0), 270: (0, 1)}
"""Way in which text runs on a page that clockwise turns of so many degrees set upright."""
_SIZE_OF_HEIGHT = 0.8
"""Font size for a line's height: recognisers' boxes reach from ascender to descender and over."""
_SIZES = (0.6, 1.0, 1.35, 1.75, 2.3, 3.0, 4.0)
"""Sizes of print, relative to the page's usual one, that heights of boxes can tell apart."""
_INSET = 0.08
"""Part of the size by which boxes are wider than their ink, on either side."""


def recognised_text(page: RecognisedPage, width: float, height: float) -> PageText:
    """The recognised text of a page of `width` times `height` points, as it is displayed.

    Sizes of print are estimates from the height of the lines, in a few steps, so that letters
    without descenders do not look like another font.
    """
    direction = _DIRECTIONS[page.rotation % 360]
    lines = [(line, text) for line in page.lines if (text := clean_line(line.text))]
    is_turned = direction[0] == 0
    usual = _usual_height([line for line, _ in lines], is_turned=is_turned)
    # What stands side by side on an inclined page is brought to one height.
    lean, middle = math.tan(math.radians(page.skew)), (height if is_turned else width) / 2
    fragments = []
    for line, text in lines:
        shown = (line.x0, line.y0, line.x1, line.y1)
        size = _size(_height(line, is_turned=is_turned), usual)
        fragment = Fragment(text, *shown, size, is_bold=False, shown=shown)
        turn(fragment, direction, width, height)
        shift = lean * ((fragment.x0 + fragment.x1) / 2 - middle)
        fragment.y0, fragment.y1 = fragment.y0 - shift, fragment.y1 - shift
        inset = min(_INSET * size, (fragment.x1 - fragment.x0) / 4)
        fragment.x0, fragment.x1 = fragment.x0 + inset, fragment.x1 - inset
        fragments.append(fragment)
    return PageText(width, height, fragments, width if is_turned else height, is_recognised=True)


def with_own_text(recognised: PageText, own: PageText) -> PageText:
    """A recognised page with the text it has of its own, a stamp or a footer, which is exact.

    What was recognised where the page has text of its own is left out.
    """
    groups = [own.fragments, *own.aside]
    exact = [fragment.shown for group in groups for fragment in group]
    kept = [f for f in recognised.fragments if not any(_covers(box, f.shown) for box in exact)]
    is_same_way = own.reading_height == recognised.reading_height
    inside = own.fragments if is_same_way else []
    aside = own.aside if is_same_way else [group for group in groups if group]
    return PageText(
        recognised.width,
        recognised.height,
        kept + inside,
        recognised.reading_height,
        aside,
        is_recognised=True,
    )


def _covers(box: Rect, other: Rect) -> bool:
    """Whether half of `other` lies in `box`."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    area = (other[2] - other[0]) * (other[3] - other[1])
    return width > 0 and height > 0 and width * height > 0.5 * area


def _height(line: RecognisedLine, *, is_turned: bool) -> float:
    return line.x1 - line.x0 if is_turned else line.y1 - line.y0


def _usual_height(lines: Sequence[RecognisedLine], *, is_turned: bool) -> float:
    """Height of the line in which the middle one of all characters stands."""
    heights = sorted((_height(line, is_turned=is_turned), len(line.text)) for line in lines)
    left = sum(length for _, length in heights) / 2
    for height, length in heights:
        left -= length
        if left <= 0:
            return height
    return 0.0


def _size(height: float, usual: float) -> float:
    ratio = height / usual if usual > 0 else 1.0
    return _SIZE_OF_HEIGHT * usual * min(_SIZES, key=lambda step: abs(ratio - step))
