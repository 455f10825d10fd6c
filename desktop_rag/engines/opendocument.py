"""Reads OpenDocument texts and presentations (ODT, ODP, and their flat XML forms) with lxml."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument, PartKind
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines import safe_xml
from desktop_rag.engines.odf_styles import (
    DC,
    DRAW,
    MANIFEST,
    META,
    OFFICE,
    PRESENTATION,
    STYLE,
    SVG,
    TEXT,
    OdfStyles,
)
from desktop_rag.engines.odf_writer import OdfWriter
from desktop_rag.engines.ooxml import embedded_note, picture_note
from desktop_rag.engines.slides_shapes import Frame, Shape, in_rows
from desktop_rag.engines.zip_bounds import (
    MAX_PART_BYTES,
    BoundedZip,
    damaged,
    encrypted,
    mended_note,
    open_zip,
    too_large,
)

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LENGTH = re.compile(r"^(-?\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)$")
_IN_POINTS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_TITLES = frozenset({"title"})
_FURNITURE = frozenset({"header", "footer", "date-time", "page-number", "page"})
_MAX_HEADING_CHARS = 100
_EDGES = frozenset({STYLE + t for t in ("header", "footer", "header-first", "footer-first")})


class OdtParser:
    """`ports.Parser` for OpenDocument texts. Pages are not invented."""

    name = "odt-2"
    suffixes = frozenset({".odt", ".ott", ".fodt"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read the text; see `ports.Parser`."""
        with _opened(path, "OpenDocument text") as source:
            body = source.body("text")
            writer = OdfWriter(source.styles, source.load)
            writer.add_blocks(body)
            _add_page_edges(writer, source)
            writer.add_comments(heading=True)
            return _document(writer, source, "odt", path.name)


