"""What a document is once it has been read: text, structure, places, chunks.

One rule holds everywhere: **a span is a half-open pair of character offsets into
`ParsedDocument.text`**, and `chunk.text == document.text[chunk.start:chunk.end]`. A place (page,
boxes) is always derived from a span, never the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

DocumentId = NewType("DocumentId", int)
ChunkId = NewType("ChunkId", int)
"""Row number of a chunk in the catalog. Never used twice, so a stale index cannot cite new text."""


class BlockKind(StrEnum):
    """What a stretch of text is in its document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text of one kind. Blocks are in reading order and do not overlap."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """Heading depth, 1 for the highest; 0 for everything that is not a heading."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in points (1/72 inch), origin top left, as the page is displayed."""

    page: int
    """Physical page, the first is 1."""
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text on a page with its span and its rectangle, in points as in `Box`."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Page:
    """A physical page: its number, the label printed on it, its span and its lines."""

    number: int
    label: str
    start: int
    end: int
    width: float
    height: float
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A whole document as text with structure.

    `pages` is empty for formats that have none (DOCX, Markdown, HTML, text): no page is invented.
    `notes` are sentences for the person about what was skipped or looked suspicious.
    """

    format: str
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...] = ()
    title: str = ""
    author: str = ""
    created: str = ""
    """ISO date, or empty when the file does not say."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage small enough for the embedder, with the header it is embedded with.

    `header` (title > section) is context for embedding and prompt; it is not part of the source
    text. `pages` is the first and last physical page the span touches, or `None` without pages.
    """

    ordinal: int
    start: int
    end: int
    text: str
    header: str
    section: str
    kind: BlockKind
    pages: tuple[int, int] | None = None

    @property
    def embedding_text(self) -> str:
        """What the embedder and the keyword index read."""
        return f"{self.header}\n{self.text}" if self.header else self.text


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What the `parse` role returns for a file: the document and its chunks."""

    document: ParsedDocument
    chunks: tuple[Chunk, ...]
    reader: str
    """Reader and chunker with their versions, e.g. `pdf-1+chunker-1`; a change reads it again."""


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page: PNG bytes and its size in points, so boxes can be scaled onto it."""

    png: bytes
    width: float
    height: float
