"""Makes citations of spans of any document, as many as are asked for."""

from __future__ import annotations

from bisect import bisect_right

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.sentences import line_spans
from desktop_rag.domain.tally import Item
from desktop_rag.services.locating import Locator
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.holdings import ChunkSpan, HeldFile, Holdings

_QUOTE_CHARS = 300


class Pinpointing:
    """Opens each document once; made for one answer."""

    def __init__(self, catalog: Catalog, holdings: Holdings, files: list[HeldFile]) -> None:
        self._locator = Locator(catalog)
        self._holdings = holdings
        self._files = {one.file.id: one.file for one in files}
        self._chunks: dict[DocumentId, list[ChunkSpan]] = {}

    def cite(self, number: int, item: Item) -> Citation:
        """A citation that opens the item's span."""
        text, file = self._locator.text(item.document), self._files[item.document]
        start, end = (item.start, item.end) if item.end else _first_line(text)
        end = min(end, start + _QUOTE_CHARS)
        chunk = self._chunk_at(item.document, start)
        place = self._locator.place(item.document, start, end)
        return Citation(
            number=number,
            document=item.document,
            chunk=chunk.id if chunk else ChunkId(0),
            path=file.path,
            title=file.title,
            section=chunk.section if chunk else "",
            page=place.page,
            page_label=place.label,
            quote=text[start:end].strip(),
            start=start,
            end=end,
            sha256=file.sha256,
            score=1.0,
            boxes=place.boxes,
            place=place.name,
        )

    def _chunk_at(self, document: DocumentId, start: int) -> ChunkSpan | None:
        """The chunk that holds a character, or the last before it, or the first."""
        if document not in self._chunks:
            self._chunks[document] = self._holdings.chunks(document)
        chunks = self._chunks[document]
        index = bisect_right(chunks, start, key=lambda chunk: chunk.start)
        return chunks[index - 1] if index else next(iter(chunks), None)


def _first_line(text: str) -> tuple[int, int]:
    return next(iter(line_spans(text, 0, len(text))), (0, 0))