class OdpParser:
    """`ports.Parser` for OpenDocument presentations. A slide is a part, not a page."""

    name = "odp-2"
    suffixes = frozenset({".odp", ".otp", ".fodp"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read all slides; see `ports.Parser`."""
        with _opened(path, "OpenDocument presentation") as source:
            slides = list(source.body("presentation").iterfind(DRAW + "page"))
            writer = OdfWriter(source.styles, source.load)
            blank, hidden = [], []
            for number, slide in enumerate(slides, 1):
                before = writer.length
                with writer.part(PartKind.SLIDE, number=number):
                    _add_slide(writer, slide, number)
                if writer.length == before:
                    blank.append(number)
                if source.styles.is_hidden_page(slide):
                    hidden.append(number)
            coverage = Coverage(len(slides), len(slides) - len(blank), blank=tuple(blank))
            return _document(writer, source, "odp", path.name, coverage, hidden)


class _Source:
    """The XML of a document, from an archive or a flat file."""

    def __init__(self, content: Any, others: list[Any], load: Callable[[str], Any | None]) -> None:
        self.content = content
        self.others = others
        """Roots of styles and metadata."""
        self.load = load
        self.styles = OdfStyles([content, *others])
        self.files: tuple[str, ...] = ()
        self.told: tuple[str, ...] = ()
        """Sentences about what was lost."""
        self.fail: Callable[[], Exception] = RuntimeError

    def body(self, kind: str) -> Any:
        """`office:text` or `office:presentation`."""
        found = self.content.find(f"{OFFICE}body/{OFFICE}{kind}")
        if found is None:
            raise self.fail()
        return found

    def meta(self, tag: str) -> str:
        """A line of the metadata, empty when there is none."""
        for root in (*self.others, self.content):
            found = next(root.iter(tag), None)
            if found is not None and found.text:
                return clean_line(found.text)[:300]
        return ""


@contextmanager
def _opened(path: Path, what: str) -> Iterator[_Source]:
    with path.open("rb") as file:
        is_archive = file.read(2) == b"PK"
    if not is_archive:
        yield _flat_source(path, what)
        return
    with open_zip(path, what) as archive:
        yield _archive_source(archive)


def _flat_source(path: Path, what: str) -> _Source:
    if path.stat().st_size > MAX_PART_BYTES:
        raise too_large(path.name)
    mended: list[str] = []
    root = safe_xml.parsed(path.read_bytes(), path.name, mended)
    if root is None:
        raise damaged(path.name, what)
    source = _Source(root, [], lambda _: None)
    source.told = mended_note(mended)
    source.fail = lambda: damaged(path.name, what)
    return source


def _archive_source(archive: BoundedZip) -> _Source:
    manifest = archive.xml("META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter(MANIFEST + "encryption-data"), None) is not None:
        raise encrypted(archive.name)
    content = archive.xml("content.xml")
    if content is None:
        raise archive.damaged()
    others = [
        root for part in ("styles.xml", "meta.xml") if (root := archive.xml(part)) is not None
    ]

    def load(link: str) -> Any | None:
        folder = posixpath.normpath(link.removeprefix("./"))
        return archive.xml(posixpath.join(folder, "content.xml"))

    source = _Source(content, others, load)
    source.files = tuple(_embedded(archive))
    source.told = archive.mended_note()
    source.fail = archive.damaged
    return source


def _embedded(archive: BoundedZip) -> Iterator[str]:
    """Objects of other programs; charts and formulas are folders with content of their own."""
    for name in archive.names:
        folder, _, file = name.rpartition("/")
        if not folder and file.startswith("Object ") and not file.endswith("/"):
            yield file
        elif folder.startswith("Object ") and file == "content.xml":
            root = archive.xml(name)
            body = root.find(OFFICE + "body") if root is not None else None
            kinds = {str(e.tag).rpartition("}")[2] for e in body} if body is not None else set()
            if kinds & {"text", "spreadsheet", "presentation", "drawing"}:
                yield folder


def _document(
    writer: OdfWriter,
    source: _Source,
    form: str,
    name: str,
    coverage: Coverage | None = None,
    hidden: list[int] | None = None,
) -> ParsedDocument:
    if not writer.text.strip():
        more = "; text inside pictures is not read" if writer.pictures else ""
        raise NoText(f"“{name}” holds no text{more}.")
    date = _DATE.match(source.meta(META + "creation-date") or source.meta(DC + "date"))
    known = coverage or Coverage()
    slides = ", ".join(map(str, (hidden or [])[:20]))
    told = (f"Hidden in the presentation, but read: slides {slides}.",) if slides else ()
    return ParsedDocument(
        format=form,
        text=writer.text,
        blocks=writer.blocks,
        title=source.meta(DC + "title") or writer.title[:300],
        author=source.meta(META + "initial-creator") or source.meta(DC + "creator"),
        created=date.group() if date else "",
        notes=(*source.told, *told, *picture_note(writer.pictures), *embedded_note(source.files)),
        parts=writer.parts,
        coverage=Coverage(
            known.pages, known.read, blank=known.blank,
            tables=writer.tables, attachments=source.files,
        ),
    )  # fmt: skip


def _add_page_edges(writer: OdfWriter, source: _Source) -> None:
    """Page headers and footers that say something the text does not, each once."""
    known = {word.casefold() for word in _WORD.findall(writer.text)}
    for root in (*source.others, source.content):
        for edge in (e for e in root.iter() if e.tag in _EDGES):
            text = writer.words_of(edge)
            words = {word.casefold() for word in _WORD.findall(text)}
            if not words <= known:
                writer.add(BlockKind.PARAGRAPH, text)
                known |= words


def _add_slide(writer: OdfWriter, slide: Any, number: int) -> None:
    shapes = _shapes_of(slide)
    heading = _heading(writer, shapes)
    words = [shape for shape in shapes if writer.words_of(shape.element)]
    if words:
        title = writer.words_of(heading.element) if heading else f"Slide {number}"
        is_deck = number == 1 and any(shape.role == "subtitle" for shape in shapes)
        writer.title = writer.title or (title if heading else "")
        writer.add(BlockKind.HEADING, title, 1 if is_deck else 2)
    for shape in shapes:
        if heading is None or shape.element is not heading.element:
            writer.add_shape(shape.element)
    _add_speaker_notes(writer, slide)
    for annotation in slide.iterfind(OFFICE + "annotation"):
        writer.keep_comment(annotation)
    writer.add_comments(heading=False)


def _add_speaker_notes(writer: OdfWriter, slide: Any) -> None:
    notes = slide.find(PRESENTATION + "notes")
    if notes is None:
        return
    with writer.part(PartKind.NOTES):
        for shape in _shapes_of(notes):
            writer.add_shape(shape.element)


def _heading(writer: OdfWriter, shapes: list[Shape]) -> Shape | None:
    """The title, else a short first line that many people write in a plain box."""
    for shape in shapes:
        text = writer.words_of(shape.element)
        if not text:
            continue
        if shape.role in _TITLES:
            return shape
        paragraphs = sum(1 for _ in shape.element.iter(TEXT + "p", TEXT + "h"))
        is_short = paragraphs == 1 and len(text) <= _MAX_HEADING_CHARS
        return shape if is_short else None
    return None


def _shapes_of(container: Any) -> list[Shape]:
    """Shapes in reading order, titles first."""
    shapes = [
        Shape(element, _frame(element), element.get(PRESENTATION + "class") or "")
        for element in container
        if isinstance(element.tag, str) and element.tag.startswith(DRAW)
    ]
    shown = [shape for shape in shapes if shape.role not in _FURNITURE]
    titles = [shape for shape in shown if shape.role in _TITLES]
    placed = [s for s in shown if s.role not in _TITLES and s.frame is not None]
    rest = [s for s in shown if s.role not in _TITLES and s.frame is None]
    return titles + in_rows(placed) + rest


def _frame(element: Any) -> Frame | None:
    """Where a shape stands, in points; a group stands where its first placed shape does."""
    if element.tag == DRAW + "g":
        inner = (frame for child in element if (frame := _frame(child)) is not None)
        return next(inner, None)
    sizes = [_points(element.get(SVG + name) or "") for name in ("x", "y", "width", "height")]
    x, y, width, height = sizes
    if x is None or y is None:
        return None
    return Frame(x, y, width or 0, height or 0)


def _points(length: str) -> int | None:
    found = _LENGTH.match(length)
    return round(float(found[1]) * _IN_POINTS[found[2]]) if found else None
