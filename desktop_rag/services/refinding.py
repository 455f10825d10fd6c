"""Opens the place of an old citation in the library as it is now.

Answers keep copies of their quotes, so nothing here is needed to read one. It is needed to show the
right place: the document may have been read again since, moved, or added anew.
"""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.refinding import refind
from desktop_rag.services.locating import Locator
from desktop_rag.storage.catalog import Catalog


class Refinding:
    """Looks quotes up in the catalog. Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def current(self, citation: Citation) -> Citation | None:
        """The citation with the place of its quote today; `None` when the quote is there no more.

        A document that left the library and came back is known by its content, else by its path.

        Raises:
            NotFound: the document is not in the library any more.
        """
        document = self.document(citation)
        file = self._catalog.file(document)
        if not citation.quote:  # a page, and no words in it
            return replace(citation, document=document, path=file.path)
        text = self._catalog.text(document)
        span = refind(text, citation.quote, citation.start)
        if span is None:
            return None
        moved = replace(citation, document=document, path=file.path)
        is_same = span == (citation.start, citation.end) and file.sha256 == citation.sha256
        return moved if is_same else self._placed(moved, *span)

    def document(self, citation: Citation) -> DocumentId:
        """The cited document, or the one that took its place; the old one when there is none."""
        if self._catalog.known_file(citation.document) is not None:
            return citation.document
        same = self._catalog.documents_with(citation.sha256)
        if same:
            return same[0]
        return self._catalog.document_at(citation.path) or citation.document

    def _placed(self, citation: Citation, start: int, end: int) -> Citation:
        place = Locator(self._catalog).place(citation.document, start, end)
        return replace(
            citation,
            start=start,
            end=end,
            page=place.page,
            page_label=place.label,
            boxes=place.boxes,
            place=place.name,
        )
