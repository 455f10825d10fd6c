"""Says what a person can see of a PDF page: which text is hidden, where its pictures are.

Text that nobody can see must not reach an answer: it is how documents are made to give orders. A
recognised layer over a scan is drawn without colour too, but there the scan shows the words: so
the test is whether the page as drawn has ink where the text says it stands.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pymupdf

from desktop_rag.domain.layout.fragments import Rect
from desktop_rag.engines.pdf_page_text import Doubt, FoundText, RawPage

_mupdf: Any = pymupdf
"""The library carries no annotations."""
_MIN_CONTRAST = 24
"""Between the darkest and the lightest point of a text's box, of 255."""
_MAX_PIXELS = 4_000_000
_MIN_PICTURE = 0.01
"""Part of the page a picture covers at least to be looked at: not a bullet, not a rule."""
_MAX_LOG = 200_000
_HARMLESS = 3
_MAX_PICTURES = 300
_BAR_HEIGHT, _BAR_WIDTH = 5, 10
_STRIP = 12.0
"""Points; about a line of text."""
_GLYPHS = 60
"""Small filled shapes from which a page without text may show outlined letters."""


class _Drawing:
    """A grey picture of a part of a page."""

    def __init__(self, pixmap: Any, scale: float) -> None:
        self._pixmap = pixmap
        self._scale = scale

    def has_ink(self, box: Rect) -> bool:
        """Whether the middle of a text's box is not all of one shade."""
        x0, y0, x1, y1 = box
        if x1 - x0 >= y1 - y0:
            y0, y1 = y0 + 0.25 * (y1 - y0), y1 - 0.2 * (y1 - y0)
        else:
            x0, x1 = x0 + 0.2 * (x1 - x0), x1 - 0.2 * (x1 - x0)
        left, right = self._span(x0, x1, self._pixmap.x, self._pixmap.width)
        top, bottom = self._span(y0, y1, self._pixmap.y, self._pixmap.height)
        samples, stride = self._pixmap.samples_mv, self._pixmap.stride
        low, high = 255, 0
        for y in range(top, bottom):
            row = samples[y * stride + left : y * stride + right]
            low, high = min(low, *row), max(high, *row)
            if high - low >= _MIN_CONTRAST:
                return True
        return False

    def _span(self, low: float, high: float, origin: int, size: int) -> tuple[int, int]:
        """First and last point of the picture, at least two of them where there are as many."""
        first = min(max(math.floor(low * self._scale) - origin, 0), max(size - 2, 0))
        return first, min(max(math.ceil(high * self._scale) - origin, first + 2), size)


class PageLook:
    """A page as it is drawn. Looks at its pictures, or draws it, only when asked."""

    def __init__(self, page: Any, raw: RawPage) -> None:
        self._page = page
        self._raw = raw
        self._boxes: list[Rect] | None = None

    def is_picture(self) -> bool:
        """Whether pictures or outlined letters are on the page that may show text."""
        return self.picture_share() > _MIN_PICTURE or self.has_outlined_letters()

    def picture_share(self) -> float:
        """Part of the page that its pictures cover, at most 1."""
        area = max(self._raw.width * self._raw.height, 1.0)
        return min(sum(map(_area, self._pictures())) / area, 1.0)

    def beside_pictures(self, found: Sequence[FoundText]) -> set[int]:
        """Positions in `found` of text in the place of a picture: on it, or hidden under it."""
        return {
            position
            for picture in self._pictures()
            for position, piece in enumerate(found)
            if _holds(picture, piece.fragment.shown)
        }

    def without_ink(self, boxes: Sequence[Rect]) -> list[bool]:
        """For each text's box, whether the page as drawn shows nothing in the middle of it."""
        if not boxes:
            return []
        drawing = self._draw(_around(boxes))
        return [not drawing.has_ink(box) for box in boxes]

    def _draw(self, area: Rect) -> _Drawing:
        x0, y0, x1, y1 = area
        scale = min(1.5, math.sqrt(_MAX_PIXELS / max((x1 - x0) * (y1 - y0), 1.0)))
        pixmap = self._page.get_pixmap(
            matrix=_mupdf.Matrix(scale, scale),
            colorspace=_mupdf.csGRAY,
            alpha=False,
            clip=_mupdf.Rect(area),
        )
        return _Drawing(pixmap, scale)

    def _pictures(self) -> list[Rect]:
        """The boxes of all pictures that are worth looking at, as far as they are on the page."""
        if self._boxes is None:
            width, height = self._raw.width, self._raw.height
            turned = self._page.rotation_matrix if self._page.rotation else None
            self._boxes = []
            for info in self._page.get_image_info()[:_MAX_PICTURES]:
                box = info["bbox"] if turned is None else tuple(_mupdf.Rect(info["bbox"]) * turned)
                x0, y0, x1, y1 = box
                inside = (max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height))
                if _area(inside) >= _MIN_PICTURE * width * height:
                    self._boxes.append(inside)
        return self._boxes

    def has_outlined_letters(self) -> bool:
        """Many small filled shapes of the size of letters."""
        shapes = sum(
            kind == "fill-path" and 2 < y1 - y0 < 60 and 1 < x1 - x0 < 200
            for kind, (x0, y0, x1, y1), *_ in self._page.get_bboxlog()[:_MAX_LOG]
        )
        return int(shapes) >= _GLYPHS


