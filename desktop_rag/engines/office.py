"""Reads Word documents (DOCX): a ZIP of XML parts, read with lxml in document order.

Only the parts with text are unpacked, each within a bound, so that a ZIP bomb or a folder of
pictures costs nothing. python-docx would unpack everything and does not show deleted or hidden text
apart, so the XML is read directly.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from desktop_rag.domain.assembly import CELL_GAP, TextAssembler
from desktop_rag.domain.documents import BlockKind, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.domain.text_cleaning import clean_characters, clean_line

MAX_PART_BYTES = 150_000_000
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_W = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_DC = "{http://purl.org/dc/elements/1.1/}"
_CREATED = "{http://purl.org/dc/terms/}created"
_LEFT_OUT = frozenset({_W + "del", _W + "moveFrom", _W + "instrText", _W + "delText", _FALLBACK})
_HEADING_NAME = re.compile(r"^(?:heading|überschrift|titre|título|titolo)\s*(\d)$", re.IGNORECASE)
_LIST_NAME = re.compile(r"list|aufzählung|puces", re.IGNORECASE)


class DocxParser:
    """`ports.Parser` for DOCX. Pages are not invented: Word makes them anew on every printer."""

    name = "docx-1"
    suffixes = frozenset({".docx", ".docm"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read body, tables and notes; see `ports.Parser`."""
        try:
            with zipfile.ZipFile(path) as archive:
                return _read(archive, path.name)
        except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, EOFError) as exc:
            raise _damaged(path.name) from exc
        except (OSError, ValueError, NotImplementedError, RuntimeError, zlib.error) as exc:
            # zipfile: broken compressed data, unknown compression, encrypted entries
            raise _damaged(path.name) from exc


def _damaged(name: str) -> Damaged:
    return Damaged(f"“{name}” is not a whole Word document; open it in Word and save it again.")


def _read(archive: zipfile.ZipFile, name: str) -> ParsedDocument:
    root = _part(archive, "word/document.xml", name)
    body = root.find(_W + "body") if root is not None else None
    if body is None:
        raise _damaged(name)
    rendering = _Rendering(_styles(archive, name))
    rendering.add_blocks(body)
    for kind in ("footnotes", "endnotes"):
        rendering.add_notes(_part(archive, f"word/{kind}.xml", name))
    if not rendering.text.strip():
        raise NoText(f"“{name}” holds no text; pictures in it are not read yet.")
    core = _part(archive, "docProps/core.xml", name)
    title = _property(core, _DC + "title") or rendering.title
    return ParsedDocument(
        format="docx",
        text=rendering.text,
        blocks=rendering.blocks,
        title=title[:300],
        author=_property(core, _DC + "creator"),
        created=_property(core, _CREATED)[:10],
        notes=_notes(archive),
    )


def _part(archive: zipfile.ZipFile, part: str, name: str) -> Any:
    """Root element of a part, or None when the document has no such part."""
    if part not in archive.namelist():
        return None
    with archive.open(part) as file:
        data = file.read(MAX_PART_BYTES + 1)
    if len(data) > MAX_PART_BYTES:
        raise TooLarge(f"“{name}” unpacks to more than {MAX_PART_BYTES // 1_000_000} MB of text.")
    data = data.replace(_STRICT_W.encode(), _W[1:-1].encode())
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    return etree.fromstring(data, parser)


def _property(core: Any, tag: str) -> str:
    return clean_line(core.findtext(tag) or "") if core is not None else ""


def _notes(archive: zipfile.ZipFile) -> tuple[str, ...]:
    if any(part.startswith(("word/embeddings/", "word/afchunk")) for part in archive.namelist()):
        return ("Files embedded in this document were not read.",)
    return ()


@dataclass(frozen=True, slots=True)
class _Style:
    level: int
    """Heading depth; 0 for others. The title is 1."""
    is_list: bool
    is_title: bool = False


def _styles(archive: zipfile.ZipFile, name: str) -> dict[str, _Style]:
    """What each paragraph style means, by style id, following what it is based on."""
    root = _part(archive, "word/styles.xml", name)
    if root is None:
        return {}
    elements = {e.get(_W + "styleId"): e for e in root.iter(_W + "style")}
    return {key: _style(elements, key) for key in elements}


def _style(elements: dict[str, Any], key: str) -> _Style:
    seen: set[str] = set()
    is_list = False
    while key in elements and key not in seen:
        seen.add(key)
        element = elements[key]
        label = _value(element.find(_W + "name"))
        if label.lower() in ("title", "titel"):
            return _Style(1, is_list=False, is_title=True)
        outline = element.find(f"{_W}pPr/{_W}outlineLvl")
        heading = _HEADING_NAME.match(label)
        if heading or outline is not None:
            level = int(heading.group(1)) if heading else _number(_value(outline)) + 1
            return _Style(level if 1 <= level <= 9 else 0, is_list=is_list)
        is_list = is_list or bool(_LIST_NAME.search(label))
        is_list = is_list or element.find(f"{_W}pPr/{_W}numPr") is not None
        key = _value(element.find(_W + "basedOn"))
    return _Style(0, is_list=is_list)


