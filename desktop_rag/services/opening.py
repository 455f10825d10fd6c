"""Opens a document around a passage or a citation, from the catalog alone."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.domain.documents import ChunkId, DocumentId
from desktop_rag.domain.errors import DesktopRagError, NotFound
from desktop_rag.domain.structured import OpenedText, Span
from desktop_rag.storage.catalog import Catalog, StoredChunk
from desktop_rag.storage.folders import stamp_of

_SPACE = re.compile(r"\s+")


class Opening:
    """Reads stretches of documents. Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def passage(self, chunk: ChunkId, around: int) -> OpenedText:
        """A passage with `around` characters before and after it.

        Raises:
            NotFound: its document was removed or read again since.
        """
        known = self._catalog.resolve([chunk]).get(chunk)
        if known is None:
            raise NotFound(
                f"There is no passage {chunk} any more: its document changed or left the library. "
                "Search again."
            )
        return self._opened(known, around)

    def at(self, path: str, offset: int, around: int) -> OpenedText:
        """The passage at an offset of a document's text, or the last before it.

        Raises:
            NotFound: no file of the library has this path, or nothing of it can be searched.
        """
        document = self._catalog.document_at(path)
        if document is None:
            raise NotFound(
                f"{path} is no file of the library; take the path from a citation or from the list "
                "of documents."
            )
        chunk = self._catalog.neighbours.at(document, offset)
        if chunk is None:
            failure = self._catalog.file(document).failure
            raise NotFound(f"{path} is not searchable. {failure or 'It is still to be read.'}")
        return self.passage(chunk, around)

    def is_changed(self, document: DocumentId) -> bool:
        """Whether the file on disk is gone or no longer the one that was read."""
        known = self._catalog.known_file(document)
        try:
            return known is None or stamp_of(Path(known.path)) != known.stamp
        except DesktopRagError:
            return True

    def _opened(self, chunk: StoredChunk, around: int) -> OpenedText:
        text = self._catalog.text(chunk.document)
        page = chunk.pages[0] if chunk.pages else None
        start, end = _window(text, chunk, around)
        return OpenedText(
            document=chunk.document,
            path=chunk.path,
            title=chunk.title,
            section=chunk.section,
            page=page,
            page_label=chunk.page_label or str(page or ""),
            place=chunk.place,
            text=text[start:end],
            start=start,
            end=end,
            passage=Span(chunk.start, chunk.end),
            length=len(text),
            is_changed=self.is_changed(chunk.document),
        )


def _window(text: str, chunk: StoredChunk, around: int) -> tuple[int, int]:
    """The passage and about `around` characters on each side, without words cut in two."""
    start, end = max(chunk.start - around, 0), min(chunk.end + around, len(text))
    if 0 < start < chunk.start and (gap := _SPACE.search(text, start - 1, chunk.start)):
        start = gap.end()
    if chunk.end < end < len(text):
        gaps = [*_SPACE.finditer(text, chunk.end, end + 1)]
        end = gaps[-1].start() if gaps else end
    return start, end
