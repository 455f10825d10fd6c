"""What rules would leave out of a folder, before they are chosen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from desktop_rag.domain.library import FolderRules, RulesPreview
from desktop_rag.services.scanning import Scanning
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.ignoring import check_rules
from desktop_rag.storage.sources import Sources

_SHOWN = 200


class Previewing:
    """Looks at folders without changing anything. Usable from any thread; *may block*."""

    def __init__(self, catalog: Catalog, sources: Sources, scanning: Scanning) -> None:
        self._catalog = catalog
        self._sources = sources
        self._scanning = scanning

    def preview(
        self, place: Path, rules: FolderRules, on_step: Callable[[], None] = lambda: None
    ) -> RulesPreview:
        """What of `place` would be read under `rules`, and what would not.

        Raises:
            InvalidInput: a pattern means nothing.
        """
        check_rules(rules)
        path = os.path.realpath(place)
        found = self._scanning.would_find(path, rules, on_step)
        if found is None or path in found.unreadable:
            return RulesPreview(0, (), 0, is_online=False)
        by_rule = {one.path: one.reason for one in found.left_out.values() if one.code == "rule"}
        shown = tuple(sorted(by_rule.items())[:_SHOWN])
        source = next((one for one in self._sources.all() if one.path == path), None)
        known = self._catalog.known_files(source.id) if source is not None else []
        leaving = sum(one.path not in found.files for one in known)
        return RulesPreview(len(found.files), shown, len(by_rule), leaving)
