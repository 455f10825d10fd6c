"""Reads e-books (EPUB, iBooks): a ZIP of web pages in the order of the book's spine."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from desktop_rag.domain.documents import Block, BlockKind, Coverage, ParsedDocument, PartKind
from desktop_rag.domain.errors import Encrypted, NoText, PermanentError
from desktop_rag.domain.text_cleaning import clean_line
from desktop_rag.engines.decoding import decode
from desktop_rag.engines.part_assembly import PartAssembler
from desktop_rag.engines.safe_xml import named
from desktop_rag.engines.web import declared_encoding, read_html
from desktop_rag.engines.zip_bounds import BoundedZip, open_zip

MAX_PAGES = 20_000
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_SCRAMBLING = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)
"""What keeps fonts from being copied out of a book; the text is open."""
_PAGE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_NO_NAME = re.compile(r"^(?:untitled|unbenannt|unknown|\d+)$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"^(?:(?:chapter|kapitel|chapitre|capítulo|capitolo|part|teil|book|buch)\s)?\W*"
    r"(?:\d+|[ivxlc]+)\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class EpubParser:
    """`ports.Parser` for e-books. Chapters are parts; a book has no pages of its own."""

    name = "epub-1"
    suffixes = frozenset({".epub", ".ibooks"})

    def parse(self, path: Path) -> ParsedDocument:
        """Read all chapters; see `ports.Parser`."""
        with open_zip(path, "e-book") as archive:
            book = _Book(archive)
            book.refuse_protected()
            return _read(book, path.name)


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of the book."""

    path: str
    media_type: str
    properties: str


class _Book:
    """What the package document says: files, order, names, metadata."""

    def __init__(self, archive: BoundedZip) -> None:
        self.archive = archive
        path = _package_path(archive)
        root = archive.xml(path) if path else None
        if root is None:
            raise archive.damaged()
        self._root = root
        self._folder = posixpath.dirname(path)
        self._items = {e.get("id") or "": self._item(e) for e in named(root, "item")}
        self.pages = self._spine()
        self.names = self._names()

    def _item(self, element: Any) -> _Item:
        return _Item(
            _resolved(self._folder, element.get("href") or ""),
            element.get("media-type") or "",
            element.get("properties") or "",
        )

    def _spine(self) -> list[str]:
        """Paths of the pages in reading order, without the table of contents."""
        references = list(named(self._root, "itemref"))
        listed = [self._items.get(e.get("idref") or "") for e in references]
        items = [item for item in listed if item is not None] or list(self._items.values())
        pages = [
            item.path
            for item in items
            if (item.media_type in _PAGE_TYPES or item.path.endswith(("html", "htm", "xml")))
            and item.media_type != "application/x-dtbncx+xml"
            and "nav" not in item.properties.split()
        ]
        return list(dict.fromkeys(pages))[:MAX_PAGES]

    def _names(self) -> dict[str, list[str]]:
        """Names of the chapters that begin on each page, of the highest level that does."""
        found: dict[str, list[tuple[int, str]]] = {}
        for target, depth, name in self._entries():
            if name and not _NO_NAME.match(name):
                found.setdefault(target, []).append((depth, name))
        highest = {target: min(entries)[0] for target, entries in found.items()}
        return {
            target: [name for depth, name in entries if depth == highest[target]]
            for target, entries in found.items()
        }

    def _entries(self) -> Iterator[tuple[str, int, str]]:
        """(page, depth, name) of the table of contents, of newer or older books."""
        for item in self._items.values():
            if "nav" in item.properties.split():
                folder = posixpath.dirname(item.path)
                for link in named(_contents(self.archive.xml(item.path)), "a"):
                    name = clean_line("".join(link.itertext()))
                    depth = sum(1 for _ in link.iterancestors("{*}ol"))
                    yield _resolved(folder, link.get("href") or ""), depth, name
                return
        for item in self._items.values():
            if item.media_type == "application/x-dtbncx+xml":
                folder = posixpath.dirname(item.path)
                for point in named(self.archive.xml(item.path), "navPoint"):
                    name = clean_line(point.findtext("{*}navLabel/{*}text") or "")
                    content = point.find("{*}content")
                    link = (content.get("src") or "") if content is not None else ""
                    depth = sum(1 for _ in point.iterancestors("{*}navPoint"))
                    yield _resolved(folder, link), depth, name

    def refuse_protected(self) -> None:
        """Raise `Encrypted` if pages of the book are locked by a shop."""
        root = self.archive.xml(_ENCRYPTION)
        pages = {page.casefold() for page in self.pages}
        for data in named(root, "EncryptedData"):
            method = next(named(data, "EncryptionMethod"), None)
            scrambling = method is not None and method.get("Algorithm") in _FONT_SCRAMBLING
            targets = {
                _resolved("", e.get("URI") or "").casefold() for e in named(data, "CipherReference")
            }
            if not scrambling and targets & pages:
                raise Encrypted(
                    f"“{self.archive.name}” is locked by the shop it comes from (DRM); "
                    "only its own reading program opens it. Add a copy without the lock."
                )

    def meta(self, tag: str) -> list[str]:
        """All values of a line of the metadata, without repetitions."""
        values = (clean_line("".join(e.itertext())) for e in named(self._root, tag))
        return list(dict.fromkeys(value for value in values if value))


