"""Reads PowerPoint presentations (PPTX): slide by slide, with notes, comments, tables and charts.

The XML is read directly, as in `word_docx`: python-pptx unpacks every picture without a bound,
gives up a whole file for one broken part, and knows neither diagrams nor today's comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument, PartKind
from desktop_rag.domain.errors import NoText
from desktop_rag.domain.hidden_text import leave_out
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines import slides_shapes
from desktop_rag.engines.drawingml import (
    DIAGRAM,
    A,
    chart_table,
    diagram_lines,
    paragraph_text,
    picture_words,
    table_rows,
)
from desktop_rag.engines.numerals import whole
from desktop_rag.engines.ooxml import (
    RELATION_ID,
    OfficePackage,
    Relation,
    embedded_note,
    picture_note,
)
from desktop_rag.engines.part_assembly import PartAssembler
from desktop_rag.engines.slides_shapes import (
    FURNITURE,
    TITLES,
    Layout,
    P,
    Shape,
    is_off_slide,
    is_switched_off,
    shapes_of,
)
from desktop_rag.engines.zip_bounds import open_zip

_SLIDE_FILE = re.compile(r"ppt/slides/slide(\d+)\.xml$", re.IGNORECASE)
_CHART_KINDS = frozenset({"chart", "chartEx"})
_LISTED = frozenset({"body", "obj"})
_HIDDEN = frozenset({"0", "false", "off"})
_MAX_HEADING_CHARS = 100
_MAX_LISTED_SLIDES = 20


class PptxParser:
    """`ports.Parser` for PPTX. A slide is a part, not a page: it is not drawn."""

    name = "pptx-2"
    suffixes = frozenset({".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read all slides; see `ports.Parser`."""
        with open_zip(path, "PowerPoint presentation") as archive:
            deck = _Deck(OfficePackage(archive))
            deck.read()
            return deck.document(path.name)