def _value(element: Any) -> str:
    return (element.get(_W + "val") or "") if element is not None else ""


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 99


class _Rendering(TextAssembler):
    def __init__(self, styles: dict[str, _Style]) -> None:
        super().__init__()
        self.title = ""
        self._styles = styles

    def add_blocks(self, container: Any) -> None:
        """Paragraphs and tables of a body or cell, in order, through wrappers."""
        for element in container:
            if element.tag == _W + "p":
                self._add_paragraph(element)
            elif element.tag == _W + "tbl":
                self._add_table(element)
            elif element.tag == _W + "sdt":
                content = element.find(_W + "sdtContent")
                if content is not None:
                    self.add_blocks(content)
            elif element.tag in (_W + "ins", _W + "moveTo", _W + "customXml", _W + "smartTag"):
                self.add_blocks(element)

    def add_notes(self, root: Any) -> None:
        """Footnotes or endnotes, after the text, with their numbers."""
        if root is None:
            return
        for note in root:
            number = note.get(_W + "id") or ""
            if note.get(_W + "type") is None and number:
                text = clean_line(" ".join(_paragraph_text(p) for p in note.iter(_W + "p")))
                self.add(BlockKind.LIST, f"[{number}] {text}" if text else "")

    def _add_paragraph(self, paragraph: Any) -> None:
        text = _paragraph_text(paragraph)
        if not text:
            return
        properties = paragraph.find(_W + "pPr")
        style, indent = self._style_of(properties)
        if style.level:
            title = " ".join(text.split())
            if style.is_title or (not self.title and style.level == 1):
                self.title = title
            self.add(BlockKind.HEADING, title, style.level)
        elif style.is_list:
            follows = bool(self.blocks) and self.blocks[-1].kind is BlockKind.LIST
            lead = "  " * min(indent, 8) + "- "
            self.add(BlockKind.LIST, lead + text, gap="\n" if follows else "\n\n")
        else:
            self.add(BlockKind.PARAGRAPH, text)

    def _style_of(self, properties: Any) -> tuple[_Style, int]:
        if properties is None:
            return _Style(0, is_list=False), 0
        named = self._styles.get(_value(properties.find(_W + "pStyle")), _Style(0, is_list=False))
        outline = properties.find(_W + "outlineLvl")
        if outline is not None and _number(_value(outline)) < 9:
            return _Style(_number(_value(outline)) + 1, is_list=False), 0
        numbering = properties.find(_W + "numPr")
        if (
            numbering is not None
            and not named.level
            and _value(numbering.find(_W + "numId")) != "0"
        ):
            depth = _value(numbering.find(_W + "ilvl"))
            return _Style(0, is_list=True), int(depth) if depth.isdigit() else 0
        return named, 0

    def _add_table(self, table: Any) -> None:
        rows = [list(_cells(row)) for row in table.iter(_W + "tr") if _table_of(row) is table]
        if all(len(row) <= 1 for row in rows):
            for cell in table.iter(_W + "tc"):
                if _table_of(cell) is table:
                    self.add_blocks(cell)
            return
        lines = [
            CELL_GAP.join(
                clean_line(" ".join(map(_paragraph_text, cell.iter(_W + "p")))) for cell in row
            )
            for row in rows
        ]
        self.add(BlockKind.TABLE, "\n".join(line for line in lines if line.strip(" |")))


def _cells(row: Any) -> Iterator[Any]:
    for cell in row.iter(_W + "tc"):
        if next(cell.iterancestors(_W + "tr")) is row:
            yield cell


def _table_of(element: Any) -> Any:
    return next(element.iterancestors(_W + "tbl"))


def _paragraph_text(paragraph: Any) -> str:
    """Visible text of a paragraph: insertions in, deletions, hidden text and field codes out."""
    parts: list[str] = []
    walker = etree.iterwalk(paragraph, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        if event == "end":
            # Paragraphs inside a paragraph stand in a text box.
            parts.append("\n" if tag == _W + "p" and element is not paragraph else "")
        elif tag in _LEFT_OUT or (tag == _W + "r" and _is_hidden(element)):
            walker.skip_subtree()
        elif tag == _W + "t":
            parts.append(element.text or "")
        elif tag == _W + "tab" and element.getparent().tag == _W + "r":
            parts.append(" ")
        elif tag in (_W + "br", _W + "cr"):
            parts.append("\n")
        elif tag == _W + "noBreakHyphen":
            parts.append("-")
        elif tag == _W + "p" and element is not paragraph:
            parts.append("\n")
        elif tag in (_W + "footnoteReference", _W + "endnoteReference"):
            parts.append(f"[{element.get(_W + 'id')}]")
    lines = clean_characters("".join(parts)).split("\n")
    return "\n".join(line for line in map(clean_line, lines) if line)


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(_W + "val") not in ("0", "false", "off")
