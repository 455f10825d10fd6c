"""Reads Word documents (DOCX): a ZIP of XML parts, read with lxml in document order.

Only the parts with text are unpacked, each within a bound, so that a ZIP bomb or a folder of
pictures costs nothing. python-docx would unpack everything and does not show deleted or hidden text
apart, so the XML is read directly.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument, PartKind
from desktop_rag.domain.errors import NoText, PermanentError
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.drawingml import chart_table, diagram_lines
from desktop_rag.engines.ooxml import (
    CHOICE,
    RELATION_ID,
    OfficePackage,
    Relation,
    embedded_note,
    picture_note,
)
from desktop_rag.engines.part_assembly import PartAssembler
from desktop_rag.engines.word_chunks import read_foreign
from desktop_rag.engines.word_styles import Role, StyleSheet, W
from desktop_rag.engines.word_tables import cells_of, rows_of, table_texts
from desktop_rag.engines.word_text import WordReader, Words
from desktop_rag.engines.zip_bounds import BoundedZip, open_zip, open_zip_file

WHAT = "Word document"
_WRAPPERS = frozenset({W + tag for tag in ("ins", "moveTo", "customXml", "smartTag")} | {CHOICE})
_WORD = re.compile(r"[^\W\d_]{2,}")
_MAX_QUOTED = 80
_MAX_DEPTH = 3
"""Documents inside documents that are read."""


class DocxParser:
    """`ports.Parser` for DOCX. Pages are not invented: Word makes them anew on every printer."""

    name = "docx-3"
    suffixes = frozenset({".docx", ".docm", ".dotx", ".dotm"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read body, tables, notes and comments; see `ports.Parser`."""
        with open_zip(path, WHAT) as archive:
            return read_word(archive)


def read_word(archive: BoundedZip, depth: int = 0) -> ParsedDocument:
    """Read an open archive; `depth` counts the documents it is inside of."""
    package = OfficePackage(archive)
    writer = _Writer(package, package.main_part("word/document.xml"), depth)
    writer.write()
    pictures = package.pictures()
    if not writer.text.strip():
        more = "; text inside pictures is not read" if pictures else ""
        raise NoText(f"“{archive.name}” holds no text{more}.")
    properties, files = package.properties(), package.embedded_files()
    return ParsedDocument(
        format="docx",
        text=writer.text,
        blocks=writer.blocks,
        title=properties.title or writer.title[:300],
        author=properties.author,
        created=properties.created,
        notes=(
            *archive.mended_note(),
            *writer.notes,
            *picture_note(pictures),
            *embedded_note(files),
        ),
        parts=writer.parts,
        coverage=Coverage(tables=writer.tables, attachments=files),
    )


@dataclass(frozen=True, slots=True)
class _Comment:
    author: str
    text: str


