"""What a document is once it has been read: text, structure, places, chunks.

One rule holds everywhere: **a span is a half-open pair of character offsets into
`ParsedDocument.text`**, and `chunk.text == document.text[chunk.start:chunk.end]`. A place (page,
boxes) is always derived from a span, never the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from desktop_rag.domain.embedding_text import embedded_text

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
    path: tuple[str, ...] = ()
    """Of source code: the definitions it belongs to (`class Pump`, `start`). The chunker makes
    sections of it; it is not kept afterwards."""


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


class PartKind(StrEnum):
    """What a part of a document is called in its own program."""

    SLIDE = "slide"
    SHEET = "sheet"
    CHAPTER = "chapter"
    LINES = "lines"
    """A text whose lines have numbers that mean something: source code, logs."""
    MESSAGE = "message"
    """Of a mailbox."""
    ATTACHMENT = "attachment"
    COMMENTS = "comments"
    NOTES = "notes"
    PAGE = "page"
    """Of a file inside the file: its pages are not pages of the whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text a person can find again where there are no pages: slide 4, sheet "Sales".

    Parts are in order of their start; one may lie inside another (an attachment's sheet).
    """

    kind: PartKind
    start: int
    end: int
    name: str = ""
    """Its own name: of the sheet, the chapter, the attachment; empty when it has only a number."""
    number: int = 0
    """Its position among its kind, the first is 1; 0 when that tells nobody anything."""
    rows: tuple[int, ...] = ()
    """Of sheets: the row number in the file of each line of text in the span."""


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line of text that was recognised in a picture, with its rectangle as in `Box`."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    """Of the recogniser, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What text recognition (OCR) found on a page, in the order it is read."""

    number: int
    """Physical page, the first is 1."""
    lines: tuple[RecognisedLine, ...]
    rotation: int = 0
    """Clockwise quarter turns in degrees that set the page's text upright: 0, 90, 180 or 270."""
    engine: str = ""
    """Engine and models with their versions; a change recognises the page again."""
    skew: float = 0.0
    """Degrees by which lines of the upright page fall to the right. Their boxes stay level: as high
    as the line, around its middle."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a file was read: what to know before concluding that something is not in it.

    Page numbers are physical, the first is 1.
    """

    pages: int = 0
    """All pages (or slides, sheets); 0 for formats that have none."""
    read: int = 0
    """Pages whose own text was read."""
    recognised: tuple[int, ...] = ()
    """Pages read by text recognition (OCR)."""
    waiting: tuple[int, ...] = ()
    """Pages that want text recognition and have not had it yet."""
    blank: tuple[int, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    """(page, reason) for pages that were not read."""
    tables: int = 0
    attachments: tuple[str, ...] = ()
    """Names of files inside the file; those that were not read are told in the notes."""


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
    parts: tuple[Part, ...] = ()
    coverage: Coverage = Coverage()


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
    place: str = ""
    """Where the span stands in a document without pages, for a person: `slide 4`, `sheet Sales,
    rows 12-40`; see `domain.parts`."""
    written: str = ""
    """What a language model wrote about it. It is searched; it is never shown or quoted."""
    before: str = ""
    after: str = ""
    """The document's text around the span, if the vector is to know it (late chunking)."""

    @property
    def embedding_text(self) -> str:
        """What the embedder reads."""
        return embedded_text(self.header, self.written, self.text, self.before, self.after)


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
