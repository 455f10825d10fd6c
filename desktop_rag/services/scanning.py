"""Compares the sources with the catalog and queues what changed. Reads no document.

The sweep is the truth; a watcher only makes it come sooner. A file is believed to be gone only if
its source is there: a vanished drive makes a source *offline*, and everything indexed from it
stays searchable.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.library import FileState
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.storage.catalog import Catalog, KnownFile
from desktop_rag.storage.folders import FoundFile, device_of, stamp_of, walk
from desktop_rag.storage.sources import NOT_SEEN_HERE, Sources, StoredSource

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What a sweep found."""

    queued: int = 0
    removed: int = 0
    offline: tuple[str, ...] = ()

    def __add__(self, other: SweepReport) -> SweepReport:
        return SweepReport(
            self.queued + other.queued,
            self.removed + other.removed,
            self.offline + other.offline,
        )


class Scanning:
    """Sweeps sources. Called on the indexer thread, and on the caller's when paths are added."""

    def __init__(
        self,
        catalog: Catalog,
        sources: Sources,
        reader: DocumentReader,
        own_folders: frozenset[str] = frozenset(),
    ) -> None:
        """`own_folders` (the data folder, the models) are never part of a library."""
        self._catalog = catalog
        self._sources = sources
        self._reader = reader
        self._own_folders = own_folders

    def sweep(self) -> SweepReport:
        """Compare every source with the catalog."""
        report = SweepReport()
        for source in self._sources.all():
            report += self.sweep_source(source)
        return report

    def sweep_source(self, source: StoredSource) -> SweepReport:
        """Compare one source with the catalog and queue what is new or changed."""
        found = self._look(source)
        if found is None:
            return SweepReport(offline=(source.path,))
        known = {file.path: file for file in self._catalog.known_files(source.id)}
        new = [file for path, file in found.items() if path not in known]
        missing = [file for path, file in known.items() if path not in found]
        queued = self._queue_changed(source, found.values(), known)
        queued += self._queue_new(source, new, missing)
        if not self._is_known_place(source, known, found):
            return SweepReport(queued)
        removed = self._catalog.remove(file.document for file in missing)
        return SweepReport(queued, removed)

    def _is_known_place(
        self, source: StoredSource, known: Collection[str], found: Collection[str]
    ) -> bool:
        """Whether a file that is missing here is gone.

        A source that came with a backup may be another folder of the same name: what was read from
        the original stays until at least half of it is found again.
        """
        if source.device != NOT_SEEN_HERE:
            return True
        if 2 * sum(path in found for path in known) < len(known):
            return False
        self._sources.set_device(source.id, device_of(Path(source.path)) or 0)
        return True

    def _look(self, source: StoredSource) -> dict[str, FoundFile] | None:
        """Files of a source that is there; `None` when it is offline."""
        root = Path(source.path)
        if not root.is_absolute():
            return None  # of another operating system, from a backup
        device = device_of(root)
        if not source.is_folder:
            return self._look_at_file(root)
        if device is None:
            return None
        versions = self._reader.versions()
        unreadable: list[str] = []
        walked = walk(
            root,
            wants=lambda name: Path(name).suffix.lower() in versions,
            excluded=self._own_folders | self._sources.excluded(),
            on_unreadable=unreadable.append,
        )
        found = {file.path: file for file in walked}
        if unreadable and source.path in unreadable:
            return None
        if not found and source.files and device != source.device:
            # An empty mount point is an unplugged drive, not a folder that was emptied.
            return None
        if device != source.device != NOT_SEEN_HERE:
            self._sources.set_device(source.id, device)
        return self._keep_unreadable(source, found, unreadable)

    def _keep_unreadable(
        self, source: StoredSource, found: dict[str, FoundFile], unreadable: list[str]
    ) -> dict[str, FoundFile]:
        """Files in folders that could not be listed count as they were: not seen is not gone."""
        if not unreadable:
            return found
        logger.info("%d folders of source %d cannot be listed", len(unreadable), source.id)
        for file in self._catalog.known_files(source.id):
            if any(Path(file.path).is_relative_to(folder) for folder in unreadable):
                found.setdefault(file.path, FoundFile(file.path, file.stamp))
        return found

    def _look_at_file(self, path: Path) -> dict[str, FoundFile] | None:
        if device_of(path.parent) is None:
            return None
        try:
            return {str(path): FoundFile(str(path), stamp_of(path))}
        except DesktopRagError:
            return {}

    def _queue_changed(
        self,
        source: StoredSource,
        found: Iterable[FoundFile],
        known: Mapping[str, KnownFile],
    ) -> int:
        versions = self._reader.versions()
        changed = [
            file
            for file in found
            if (old := known.get(file.path)) and _is_outdated(old, file, versions)
        ]
        return sum(self._catalog.enqueue(source.id, file.path, file.stamp) for file in changed)

    def _queue_new(
        self, source: StoredSource, new: list[FoundFile], missing: list[KnownFile]
    ) -> int:
        queued = 0
        for file in new:
            if (old := self._same_file(file, missing)) is not None:
                missing.remove(old)
                self._catalog.rename(old.document, source.id, file.path, file.stamp)
            else:
                queued += self._catalog.enqueue(source.id, file.path, file.stamp)
        return queued

    def _same_file(self, file: FoundFile, missing: Iterable[KnownFile]) -> KnownFile | None:
        """The missing file that this new one is, under another name: same size, time and bytes."""
        alike = [old for old in missing if old.stamp.is_same_but_moved(file.stamp) and old.sha256]
        if not alike:
            return None
        try:
            digest = self._reader.digest(Path(file.path))
        except DesktopRagError:
            return None
        return next((old for old in alike if old.sha256 == digest), None)


def _is_outdated(old: KnownFile, file: FoundFile, versions: Mapping[str, str]) -> bool:
    if old.state is FileState.QUEUED:
        return True  # its job may be gone: queueing it again does nothing when it is not
    # Any of today's readers will do: a PDF that is called .txt was read by the PDF reader.
    has_new_reader = old.state is FileState.READY and old.reader not in versions.values()
    return old.stamp != file.stamp or has_new_reader
