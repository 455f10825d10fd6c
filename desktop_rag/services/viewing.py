"""What the viewer shows of a document: its text and structure, from the catalog alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.documents import Block, Box, DocumentId, Line, Page, Part
from desktop_rag.domain.library import LibraryFile
from desktop_rag.domain.places import boxes_for
from desktop_rag.services.opening import Opening
from desktop_rag.services.refinding import Refinding
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.page_lines import PageLines


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What the viewer needs to show a document from the catalog alone."""

    file: LibraryFile
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    """Without lines."""
    is_changed: bool
    """The file on disk is gone or no longer the one that was read (size or time differ)."""
    parts: tuple[Part, ...] = ()
    is_missing: bool = False
    """No file is at its path now."""


class Viewing:
    """Opens documents for a person who looks at them. Usable from any thread; *may block*."""

    def __init__(
        self,
        catalog: Catalog,
        pages: PageLines,
        opening: Opening,
        prepare_pages: Callable[[], None],
    ) -> None:
        self._catalog = catalog
        self._pages = pages
        self._opening = opening
        self.prepare_pages = prepare_pages
        """Have ready what draws pages: the first one is there at once then."""

    def document(self, document: DocumentId) -> DocumentView:
        """Text and structure. Raises NotFound when it was removed."""
        file = self._catalog.file(document)
        return DocumentView(
            file=file,
            text=self._catalog.text(document),
            blocks=self._catalog.blocks(document),
            pages=self._pages.outline(document),
            is_changed=self._opening.is_changed(document),
            parts=self._catalog.parts(document),
            is_missing=_is_missing(Path(file.path)),
        )

    def edition(self, document: DocumentId) -> str:
        """Changes when the document was read again. Cheap. Raises NotFound."""
        return self._catalog.file(document).edition

    def cited(self, citation: Citation) -> tuple[DocumentView, Citation | None]:
        """The document of a citation, however old, and where its quote stands today, if it does.

        Raises:
            NotFound: the document was removed; the citation has the quote itself.
        """
        refinding = Refinding(self._catalog)
        view = self.document(refinding.document(citation))
        return view, refinding.current(citation)

    def lines(self, document: DocumentId, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]:
        """The lines of some pages by page number, to select and to mark text on their pictures."""
        return self._pages.lines(document, numbers)

    def boxes(self, document: DocumentId, start: int, end: int) -> tuple[Box, ...]:
        """Where a span of the text stands on the pages; only its own pages are unpacked."""
        touched = [
            page for page in self._pages.outline(document) if page.start < end and page.end > start
        ]
        lines = self._pages.lines(document, [page.number for page in touched])
        full = [replace(page, lines=lines.get(page.number, ())) for page in touched]
        return boxes_for(full, self._catalog.text(document), start, end)


def _is_missing(path: Path) -> bool:
    """A folder that may not be looked into hides its files; that does not say they are gone."""
    try:
        return not path.exists()
    except OSError:
        return False
