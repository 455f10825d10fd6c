"""Reads XML: articles (JATS, TEI, DocBook, DITA) as headings and paragraphs, data as named values.

Nothing is fetched, no entity is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.domain.documents import BlockKind, Coverage, ParsedDocument
from desktop_rag.domain.errors import Damaged, NoText, TooLarge
from desktop_rag.domain.text_cleaning import clean_block, clean_line
from desktop_rag.engines import safe_xml
from desktop_rag.engines.decoding import MAX_TEXT_BYTES
from desktop_rag.engines.part_assembly import PartAssembler

_PARAGRAPHS = frozenset({"p", "para", "simpara", "ab", "lg", "verse-group", "disp-quote", "note"})
_SECTIONS = frozenset({
    "sec", "section", "chapter", "part", "book", "article", "appendix", "app", "ack", "abstract",
    "trans-abstract", "ref-list", "fn-group", "boxed-text", "div", "div1", "div2", "div3", "div4",
    "body", "topic", "concept", "task", "reference", "sect1", "sect2", "sect3", "sect4", "sect5",
    "glossary", "listBibl", "notes",
})  # fmt: skip
_WHOLE = frozenset({"article", "book", "body"})
"""Sections that hold everything: headings in them are of the first level."""
_TITLES = frozenset({"title", "head"})
_TABLES = frozenset({"table", "informaltable", "tgroup"})
_ROWS = frozenset({"tr", "row"})
_ITEMS = frozenset({"list-item", "listitem", "item", "li", "ref", "bibl", "biblStruct", "fn",
                    "def-item", "varlistentry"})  # fmt: skip
_CODE = frozenset({"programlisting", "screen", "code", "preformat", "codeblock", "literallayout"})
_LEFT_OUT = frozenset({
    "journal-meta", "permissions", "article-id", "article-categories", "author-notes", "aff",
    "history", "pub-date", "volume", "issue", "elocation-id", "fpage", "lpage", "self-uri",
    "funding-group", "custom-meta-group", "counts", "contrib-group", "processing-meta", "tex-math",
    "object-id", "related-article", "related-object", "encodingDesc", "revisionDesc", "titleStmt",
    "style", "script",
})  # fmt: skip
_PROSE_FROM = 3
"""Paragraphs that make an article out of data."""
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAX_VALUE = 20_000


class XmlParser:
    """`ports.Parser` for XML of any kind."""

    name = "xml-1"
    suffixes = frozenset({
        ".xml", ".nxml", ".jats", ".tei", ".dita", ".docbook", ".dbk", ".rss", ".atom", ".opml",
        ".rdf", ".owl", ".xsd", ".xsl", ".xslt", ".wsdl", ".plist", ".kml", ".gpx", ".resx", ".tmx",
        ".xlf", ".xliff", ".xbrl", ".svg",
    })  # fmt: skip

    def parse(self, path: Path) -> ParsedDocument:
        """Read the file; see `ports.Parser`."""
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise TooLarge(
                f"“{path.name}” has more than {MAX_TEXT_BYTES // 1_000_000} MB of text; "
                "split it into smaller files."
            )
        root = safe_xml.parsed(path.read_bytes(), path.name)
        if root is None:
            raise Damaged(f"“{path.name}” is not readable XML; save it again or get a new copy.")
        writer = _Article() if _is_prose(root) else _Data()
        writer.write(root)
        if not writer.text.strip():
            raise NoText(f"“{path.name}” holds no text between its tags.")
        return ParsedDocument(
            format="xml",
            text=writer.text,
            blocks=writer.blocks,
            title=_title(root)[:300],
            author=", ".join(_authors(root))[:300],
            created=_date(root),
            coverage=Coverage(tables=writer.tables),
        )


def _is_prose(root: Any) -> bool:
    found = 0
    for element in root.iter():
        found += _name(element) in _PARAGRAPHS
        if found >= _PROSE_FROM:
            return True
    return False


class _Article(PartAssembler):
    """Headings, paragraphs, lists and tables of an article, in the document's order."""

    def write(self, root: Any) -> None:
        """All of it. Depth is bounded by the XML parser."""
        self._walk(root, 0)

    def _walk(self, element: Any, level: int) -> None:
        name = _name(element)
        if not name or name in _LEFT_OUT:
            return
        if name == "title-group":
            self._add_article_title(element)
        elif name == "kwd-group":
            self._add_keywords(element)
        elif name in _TITLES:
            self._add_title(element, level)
        elif name in _TABLES:
            self.add_table([list(_cells(row)) for row in _rows(element)])
        elif name in _CODE:
            self.add(BlockKind.CODE, clean_block("".join(element.itertext())))
        elif name in _ITEMS and not _has_blocks(element):
            self.add_item(_text(element))
        elif name in _PARAGRAPHS or not _has_blocks(element):
            self._add_mixed(element, level)
        else:
            self._walk_below(element, name, level)

    def _walk_below(self, element: Any, name: str, level: int) -> None:
        if name == "abstract" and element.find("{*}title") is None:
            self.add(BlockKind.HEADING, "Abstract", 1)
        for child in element:
            self._walk(child, level + (name in _SECTIONS and name not in _WHOLE))

    def _add_keywords(self, group: Any) -> None:
        words = (_text(word) for word in group if _name(word) == "kwd")
        self.add(BlockKind.PARAGRAPH, f"Keywords: {', '.join(filter(None, words))}")

    def _add_article_title(self, group: Any) -> None:
        """The first is the document's title; what follows the article has titles of its own."""
        title = next((_text(e) for e in group.iter("{*}article-title")), "")
        if self.length:
            self.add(BlockKind.HEADING, title, 1)

    def _add_title(self, element: Any, level: int) -> None:
        parent = element.getparent()
        is_heading = parent is not None and _name(parent) in _SECTIONS
        kind = BlockKind.HEADING if is_heading else BlockKind.PARAGRAPH
        self.add(kind, _text(element), max(level, 1) if is_heading else 0)

    def _add_mixed(self, element: Any, level: int) -> None:
        """A paragraph; tables, lists and figures inside it come after the text before them."""
        parts = [element.text or ""]
        for child in element:
            if _name(child) and (_is_block(child) or _has_blocks(child)):
                self.add(BlockKind.PARAGRAPH, clean_line("".join(parts)))
                parts = []
                self._walk(child, level)
            elif _name(child) and _name(child) not in _LEFT_OUT:
                parts.append(_inline(child))
            parts.append(child.tail or "")
        self.add(BlockKind.PARAGRAPH, clean_line("".join(parts)))


