"""Everything a view needs of a document, gathered away from the GUI thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_rag.domain.answers import Citation, Passage
from desktop_rag.domain.documents import Box, DocumentId
from desktop_rag.ui.viewer.sheet_rows import SheetRows, is_grid, sheets_of

if TYPE_CHECKING:
    from desktop_rag.app import App
    from desktop_rag.services.viewing import DocumentView

Target = Citation | Passage


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document, and where the wanted place stands in it today."""

    view: DocumentView
    target: Target | None = None
    """With today's place; as it was asked for when it stands nowhere any more."""
    is_found: bool = True
    boxes: tuple[Box, ...] = ()
    sheets: tuple[SheetRows, ...] = ()
    """Of spreadsheets and tables."""

    @property
    def span(self) -> tuple[int, int] | None:
        """Where the place stands in the text; `None` for the document as a whole."""
        if self.target is None or not self.is_found:
            return None
        return self.target.start, self.target.end


def load(app: App, target: Target | DocumentId) -> Loaded:
    """Read a document from the catalog. Raises NotFound when it was removed."""
    if isinstance(target, Citation):
        view, citation = app.cited_document(target)
        if citation is None:
            return _with_sheets(Loaded(view, target, is_found=False))
        return _with_sheets(Loaded(view, citation, boxes=citation.boxes))
    if isinstance(target, Passage):
        view = app.document(target.document)
        boxes = app.viewing.boxes(target.document, target.start, target.end) if view.pages else ()
        return _with_sheets(Loaded(view, target, boxes=boxes))
    return _with_sheets(Loaded(app.document(target)))


def _with_sheets(loaded: Loaded) -> Loaded:
    view = loaded.view
    if view.pages or not is_grid(view.parts):
        return loaded
    return replace(loaded, sheets=tuple(sheets_of(view.text, view.blocks, view.parts)))
