"""Finds a file of the disk in the library, and a page or some words in it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId, Page
from desktop_rag.domain.library import FileState, LibraryFile
from desktop_rag.domain.places import page_of
from desktop_rag.services.locating import Locator
from desktop_rag.storage.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a path is in the library. Without `file` and `is_folder` it is not in it."""

    path: Path
    file: LibraryFile | None = None
    citation: Citation | None = None
    """The page or the words that were asked for; `None` for the beginning."""
    is_folder: bool = False
    """A folder of which something is in the library."""
    is_missing: bool = False
    """There is no such file on the disk."""
    has_no_such_page: bool = False
    has_no_such_words: bool = False


class Placing:
    """Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def find(self, path: Path, page: int | None = None, quote: str = "") -> Placed:
        """Look a path up. *May block*: it asks the disk what the path means."""
        for spelling in _spellings(path):
            document = self._catalog.document_at(spelling)
            if document is not None:
                return self._placed(path, document, page, quote)
            if self._catalog.documents_under(spelling):
                return Placed(path, is_folder=True)
        return Placed(path, is_missing=not os.path.lexists(path))

    def _placed(self, path: Path, document: DocumentId, page: int | None, quote: str) -> Placed:
        file = self._catalog.file(document)
        if file.state is not FileState.READY or not (page or quote.strip()):
            return Placed(path, file)
        text, pages = self._catalog.text(document), self._catalog.pages(document)
        wanted = next((one for one in pages if one.number == page), None)
        span = _find(text, quote, wanted.start if wanted else 0) if quote.strip() else None
        if span is None and wanted is not None:
            span = wanted.start, wanted.start
        return Placed(
            path,
            file,
            self._citation(file, text, pages, span) if span is not None else None,
            has_no_such_page=bool(page) and wanted is None,
            has_no_such_words=bool(quote.strip()) and (span is None or span[0] == span[1]),
        )

    def _citation(
        self, file: LibraryFile, text: str, pages: tuple[Page, ...], span: tuple[int, int]
    ) -> Citation:
        start, end = span
        place = Locator(self._catalog).place(file.id, start, end)
        at = page_of(pages, start)
        return Citation(
            number=0,
            document=file.id,
            chunk=ChunkId(0),
            path=file.path,
            title=file.title,
            section="",
            page=at.number if at else None,
            page_label=at.label if at else "",
            quote=text[start:end],
            start=start,
            end=end,
            sha256=file.sha256,
            score=0.0,
            boxes=place.boxes if end > start else (),
            place=place.name if end > start else "",
        )


def _spellings(path: Path) -> Iterator[str]:
    """The place itself and as it was written, with accents composed and decomposed."""
    seen = set()
    for one in (os.path.realpath(path), str(path.absolute())):
        for form in (one, unicodedata.normalize("NFC", one), unicodedata.normalize("NFD", one)):
            if form not in seen:
                seen.add(form)
                yield form


def _find(text: str, quote: str, start: int) -> tuple[int, int] | None:
    """The first place from `start` on, else the first of all; white space and case may differ."""
    pattern = re.compile(r"\s+".join(map(re.escape, quote.split())), re.IGNORECASE)
    found = pattern.search(text, start) or pattern.search(text)
    return found.span() if found else None