class _Data(PartAssembler):
    """Values with the names of their elements, one a line, records apart."""

    def write(self, root: Any) -> None:
        """All of it."""
        lines: list[str] = []
        for element in root.iter():
            name = _name(element)
            if not name or name in ("style", "script"):
                continue
            depth = sum(1 for _ in element.iterancestors())
            if depth <= 1 and lines:
                self.add(BlockKind.CODE, "\n".join(lines))
                lines = []
            lines += _values(element, name, depth)
        self.add(BlockKind.CODE, "\n".join(lines))


def _values(element: Any, name: str, depth: int) -> Iterator[str]:
    """The element's own text and attributes; a name alone when it only holds others."""
    indent = "  " * min(depth, 10)
    shown = [f"{_local(key)}={clean_line(value)}" for key, value in element.attrib.items()]
    label = f"{name} ({', '.join(shown)[:_MAX_VALUE]})" if shown else name
    text = clean_line(element.text or "")[:_MAX_VALUE]
    if text or shown or len(element):
        yield f"{indent}{label}: {text}".rstrip() if text else f"{indent}{label}"
    tail = clean_line(element.tail or "")[:_MAX_VALUE]
    if tail:
        yield f"{indent}{tail}"


def _name(element: Any) -> str:
    """Local name; empty for comments and entities."""
    return _local(element.tag) if isinstance(element.tag, str) else ""


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _is_block(element: Any) -> bool:
    name = _name(element)
    return name in _PARAGRAPHS | _TABLES | _ITEMS | _CODE or name in ("list", "fig", "table-wrap")


def _has_blocks(element: Any) -> bool:
    return any(_is_block(child) or _name(child) in _TITLES | _SECTIONS for child in _below(element))


def _below(element: Any) -> Iterator[Any]:
    for below in element.iter():
        if below is not element:
            yield below


def _inline(element: Any) -> str:
    """Text of an element inside a line, without formulas in TeX and the like."""
    parts = [element.text or ""]
    for child in element:
        if _name(child) and _name(child) not in _LEFT_OUT:
            parts.append(_inline(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _text(element: Any) -> str:
    """Text of an item, with a space between the elements of a reference."""
    joined = _inline(element) if (element.text or "").strip() else " ".join(_pieces(element))
    return clean_line(joined)


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        if _name(child) and _name(child) not in _LEFT_OUT:
            yield _text(child)
        yield child.tail or ""


def _rows(table: Any) -> Iterator[Any]:
    return (row for row in table.iter() if _name(row) in _ROWS)


def _cells(row: Any) -> Iterator[str]:
    return (clean_line(_inline(cell)) for cell in row if _name(cell))


def _title(root: Any) -> str:
    for name in ("article-title", "title", "Title"):
        found = next((e for e in root.iter(f"{{*}}{name}")), None)
        if found is not None and _text(found):
            return _text(found)
    return ""


def _authors(root: Any) -> Iterator[str]:
    group = next(root.iter("{*}contrib-group"), None)
    for contributor in group.iter("{*}contrib") if group is not None else ():
        names = (contributor.find(f".//{{*}}{part}") for part in ("given-names", "surname"))
        found = " ".join(_text(name) for name in names if name is not None)
        if found:
            yield found


def _date(root: Any) -> str:
    for date in root.iter("{*}pub-date"):
        numbers = [date.findtext(f"{{*}}{part}") or "" for part in ("year", "month", "day")]
        if all(number.strip().isdigit() for number in numbers):
            year, month, day = map(int, numbers)
            return f"{year:04}-{month:02}-{day:02}"
    found = next((e for e in root.iter("{*}pubDate", "{*}published", "{*}created")), None)
    date = _ISO_DATE.search(found.text or "") if found is not None else None
    return date.group() if date else ""
