"""Tells where spans of documents are: page, label, boxes, slide or rows."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.domain.answers import Passage
from desktop_rag.domain.citing import Place
from desktop_rag.domain.documents import DocumentId, Page, Part
from desktop_rag.domain.parts import CountLines, line_counter, place_of
from desktop_rag.domain.places import boxes_for, label_of, page_of
from desktop_rag.storage.catalog import Catalog


@dataclass(frozen=True, slots=True)
class _Opened:
    """What places in one document are worked out from."""

    text: str
    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    count_lines: CountLines


class Locator:
    """Reads each document once, as it is then; made for one answer."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._documents: dict[DocumentId, _Opened] = {}

    def locate(self, passage: Passage, start: int, end: int) -> Place:
        """`citing.Locate`: the place of a span of a passage's document, however old the passage."""
        place = self.place(passage.document, start, end)
        if place.page is None and passage.pages:  # the document was removed a moment ago
            return Place(passage.pages[0], passage.page_label)
        return place

    def place(self, document: DocumentId, start: int, end: int) -> Place:
        """Page of a span's beginning, its label, and boxes of all its lines."""
        one = self._open(document)
        page = page_of(one.pages, start)
        return Place(
            page=page.number if page else None,
            label=label_of(one.pages, start),
            boxes=boxes_for(one.pages, one.text, start, end),
            name=place_of(one.parts, one.text, start, end, one.count_lines),
        )

    def text(self, document: DocumentId) -> str:
        """The whole text; empty when the document was removed."""
        return self._open(document).text

    def _open(self, document: DocumentId) -> _Opened:
        if document not in self._documents:
            text = self._catalog.text(document)
            pages, parts = self._catalog.pages(document), self._catalog.parts(document)
            self._documents[document] = _Opened(text, pages, parts, line_counter(text))
        return self._documents[document]
