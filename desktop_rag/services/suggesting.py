"""What a person may begin with: files that can be asked, by title."""

from __future__ import annotations

from desktop_rag.storage.catalog import Catalog


class Suggesting:
    """Suggestions from the library. Usable from any thread."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def titles(self, limit: int) -> list[str]:
        """Titles of files that are read and have text, the last changed first, each once."""
        found = (title.strip() for title in self._catalog.latest_titles(4 * limit))
        return list(dict.fromkeys(title for title in found if title))[:limit]