class _Writer(PartAssembler):
    """Writes one document block by block."""

    def __init__(self, package: OfficePackage, main: str, depth: int) -> None:
        super().__init__()
        self.title = ""
        self.notes: list[str] = []
        """Sentences for the person about what was not read."""
        self._package = package
        self._main = main
        self._depth = depth
        self._relations = package.relations(main)
        self._styles = StyleSheet(self._related("styles"), self._related("numbering"))
        self._reader = WordReader()
        self._footnotes = _notes_by_id(self._related("footnotes"))
        self._pending: list[str] = []
        """Ids of footnotes to be written when the list or paragraph is complete."""
        self._commented: dict[str, str] = {}

    def write(self) -> None:
        """Body, then what stands around it."""
        root = self._package.part(self._main)
        body = root.find(W + "body") if root is not None else None
        if body is None:
            raise self._package.archive.damaged()
        self._add_blocks(body)
        self._add_footnotes()
        self._add_endnotes()
        self._add_page_edges()
        self._add_comments()

    def _related(self, kind: str) -> Any | None:
        names = [r.target for r in self._relations.values() if r.kind == kind]
        return self._package.part(names[0] if names else f"word/{kind}.xml")

    def _add_blocks(self, container: Any) -> None:
        """Paragraphs and tables of a body or cell, in order, through wrappers."""
        for element in container:
            tag = element.tag
            if tag == W + "p":
                self._add_paragraph(element)
            elif tag == W + "tbl":
                self._add_table(element)
            elif tag == W + "sdt":
                content = element.find(W + "sdtContent")
                self._add_blocks(content if content is not None else ())
            elif tag == W + "altChunk":
                self._add_foreign(element.get(RELATION_ID + "id") or "")
            elif tag in _WRAPPERS or (isinstance(tag, str) and tag.endswith("}AlternateContent")):
                self._add_blocks(element)

    def _add_paragraph(self, paragraph: Any) -> None:
        words = self._reader.read(paragraph)
        if words.text:
            role = self._styles.role_of(paragraph.find(W + "pPr"))
            if not role.style.is_list:
                self._add_footnotes()
            self._add_text(words.text, role)
        self._note(words)

    def _note(self, words: Words) -> None:
        """Keep or write what a paragraph refers to."""
        self._pending.extend(words.footnotes)
        self._commented.update(words.commented)
        for reference in words.drawings:
            self._add_drawing(self._relations.get(reference))
        if self.last_kind is not BlockKind.LIST:
            self._add_footnotes()

    def _add_text(self, text: str, role: Role) -> None:
        if role.style.level:
            title = " ".join(text.split())
            if role.style.is_title or (not self.title and role.style.level == 1):
                self.title = title
            self.add(BlockKind.HEADING, role.mark + title, role.style.level)
        elif role.style.is_list:
            self.add_item(text, role.mark or "- ", role.depth)
        else:
            self.add(BlockKind.PARAGRAPH, text)

    def _add_table(self, table: Any) -> None:
        self._add_footnotes()
        rows = rows_of(table)
        if all(len(cells_of(row)) <= 1 for row in rows) or self._only_arranges(rows):
            for row in rows:
                for cell in cells_of(row):
                    self._add_blocks(cell)
            return
        found: list[Words] = []

        def text_of(cell: Any) -> str:
            words = [self._reader.read(p) for p in outer_paragraphs(cell)]
            found.extend(words)
            return clean_line(" ".join(one.text for one in words))

        self.add_table(table_texts(rows, text_of))
        for words in found:
            self._note(words)

    def _only_arranges(self, rows: list[Any]) -> bool:
        """Whether a table only sets blocks side by side: a cell has headings of its own."""
        return any(
            self._styles.is_heading(paragraph.find(W + "pPr"))
            for row in rows
            for cell in cells_of(row)
            if sum(1 for _ in outer_paragraphs(cell)) > 1
            for paragraph in outer_paragraphs(cell)
        )

    def _add_drawing(self, relation: Relation | None) -> None:
        if relation is None or relation.kind not in ("chart", "chartEx", "diagramData"):
            return
        root = self._package.part(relation.target)
        if root is None:
            return
        if relation.kind == "diagramData":
            for line in diagram_lines(root):
                self.add_item(line)
            return
        title, rows = chart_table(root)
        self.add(BlockKind.PARAGRAPH, title)
        self.add_table(rows)

    def _add_foreign(self, reference: str) -> None:
        """A body in another format that Word would take in when the file is opened."""
        self._add_footnotes()
        relation = self._relations.get(reference)
        data = self._package.archive.read(relation.target) if relation else b""
        document = self._foreign(data, relation.target) if relation and data else None
        if document is None:
            self.notes.append("A part of this document in another format was not read.")
            return
        self.append(document.text, document.blocks)
        self.notes.extend(document.notes)

    def _foreign(self, data: bytes, name: str) -> ParsedDocument | None:
        if not data.startswith(b"PK"):
            return read_foreign(data, name)
        if self._depth >= _MAX_DEPTH:
            return None
        try:
            with open_zip_file(io.BytesIO(data), self._package.archive.name, WHAT) as archive:
                return read_word(archive, self._depth + 1)
        except PermanentError:
            return None

    def _add_footnotes(self) -> None:
        pending, self._pending = self._pending, []
        for key in pending:
            text = self._footnotes.get(key, "")
            self.add(BlockKind.LIST, f"[{self._reader.notes.footnote(key)}] {text}" if text else "")

    def _add_endnotes(self) -> None:
        texts = _notes_by_id(self._related("endnotes"))
        for key, number in self._reader.notes.endnotes.items():
            text = texts.get(key, "")
            self.add(BlockKind.LIST, f"[{number}] {text}" if text else "")

    def _add_page_edges(self) -> None:
        """Headers and footers that say something the text does not, each once."""
        known = {word.casefold() for word in _WORD.findall(self.text)}
        for relation in self._relations.values():
            if relation.kind not in ("header", "footer"):
                continue
            root = self._package.part(relation.target)
            for paragraph in outer_paragraphs(root) if root is not None else ():
                text = clean_line(self._reader.read(paragraph).text)
                words = {word.casefold() for word in _WORD.findall(text)}
                if not words <= known:
                    self.add(BlockKind.PARAGRAPH, text)
                    known |= words

    def _add_comments(self) -> None:
        comments = _comments(self._related("comments"))
        if not comments:
            return
        with self.part(PartKind.COMMENTS):
            self.add(BlockKind.HEADING, "Comments", 1)
            for key, comment in comments.items():
                by = f" by {comment.author}" if comment.author else ""
                about = self._commented.get(key, "")
                shown = about if len(about) <= _MAX_QUOTED else about[:_MAX_QUOTED].rstrip() + "…"
                on = f" on “{shown}”" if shown else ""
                self.add(BlockKind.PARAGRAPH, f"Comment{by}{on}: {comment.text}")


def outer_paragraphs(container: Any) -> Iterator[Any]:
    """Paragraphs of a container and its tables; those in text boxes belong to their paragraph."""
    walker = etree.iterwalk(container, events=("start",))
    for _, element in walker:
        if element.tag == W + "p":
            walker.skip_subtree()
            yield element


def _notes_by_id(root: Any | None) -> dict[str, str]:
    """Texts of footnotes or endnotes; the lines that separate them from the page left out."""
    reader = WordReader()
    found: dict[str, str] = {}
    for note in root if root is not None else ():
        if note.get(W + "type") in (None, "normal"):
            words = " ".join(reader.read(p).text for p in outer_paragraphs(note))
            found[note.get(W + "id") or ""] = clean_line(words)
    return found


def _comments(root: Any | None) -> dict[str, _Comment]:
    reader = WordReader()
    found: dict[str, _Comment] = {}
    for element in root if root is not None else ():
        text = clean_line(" ".join(reader.read(p).text for p in outer_paragraphs(element)))
        if text and element.tag == W + "comment":
            author = clean_line(element.get(W + "author") or "")[:100]
            found[element.get(W + "id") or ""] = _Comment(author, text)
    return found