class _Deck:
    """One presentation while it is read."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._text = PartAssembler()
        self._layouts: dict[str, Layout] = {}
        self._authors = _authors(package)
        self._footers: set[str] = set()
        self._slides: list[str] = []
        self._read: list[int] = []
        self._blank: list[int] = []
        self._broken: list[int] = []
        self._hidden: list[int] = []
        self._crowded: list[int] = []
        self._title = ""
        self._size = (0, 0)

    def read(self) -> None:
        main = self._package.main_part("ppt/presentation.xml")
        root = self._package.part(main)
        self._size = _slide_size(root)
        self._slides = _slide_names(self._package, main, root)
        if not self._slides and root is not None:
            raise NoText(f"“{self._package.archive.name}” holds no text: it has no slides.")
        for number, name in enumerate(self._slides, 1):
            root = self._package.part(name) if name else None
            if root is None:
                self._broken.append(number)
                continue
            before = self._text.length
            with self._text.part(PartKind.SLIDE, number=number):
                self._add_slide(root, name, number)
            (self._read if self._text.length > before else self._blank).append(number)
            if root.get("show") in _HIDDEN:
                self._hidden.append(number)

    def document(self, name: str) -> ParsedDocument:
        pictures = self._package.pictures()
        if len(self._broken) == len(self._slides):
            raise self._package.archive.damaged()
        if not self._text.length:
            what = "its pictures are not read" if pictures else "its slides are blank"
            raise NoText(f"“{name}” holds no text: {what}.")
        properties, files = self._package.properties(), self._package.embedded_files()
        reason = "The slide is damaged or missing in the file."
        return ParsedDocument(
            format="pptx",
            text=self._text.text,
            blocks=self._text.blocks,
            title=properties.title or self._title,
            author=properties.author,
            created=properties.created,
            notes=(
                *self._package.archive.mended_note(),
                *self._slide_notes(),
                *picture_note(pictures),
                *embedded_note(files),
            ),
            parts=self._text.parts,
            coverage=Coverage(
                pages=len(self._slides),
                read=len(self._read),
                blank=tuple(self._blank),
                skipped=tuple((number, reason) for number in self._broken),
                tables=self._text.tables,
                attachments=files,
            ),
        )

    def _slide_notes(self) -> Iterator[str]:
        if self._broken:
            yield f"Not read, damaged or missing: {_listed(self._broken)}."
        if self._hidden:
            yield f"Hidden in the presentation, but read: {_listed(self._hidden)}."
        if self._crowded:
            yield f"Not read to the end, too many shapes: {_listed(self._crowded)}."

    def _add_slide(self, root: Any, name: str, number: int) -> None:
        relations = self._package.relations(name)
        tree = root.find(f"{P}cSld/{P}spTree")
        shapes = shapes_of(tree, self._layout(relations)) if tree is not None else []
        if len(shapes) >= slides_shapes.MAX_SHAPES:
            self._crowded.append(number)
        shapes = [shape for shape in shapes if not _is_unseen(shape, self._size)]
        writer = _SlideWriter(self._package, self._text, relations, self._footers, number)
        writer.add_shapes(shapes)
        self._title = self._title or writer.title
        self._add_notes(relations)
        self._add_comments(relations)

    def _layout(self, relations: dict[str, Relation]) -> Layout:
        name = _target(relations, "slideLayout")
        if name not in self._layouts:
            master = _target(self._package.relations(name), "slideMaster") if name else ""
            roots = [self._package.part(part) for part in (name, master) if part]
            self._layouts[name] = Layout([root for root in roots if root is not None])
        return self._layouts[name]

    def _add_notes(self, relations: dict[str, Relation]) -> None:
        name = _target(relations, "notesSlide")
        root = self._package.part(name) if name else None
        tree = root.find(f"{P}cSld/{P}spTree") if root is not None else None
        if tree is None:
            return
        with self._text.part(PartKind.NOTES):
            for shape in shapes_of(tree, Layout([])):
                if shape.role not in {*FURNITURE, "sldImg", "hdr", "ftr"}:
                    for paragraph in shape.element.iterfind(f"{P}txBody/{A}p"):
                        self._text.add(BlockKind.PARAGRAPH, paragraph_text(paragraph))

    def _add_comments(self, relations: dict[str, Relation]) -> None:
        names = [r.target for r in relations.values() if r.kind == "comments"]
        with self._text.part(PartKind.COMMENTS):
            for name in names:
                root = self._package.part(name)
                for author, text in _comments(root) if root is not None else ():
                    by = self._authors.get(author, "")
                    lead = f"Comment by {by}: " if by else "Comment: "
                    self._text.add(BlockKind.PARAGRAPH, lead + text)


class _SlideWriter:
    """Writes one slide's shapes."""

    def __init__(
        self,
        package: OfficePackage,
        text: PartAssembler,
        relations: dict[str, Relation],
        footers: set[str],
        number: int,
    ) -> None:
        self.title = ""
        self._package = package
        self._text = text
        self._relations = relations
        self._footers = footers
        self._number = number

    def add_shapes(self, shapes: list[Shape]) -> None:
        """Write shapes in their order, under the slide's title or what stands in for it."""
        heading = _heading(shapes)
        self.title = heading[1] if heading else ""
        if not self.title and not any(map(self._has_text, shapes)):
            self._add_bodies(shapes, None)
            return
        level = 1 if self._number == 1 and heading and heading[0].role == "ctrTitle" else 2
        self._text.add(BlockKind.HEADING, self.title or f"Slide {self._number}", level)
        self._add_bodies(shapes, heading[0].element if heading else None)

    def _has_text(self, shape: Shape) -> bool:
        words = "".join(t.text or "" for t in shape.element.iter(A + "t")).strip()
        return bool(words) and shape.role not in FURNITURE and words not in self._footers

    def _add_bodies(self, shapes: list[Shape], heading: Any) -> None:
        for shape in shapes:
            if shape.element is heading or shape.role in FURNITURE:
                continue
            if shape.element.tag == P + "grpSp":
                self._add_bodies(shapes_of(shape.element, Layout([])), heading)
            elif shape.element.tag == P + "sp":
                self._add_words(shape)
            elif shape.element.tag == P + "graphicFrame":
                self._add_graphic(shape.element)
            self._add_description(shape.element)

    def _add_words(self, shape: Shape) -> None:
        paragraphs = [
            (text, p.find(A + "pPr"))
            for p in shape.element.iterfind(f"{P}txBody/{A}p")
            if (text := paragraph_text(p))
        ]
        if shape.role == "ftr":
            words = " ".join(text for text, _ in paragraphs)
            if words in self._footers:
                return
            self._footers.add(words)
        is_list = shape.role in _LISTED and len(paragraphs) > 1
        for text, properties in paragraphs:
            if _is_item(properties, usual=is_list):
                self._text.add_item(text, depth=_depth(properties))
            else:
                self._text.add(BlockKind.PARAGRAPH, text)

    def _add_graphic(self, frame: Any) -> None:
        table = frame.find(f".//{A}tbl")
        if table is not None:
            self._text.add_table(table_rows(table))
        for element in frame.iter():
            reference = element.get(RELATION_ID + "id") or element.get(RELATION_ID + "dm") or ""
            relation = self._relations.get(reference)
            if relation is None:
                continue
            root = None
            if relation.kind in _CHART_KINDS or relation.kind == "diagramData":
                root = self._package.part(relation.target)
            if root is not None and element.tag == DIAGRAM + "relIds":
                for line in diagram_lines(root):
                    self._text.add_item(line)
            elif root is not None:
                title, rows = chart_table(root)
                self._text.add(BlockKind.PARAGRAPH, title)
                self._text.add_table(rows)

    def _add_description(self, element: Any) -> None:
        named = element.find(f"./*/{P}cNvPr")
        words = picture_words(named) if named is not None else ""
        if words:
            self._text.add(BlockKind.PARAGRAPH, f"Picture: {words}")


