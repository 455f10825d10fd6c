"""What a person does with the library: add, remove, retry, look."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DesktopRagError, NotFound, Unreadable
from desktop_rag.domain.library import AddReport, Source
from desktop_rag.services.scanning import Scanning
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.folders import device_of
from desktop_rag.storage.sources import NOT_SEEN_HERE, Sources, StoredSource


class Library:
    """Sources and their files. Usable from any thread; walks folders, so not on the GUI thread."""

    def __init__(self, catalog: Catalog, sources: Sources, scanning: Scanning) -> None:
        self._catalog = catalog
        self._sources = sources
        self._scanning = scanning

    def add(self, paths: Sequence[Path]) -> AddReport:
        """Add files and folders and queue what is in them. A path that cannot be used is named."""
        added: list[str] = []
        already_there: list[str] = []
        skipped: list[tuple[str, str]] = []
        queued = 0
        for path in map(_absolute, paths):
            try:
                _check_usable(path)
            except DesktopRagError as error:
                skipped.append((str(path), error.message))
                continue
            source, is_new = self._add_source(path)
            (added if is_new else already_there).append(str(path))
            queued += self._scanning.sweep_source(source).queued
        return AddReport(tuple(added), tuple(already_there), queued, tuple(skipped))

    def _add_source(self, path: Path) -> tuple[StoredSource, bool]:
        """The source that covers `path`, and whether adding it changed anything."""
        excluded = [Path(one) for one in self._sources.excluded()]
        was_excluded = any(one.is_relative_to(path) for one in excluded)
        self._sources.include(str(path))
        # What lies in a folder that was removed from a source is not covered by that source.
        is_cut_off = any(one in path.parents for one in excluded)
        for source in self._sources.all():
            is_inside = source.is_folder and path.is_relative_to(source.path) and not is_cut_off
            if path == Path(source.path) or is_inside:
                return source, was_excluded
        inside = [s.id for s in self._sources.all() if Path(s.path).is_relative_to(path)]
        source = self._sources.add(str(path), is_folder=path.is_dir(), device=device_of(path) or 0)
        self._sources.adopt(source, inside)
        return source, True

    def remove(self, paths: Sequence[Path]) -> int:
        """Forget sources, or files and folders inside one; returns how many files.

        Raises:
            NotFound: a path is not in the library; nothing was removed.
        """
        absolute = [_absolute(path) for path in paths]
        sources = {source.path: source for source in self._sources.all()}
        for path in absolute:
            if str(path) not in sources and not self._catalog.documents_under(str(path)):
                raise NotFound(f"{path} is not in the library. `desktop-rag files` lists what is.")
        return sum(self._remove(path, sources) for path in absolute)

    def _remove(self, path: Path, sources: dict[str, StoredSource]) -> int:
        removed = self._catalog.remove(self._catalog.documents_under(str(path)))
        if (source := sources.get(str(path))) is not None:
            self._sources.remove(source.id)
        for other in sources.values():
            if path != Path(other.path) and path.is_relative_to(other.path):
                self._sources.exclude(str(path))
            elif path != Path(other.path) and Path(other.path).is_relative_to(path):
                self._sources.remove(other.id)
        return removed

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Queue files again."""
        self._catalog.requeue(documents)

    def sources(self) -> tuple[Source, ...]:
        """All sources, each with whether it can be reached now."""
        return tuple(
            Source(s.path, s.is_folder, _is_online(s), s.files) for s in self._sources.all()
        )


def _is_online(source: StoredSource) -> bool:
    """A source of a backup that was not found here yet is offline, whatever else has its path."""
    path = Path(source.path)
    is_ours = source.device != NOT_SEEN_HERE and path.is_absolute()
    return is_ours and device_of(path) is not None


def _absolute(path: Path) -> Path:
    """One spelling for one place: links and `..` resolved, also for what is no longer there."""
    return Path(os.path.realpath(path.expanduser()))


def _check_usable(path: Path) -> None:
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise Unreadable(
            f"The name {str(path)!a} is not valid text on this system. Rename it, then add it."
        ) from error
    try:
        is_there = path.exists()
    except (OSError, ValueError) as error:
        raise NotFound(f"{str(path)[:80]}… is no path this system can have.") from error
    if not is_there:
        raise NotFound(f"{path} does not exist. Check the spelling and whether its drive is there.")
    if not path.is_dir() and not path.is_file():
        raise Unreadable(f"{path} is neither a file nor a folder. Add a document or a folder.")
    needed = os.R_OK | os.X_OK if path.is_dir() else os.R_OK
    if not os.access(path, needed):
        raise Unreadable(
            f"{path} may not be read by you. Change its permissions, then add it again."
        )