def _package_path(archive: BoundedZip) -> str:
    container = archive.xml(_CONTAINER)
    for element in named(container, "rootfile"):
        path = _resolved("", element.get("full-path") or "")
        if path in archive:
            return path
    return next((name for name in archive.names if name.lower().endswith(".opf")), "")


def _contents(root: Any) -> Any:
    """The list of chapters in a navigation page, which also lists pages and landmarks."""
    lists = list(named(root, "nav"))
    for element in lists:
        if "toc" in (element.get(_EPUB_TYPE) or "").split():
            return element
    return lists[0] if lists else root


def _resolved(folder: str, link: str) -> str:
    path = unquote(link.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def _read(book: _Book, name: str) -> ParsedDocument:
    writer = _Writer(book)
    for page in book.pages:
        writer.add_page(page)
    writer.close_chapter()
    if not writer.text.strip():
        raise NoText(f"“{name}” holds no text; text inside pictures is not read.")
    dates = [found.group() for value in book.meta("date") if (found := _DATE.match(value))]
    return ParsedDocument(
        format="epub",
        text=writer.text,
        blocks=writer.blocks,
        title=next(iter(book.meta("title")), "")[:300],
        author=", ".join(book.meta("creator"))[:200],
        created=dates[0] if dates else "",
        notes=tuple(writer.notes()),
        parts=writer.parts,
        coverage=Coverage(tables=writer.tables),
    )


class _Writer(PartAssembler):
    """Writes page after page; a page without a name of its own goes on with its chapter."""

    def __init__(self, book: _Book) -> None:
        super().__init__()
        self._book = book
        self._chapters = 0
        self._name = ""
        self._first = 0
        """Block that the open chapter begins with."""
        self._unread: list[str] = []
        self._empty = 0

    def add_page(self, path: str) -> None:
        """Read a page; one that cannot be read costs only itself."""
        data = self._book.archive.read(path)
        try:
            page = read_html(decode(data, path, declared_encoding(data[:4096])), path)
        except NoText:
            self._empty += 1
            return
        except PermanentError:
            self._unread.append(posixpath.basename(path))
            return
        names = self._book.names.get(path, [])
        first, *cuts = _cuts(page, names)
        self._begin_chapter(page, names, first)
        for begin, end in pairwise([first, *cuts, len(page.blocks)]):
            if begin != first:
                self.close_chapter()
                self._name = _words(page, begin)
            self._append_blocks(page, begin, end)

    def _begin_chapter(self, page: ParsedDocument, names: list[str], cut: int) -> None:
        """Open a chapter if the page begins one: the contents list it, or it has a heading."""
        opening = _words(page, cut) if page.blocks[cut].kind is BlockKind.HEADING else ""
        name = names[0] if len(names) == 1 else opening
        if not (name or not self._blocks):
            return
        self.close_chapter()
        self._name = name
        if not opening and not page.text.startswith(name):
            self.add(BlockKind.HEADING, name, 1)

    def _append_blocks(self, page: ParsedDocument, begin: int, end: int) -> None:
        blocks = page.blocks[begin:end]
        start = blocks[0].start
        moved = tuple(Block(b.kind, b.start - start, b.end - start, b.level) for b in blocks)
        self.append(page.text[start : blocks[-1].end], moved)

    def close_chapter(self) -> None:
        """The pages since the last call are a chapter."""
        if len(self._blocks) > self._first:
            self._chapters += 1
            # "chapter 6 (I)" would send a reader to the wrong place: the book's own number wins.
            number = 0 if _NUMBERED.match(self._name) else self._chapters
            self.close_part(PartKind.CHAPTER, self._first, self._name, number)
        self._first = len(self._blocks)

    def notes(self) -> Iterator[str]:
        """What was not read."""
        if self._unread:
            yield f"Not read, damaged or missing: {', '.join(self._unread[:20])}."
        if self._empty:
            yield f"Pages without text, perhaps pictures: {self._empty}."


def _words(page: ParsedDocument, block: int) -> str:
    return clean_line(page.text[page.blocks[block].start : page.blocks[block].end])


def _cuts(page: ParsedDocument, names: list[str]) -> list[int]:
    """Numbers of the blocks that chapters begin with: the first, and headings that are listed."""
    listed = {name.casefold() for name in names} if len(names) > 1 else set()
    cuts = [0]
    for number, block in enumerate(page.blocks):
        if block.kind is BlockKind.HEADING and (words := _words(page, number).casefold()) in listed:
            listed.remove(words)  # notes at the end of a book repeat the names of its chapters
            cuts.extend([number] if number else [])
    return cuts
