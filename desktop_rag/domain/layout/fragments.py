"""What layout works on: fragments, rows, blocks, and the print of ordinary text."""

from __future__ import annotations

from dataclasses import dataclass, field

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
