"""Everything that is known about a file, from several tables."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.library import FileDetails, Tier
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.collections import Collections
from desktop_rag.storage.sources import Sources


class Describing:
    """Reads the catalog only, not the disk. Usable from any thread."""

    def __init__(self, catalog: Catalog, sources: Sources, collections: Collections) -> None:
        self._catalog = catalog
        self._sources = sources
        self._collections = collections

    def describe(self, document: DocumentId) -> FileDetails:
        """A file with where it belongs and how it was read.

        Raises:
            NotFound: it was removed from the library.
        """
        file = self._catalog.file(document)
        known = self._catalog.known_file(document)
        above = [s for s in self._sources.all() if Path(file.path).is_relative_to(s.path)]
        source = max(above, key=lambda one: len(one.path), default=None)
        saved = known.stamp.mtime_ns / 1e9 if known is not None else 0.0
        return FileDetails(
            file=file,
            reader=known.reader if known is not None else "",
            source=source.path if source is not None else "",
            tier=source.tier if source is not None else Tier.NORMAL,
            collections=self._collections.holding(file.path),
            modified_at=datetime.fromtimestamp(saved, UTC).isoformat(timespec="seconds"),
        )