class Pictures:
    """Which pictures a document shows again and again: logos, backgrounds.

    Whether a picture hides text takes as long to find out as reading the page, so pictures that
    hid nothing on a few pages are not asked about any more.
    """

    def __init__(self) -> None:
        self._harmless: Counter[tuple[int, ...]] = Counter()

    def may_hide(self, pictures: tuple[int, ...]) -> bool:
        """Whether pages with just these pictures are still to be looked at."""
        return bool(pictures) and self._harmless[pictures] < _HARMLESS

    def hid_nothing(self, pictures: tuple[int, ...]) -> None:
        """Note a page on which these pictures hid no text."""
        self._harmless[pictures] += 1


def hidden(
    raw: RawPage, look: PageLook, *, has_pictures: bool, may_cover: bool, may_draw: bool
) -> set[int]:
    """Positions in `raw.found` of text that a person cannot see.

    Args:
        may_cover: whether pictures may lie over text.
        may_draw: whether there is time to draw the page; else what only may be hidden stays.
    """
    gone = {n for n, piece in enumerate(raw.found) if piece.doubt is Doubt.OUTSIDE}
    tiny = {n for n, piece in enumerate(raw.found) if piece.doubt is Doubt.TINY}
    if has_pictures or len(tiny) < 0.5 * len(raw.found):
        gone |= tiny
    if not may_draw:
        return gone
    doubtful = {
        n
        for n, piece in enumerate(raw.found)
        if piece.doubt not in (None, Doubt.TINY, Doubt.OUTSIDE)
    }
    if may_cover:
        doubtful |= look.beside_pictures(raw.found)
    asked = sorted(doubtful - gone)
    blank = look.without_ink([raw.found[n].fragment.shown for n in asked])
    return gone | {n for n, is_blank in zip(asked, blank, strict=True) if is_blank}


def mark_covered(page: Any, raw: RawPage) -> None:
    """Find text over which something filled was drawn; whether that hides it shows the drawing."""
    matrix = page.rotation_matrix if page.rotation else None
    texts: dict[float, list[Rect]] = {}
    covers: list[Rect] = []
    for kind, box, *_ in page.get_bboxlog()[:_MAX_LOG]:
        if kind == "fill-text":
            texts.setdefault(_strip((box[1] + box[3]) / 2), []).append(box)
        elif kind == "fill-path" and _is_bar(box) and _holds_any(box, texts):
            covers.append(tuple(box if matrix is None else _mupdf.Rect(box) * matrix))
    for piece in raw.found if covers else ():
        if piece.doubt is None and any(_holds(box, piece.fragment.shown) for box in covers):
            piece.doubt = Doubt.COVERED


def _holds_any(bar: Rect, texts: Mapping[float, Sequence[Rect]]) -> bool:
    """Whether a bar holds a text; only those in its strips of the page are compared.

    A spreadsheet's page has thousands of filled cells, each drawn before its own text.
    """
    first, last = _strip(bar[1]), _strip(bar[3])
    near = (boxes for strip, boxes in texts.items() if first <= strip <= last)
    return any(_holds(bar, one) for boxes in near for one in boxes)


def _strip(y: float) -> float:
    return y // _STRIP


def _is_bar(box: Rect) -> bool:
    """As high and wide as a word at least."""
    return box[3] - box[1] > _BAR_HEIGHT and box[2] - box[0] > _BAR_WIDTH


def _around(boxes: Sequence[Rect]) -> Rect:
    return (
        min(box[0] for box in boxes) - 2,
        min(box[1] for box in boxes) - 2,
        max(box[2] for box in boxes) + 2,
        max(box[3] for box in boxes) + 2,
    )


def _area(box: Rect) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _holds(outer: Rect, inner: Rect) -> bool:
    """Whether the middle of `inner` lies in `outer`, and most of its width."""
    middle = (inner[1] + inner[3]) / 2
    inside = min(outer[2], inner[2]) - max(outer[0], inner[0])
    return outer[1] <= middle <= outer[3] and inside >= 0.9 * (inner[2] - inner[0])
