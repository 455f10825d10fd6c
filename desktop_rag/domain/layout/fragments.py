"""What layout works on: fragments, pages of them, rows, blocks, and the print of ordinary text."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.domain.documents import BlockKind

Rect = tuple[float, float, float, float]
Direction = tuple[int, int]
"""Way in which text runs on the displayed page, y downwards: (1, 0) is from left to right."""


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
class PageText:
    """What was taken from a page before any decision about its layout."""

    width: float
    height: float
    fragments: list[Fragment]
    reading_height: float
    """Height of the page in the frame its text is read in, in points."""
    aside: list[list[Fragment]] = field(default_factory=list)
    """Text that runs in another direction than most of the page."""
    is_recognised: bool = False
    """Whether most of it was recognised in a picture: then sizes of print are estimates."""
    is_vertical: bool = False
    """Whether it is written from top to bottom, in Chinese or Japanese."""


def turn(fragment: Fragment, direction: Direction, width: float, height: float) -> None:
    """Move a fragment's box into the frame in which its text reads from left to right.

    Args:
        direction: the way its text runs on the page as displayed.
        width, height: of the page as displayed, in points.
    """
    x0, y0, x1, y1 = fragment.shown
    if direction == (0, -1):
        fragment.x0, fragment.y0, fragment.x1, fragment.y1 = height - y1, x0, height - y0, x1
    elif direction == (0, 1):
        fragment.x0, fragment.y0, fragment.x1, fragment.y1 = y0, width - x1, y1, width - x0
    elif direction == (-1, 0):
        fragment.x0, fragment.y0 = width - x1, height - y1
        fragment.x1, fragment.y1 = width - x0, height - y0


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