def _slide_size(root: Any | None) -> tuple[int, int]:
    size = root.find(P + "sldSz") if root is not None else None
    return (0, 0) if size is None else (whole(size.get("cx"), 0), whole(size.get("cy"), 0))


def _is_unseen(shape: Shape, size: tuple[int, int]) -> bool:
    """Whether a shape is beside the slide or switched off; then it is named and passed over."""
    off = is_off_slide(shape.frame, size)
    if not off and not is_switched_off(shape.element):
        return False
    words = " ".join(text.text or "" for text in shape.element.iter(A + "t"))
    leave_out("beside the slide" if off else "switched off", words)
    return True


def _heading(shapes: list[Shape]) -> tuple[Shape, str] | None:
    """The title placeholder, else a short first line that many people write in a plain box."""
    for shape in shapes:
        paragraphs = list(
            filter(None, map(paragraph_text, shape.element.iterfind(f"{P}txBody/{A}p")))
        )
        title = clean_line(" ".join(paragraphs))
        if shape.role in TITLES and title:
            return shape, title
        is_box = shape.element.tag == P + "sp" and shape.role not in {*FURNITURE, "ftr", *TITLES}
        if is_box and len(paragraphs) == 1:
            return (shape, title) if len(title) <= _MAX_HEADING_CHARS else None
        if paragraphs and shape.role not in {*FURNITURE, "ftr"}:
            return None
    return None


def _is_item(properties: Any, *, usual: bool) -> bool:
    if properties is None:
        return usual
    if properties.find(A + "buNone") is not None:
        return False
    if any(properties.find(A + mark) is not None for mark in ("buChar", "buAutoNum", "buBlip")):
        return True
    return usual or _depth(properties) > 0


def _depth(properties: Any) -> int:
    return whole(properties.get("lvl"), 0, 8) if properties is not None else 0


def _slide_names(package: OfficePackage, main: str, root: Any | None) -> list[str]:
    """Parts of the slides in the order they are shown; `""` for one that is missing."""
    relations = package.relations(main)
    listed = root.iterfind(f"{P}sldIdLst/{P}sldId") if root is not None else ()
    names = []
    for element in listed:
        relation = relations.get(element.get(RELATION_ID + "id") or "")
        names.append(relation.target if relation else "")
    if any(name in package.archive for name in names if name):
        return names
    numbered = [
        (whole(m[1], 0), name) for name in package.archive.names if (m := _SLIDE_FILE.search(name))
    ]
    return [name for _, name in sorted(numbered)] or names


def _target(relations: dict[str, Relation], kind: str) -> str:
    return next((r.target for r in relations.values() if r.kind == kind), "")


def _authors(package: OfficePackage) -> dict[str, str]:
    """Names of those who comment, by id; older and newer PowerPoints keep different lists."""
    found: dict[str, str] = {}
    for part in ("ppt/commentAuthors.xml", "ppt/authors.xml"):
        root = package.part(part)
        for element in root if root is not None else ():
            found[element.get("id") or ""] = clean_line(element.get("name") or "")
    return found


def _comments(root: Any) -> Iterator[tuple[str, str]]:
    """(author id, text) of comments and replies, of older and newer PowerPoints."""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        kind = element.tag.rpartition("}")[2]
        if kind not in ("cm", "reply"):
            continue
        old = element.find(P + "text")
        bodies = [e for e in element if isinstance(e.tag, str) and e.tag.endswith("}txBody")]
        words = [paragraph_text(p) for body in bodies for p in body.iter(A + "p")]
        text = clean_line((old.text or "") if old is not None else " ".join(words))
        if text:
            yield element.get("authorId") or "", text


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MAX_LISTED_SLIDES]))
    more = len(numbers) - _MAX_LISTED_SLIDES
    return f"slide{'s' if len(numbers) > 1 else ''} {shown}" + (
        f" and {more} more" if more > 0 else ""
    )
