"""Makes citations of spans of any document, as many as are asked for."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId, Page, Part
from desktop_rag.domain.parts import CountLines, line_counter, place_of
from desktop_rag.domain.places import boxes_for, label_of, page_of
from desktop_rag.domain.sentences import line_spans
from desktop_rag.domain.tally import Item
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.holdings import ChunkSpan, HeldFile, Holdings

_QUOTE_CHARS = 300


@dataclass(frozen=True, slots=True)
class _Opened:
    """What places in one document are worked out from."""

    text: str
    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    chunks: list[ChunkSpan]
    count_lines: CountLines

    def chunk_at(self, start: int) -> ChunkSpan | None:
        index = bisect_right(self.chunks, start, key=lambda chunk: chunk.start)
        return self.chunks[index - 1] if index else next(iter(self.chunks), None)


class Pinpointing:
    """Opens each document once; made for one answer."""

    def __init__(self, catalog: Catalog, holdings: Holdings, files: list[HeldFile]) -> None:
        self._catalog = catalog
        self._holdings = holdings
        self._files = {one.file.id: one.file for one in files}
        self._opened: dict[DocumentId, _Opened] = {}

    def cite(self, number: int, item: Item) -> Citation:
        """A citation that opens the item's span."""
        opened, file = self._open(item.document), self._files[item.document]
        start, end = (item.start, item.end) if item.end else _first_line(opened.text)
        end = min(end, start + _QUOTE_CHARS)
        chunk = opened.chunk_at(start)
        page = page_of(opened.pages, start)
        return Citation(
            number=number,
            document=item.document,
            chunk=chunk.id if chunk else ChunkId(0),
            path=file.path,
            title=file.title,
            section=chunk.section if chunk else "",
            page=page.number if page else None,
            page_label=label_of(opened.pages, start),
            quote=opened.text[start:end].strip(),
            start=start,
            end=end,
            sha256=file.sha256,
            score=1.0,
            boxes=boxes_for(opened.pages, opened.text, start, end),
            place=place_of(opened.parts, opened.text, start, end, opened.count_lines),
        )

    def _open(self, document: DocumentId) -> _Opened:
        if document not in self._opened:
            text = self._catalog.text(document)
            self._opened[document] = _Opened(
                text,
                self._catalog.pages(document),
                self._catalog.parts(document),
                self._holdings.chunks(document),
                line_counter(text),
            )
        return self._opened[document]


def _first_line(text: str) -> tuple[int, int]:
    return next(iter(line_spans(text, 0, len(text))), (0, 0))
