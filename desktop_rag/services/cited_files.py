"""Says how the file behind a citation stands today, without reading it."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.answers import Citation
from desktop_rag.domain.citation_state import CitationState
from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.services.refinding import Refinding
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.folders import stamp_of


class CitedFiles:
    """One look at the catalog and one at the disk per question. Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._refinding = Refinding(catalog)

    def state(self, citation: Citation) -> CitationState:
        """*May block* for as long as the disk takes to tell size and time of a file."""
        known = self._catalog.known_file(self._refinding.document(citation))
        if known is None:
            return CitationState.REMOVED
        try:
            is_changed = stamp_of(Path(known.path)) != known.stamp
        except DesktopRagError:
            return CitationState.GONE
        if is_changed:
            return CitationState.CHANGED
        is_same = known.sha256 == citation.sha256
        return CitationState.AS_READ if is_same else CitationState.READ_AGAIN
