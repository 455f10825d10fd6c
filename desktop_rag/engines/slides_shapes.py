"""The shapes of a slide in the order a person reads them: top to bottom, left to right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from desktop_rag.engines.drawingml import A
from desktop_rag.engines.ooxml import ALTERNATIVES, CHOICE, FALLBACK

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
TITLES = frozenset({"title", "ctrTitle"})
FURNITURE = frozenset({"dt", "sldNum"})
"""Date and number of a slide: nobody looks for them."""
_SHAPES = frozenset({P + "sp", P + "pic", P + "graphicFrame", P + "grpSp"})
MAX_SHAPES = 20_000
"""Of one slide or group that are read."""
_SAME_ROW = 0.5
"""Shapes that overlap by this share of the lower one's height stand side by side."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a shape stands, in the units of its group (EMU)."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape with its place and the kind of placeholder it fills, empty for none."""

    element: Any
    frame: Frame | None
    role: str


class Layout:
    """Places of placeholders in a slide's layout and master, for shapes that say none."""

    def __init__(self, roots: list[Any]) -> None:
        self._by_index: dict[str, Frame] = {}
        self._by_role: dict[str, Frame] = {}
        for root in roots:
            for shape in root.iter(P + "sp"):
                holder, frame = _placeholder(shape), _own_frame(shape)
                if holder is not None and frame is not None:
                    self._by_index.setdefault(holder.get("idx") or "", frame)
                    self._by_role.setdefault(_role(holder), frame)

    def frame_of(self, holder: Any) -> Frame | None:
        """Place of the placeholder that `holder` fills."""
        index = holder.get("idx") or ""
        found = self._by_index.get(index) if index else None
        return found or self._by_role.get(_role(holder))


def shapes_of(tree: Any, layout: Layout) -> list[Shape]:
    """Shapes of a slide or group in reading order; titles first, groups not yet opened."""
    shapes = [_shape(element, layout) for element in islice(_elements(tree), MAX_SHAPES)]
    titles = [shape for shape in shapes if shape.role in TITLES]
    placed = [s for s in shapes if s.role not in TITLES and s.frame is not None]
    unplaced = [s for s in shapes if s.role not in TITLES and s.frame is None]
    return titles + in_rows(placed) + unplaced


def is_off_slide(frame: Frame | None, size: tuple[int, int]) -> bool:
    """Whether a shape lies wholly beside a slide of that width and height.

    Some programs give no size to a box in a corner; its text is shown all the same.
    """
    if frame is None or not all(size):
        return False
    return (
        frame.x >= size[0]
        or frame.y >= size[1]
        or (frame.x < 0 and frame.x + frame.width <= 0)
        or (frame.y < 0 and frame.y + frame.height <= 0)
    )


def is_switched_off(element: Any) -> bool:
    """Whether a shape is hidden in the list of a slide's shapes."""
    named = element.find(f"./*/{P}cNvPr")
    return named is not None and named.get("hidden") in ("1", "true", "on")


def _elements(tree: Any) -> Iterator[Any]:
    for element in tree:
        if element.tag in _SHAPES:
            yield element
        elif element.tag == ALTERNATIVES:
            choices = [*element.iterfind(CHOICE), *element.iterfind(FALLBACK)]
            readable = (c for c in choices if any(e.tag in _SHAPES for e in c))
            yield from _elements(next(readable, ()))


def _shape(element: Any, layout: Layout) -> Shape:
    holder = _placeholder(element)
    frame = _own_frame(element)
    if holder is None:
        return Shape(element, frame, "")
    return Shape(element, frame or layout.frame_of(holder), _role(holder))


def _placeholder(element: Any) -> Any | None:
    return element.find(f"./*/{P}nvPr/{P}ph")


def _role(holder: Any) -> str:
    return holder.get("type") or "obj"


def _own_frame(element: Any) -> Frame | None:
    place = element.find(P + "xfrm")
    if place is None:
        place = element.find(f"./*/{A}xfrm")
    if place is None:
        return None
    offset, extent = place.find(A + "off"), place.find(A + "ext")
    if offset is None or extent is None:
        return None
    return Frame(
        _number(offset.get("x")), _number(offset.get("y")),
        _number(extent.get("cx")), _number(extent.get("cy")),
    )  # fmt: skip


def _number(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0


def in_rows(shapes: list[Shape]) -> list[Shape]:
    """Shapes by rows: those of about the same height are read from left to right."""
    ordered = sorted(shapes, key=_top_left)
    rows: list[list[Shape]] = []
    for shape in ordered:
        if rows and _is_beside(rows[-1][0], shape):
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [shape for row in rows for shape in sorted(row, key=lambda s: _top_left(s)[::-1])]


def _top_left(shape: Shape) -> tuple[int, int]:
    frame = shape.frame
    return (frame.y, frame.x) if frame else (0, 0)


def _is_beside(first: Shape, other: Shape) -> bool:
    one, two = first.frame, other.frame
    if one is None or two is None:
        return False
    if one.x < two.x + two.width and two.x < one.x + one.width:
        return False
    shared = min(one.y + one.height, two.y + two.height) - max(one.y, two.y)
    return shared >= _SAME_ROW * min(one.height, two.height) and shared >= 0
