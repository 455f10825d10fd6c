"""Compares the sources with the catalog and queues what changed. Reads no document.

The sweep is the truth; a watcher only makes it come sooner, by a look at just the paths it heard
of. A file is believed to be gone only if its source is there: a vanished drive makes a source
*offline*, and everything indexed from it stays searchable.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.domain.errors import DesktopRagError
from desktop_rag.domain.library import FileState, FolderRules
from desktop_rag.domain.ports import DocumentReader
from desktop_rag.settings import Settings
from desktop_rag.storage.catalog import Catalog, KnownFile
from desktop_rag.storage.folders import (
    FoundFile,
    Ground,
    Survey,
    device_of,
    is_empty,
    sha256_of,
    stamp_of,
    suffix_of,
    survey,
)
from desktop_rag.storage.patience import Patience
from desktop_rag.storage.rereading import refusal_mark
from desktop_rag.storage.skipped import LeftOut
from desktop_rag.storage.sources import NOT_SEEN_HERE, Sources, StoredSource

logger = logging.getLogger(__name__)

_STALL_S = 10.0
"""A drive that gives no answer for so long is offline. A disk that has to spin up takes less."""
_QUICK_STALL_S = 2.0
"""The same, when a person waits."""
_MANY_HINTS = 200
"""Above this, the whole source is compared: cheaper than as many single looks."""
_MEGABYTE = 1_000_000


def _always(_file: FoundFile) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What a sweep found."""

    queued: int = 0
    removed: int = 0
    moved: int = 0
    offline: tuple[str, ...] = ()
    restless: frozenset[str] = frozenset()
    """New or changed files that are still being written, so they were not queued yet."""

    @property
    def has_changed(self) -> bool:
        """Whether the library is another one now."""
        return bool(self.queued or self.removed or self.moved)


@dataclass(slots=True)
class _Look:
    """A source, or a part of it, as it is on the disk and as the catalog knows it."""

    source: StoredSource
    below: str | None
    """The part; `None` for all of it."""
    device: int
    """Of the file system it is on now."""
    found: dict[str, FoundFile] = field(default_factory=dict)
    known: dict[str, KnownFile] = field(default_factory=dict)
    left_out: dict[str, LeftOut] = field(default_factory=dict)

    def missing(self) -> list[KnownFile]:
        return [file for path, file in self.known.items() if path not in self.found]


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A file that is new, or differs from what is known about it."""

    source: StoredSource
    file: FoundFile
    old: KnownFile | None


_ABSENT = "The drive that was here cannot be reached now; what was read of it stays searchable."


class Scanning:
    """Sweeps sources. Usable from any thread, one look at a time."""

    def __init__(
        self,
        catalog: Catalog,
        sources: Sources,
        reader: DocumentReader,
        own_folders: frozenset[str] = frozenset(),
        settings: Callable[[], Settings] = Settings,
    ) -> None:
        """`own_folders` (the data folder, the models) are never part of a library."""
        self._catalog = catalog
        self._sources = sources
        self._reader = reader
        self._own_folders = own_folders
        self._settings = settings
        self._patience = Patience()
        self._versions: dict[str, str] | None = None
        self._entered: dict[int, frozenset[str]] = {}
        self.version = 0
        """Changes whenever `trees` would give something else."""
        self.lock = threading.RLock()
        """Held during a look and by whoever changes sources; all of them wait for each other."""

    # ------------------------------------------------------------------ looks

    def sweep(self, is_at_rest: Callable[[FoundFile], bool] = _always) -> SweepReport:
        """Compare every source with the catalog."""
        self._ask_reader()  # before the lock: a busy reader keeps us waiting
        with self.lock:
            return self._compare([(source, None) for source in self._sources.all()], is_at_rest)

    def sweep_source(self, source: StoredSource) -> SweepReport:
        """Compare one source with the catalog and queue what is new or changed."""
        self._ask_reader()
        with self.lock:
            return self._compare([(source, None)], _always)

    def look_at(
        self, paths: Collection[str], is_at_rest: Callable[[FoundFile], bool] = _always
    ) -> SweepReport:
        """Compare just these files and folders (with all below them) with the catalog.

        A file that moved from one of the paths to another is recognised. Paths outside of all
        sources are passed over.
        """
        with self.lock:
            if self._versions is None:
                self._ask_reader()
            return self._compare(list(self._scopes(paths)), is_at_rest)

    def _ask_reader(self) -> None:
        self._versions = self._reader.versions()
        self._catalog.readers.note(self._versions.values())

    def _scopes(self, paths: Collection[str]) -> Iterator[tuple[StoredSource, str | None]]:
        sources = self._sources.all()
        chosen: dict[int, list[str]] = {}
        for path in _outermost(paths):
            for source in sources:
                if _is_within(path, source.path) or _is_within(source.path, path):
                    chosen.setdefault(source.id, []).append(path)
        for source in sources:
            hinted = chosen.get(source.id, [])
            is_part = source.is_folder and len(hinted) <= _MANY_HINTS
            if is_part and all(_is_within(one, source.path, itself=False) for one in hinted):
                yield from ((source, path) for path in hinted)
            elif hinted:
                yield source, None

    def _compare(
        self,
        scopes: list[tuple[StoredSource, str | None]],
        is_at_rest: Callable[[FoundFile], bool],
    ) -> SweepReport:
        looks, offline = [], []
        for source, below in scopes:
            look = self._look(source, below)
            if look is None:
                self.forget(source.id)
                offline.append(source.path)
            else:
                looks.append(look)
        looks = self._widened(looks)
        missing = [file for look in looks for file in look.missing()]
        fresh = [one for look in looks for one in self._fresh(look)]
        moved = self._move(fresh, missing)
        restless = frozenset(one.file.path for one in fresh if not is_at_rest(one.file))
        queued = self._catalog.enqueue_all(
            [
                (one.source.id, one.file.path, one.file.stamp)
                for one in fresh
                if one.file.path not in restless
            ]
        )
        removed = self._remove_missing(looks, missing)
        for look in looks:
            self._sources.skipped.replace(look.source.id, look.left_out, look.below)
        return SweepReport(queued, removed, moved, tuple(offline), restless)

    def _remove_missing(self, looks: list[_Look], missing: list[KnownFile]) -> int:
        kept = {
            file.document
            for look in looks
            if not self._is_known_place(look)
            for file in look.known.values()
        }
        gone = [file.document for file in missing if file.document not in kept]
        return self._catalog.remove(gone) if gone else 0

    def _is_known_place(self, look: _Look) -> bool:
        """Whether a file that is missing here is gone.

        What came with a backup, or is on another drive now (or on none, at its mount point), may be
        another folder of the same name: what was read stays until half of it is found again.
        """
        if look.device == look.source.device:
            return True
        if 2 * sum(path in look.found for path in look.known) < len(look.known):
            return False
        self._sources.set_device(look.source.id, look.device)
        return True

    def _widened(self, looks: list[_Look]) -> list[_Look]:
        """A file with several names is judged among all of them."""
        wide = {
            look.source.id
            for look in looks
            if look.below is not None
            and any(f.identity and f.path not in look.known for f in look.found.values())
        }
        kept = [look for look in looks if look.source.id not in wide]
        for source in {look.source.id: look.source for look in looks}.values():
            if source.id in wide and (look := self._look(source, None)) is not None:
                kept.append(look)
        return kept

    # ------------------------------------------------------------------ what is there

    def _look(self, source: StoredSource, below: str | None) -> _Look | None:
        """A source that is there with its files; `None` when it is offline."""
        if not Path(source.path).is_absolute():
            return None  # of another operating system, from a backup
        if not source.is_folder:
            return self._look_at_file(source)
        if below is not None and any(_is_within(below, mount) for mount in source.mounts):
            below = None  # whether the drive is there shows from above only
        ground = self._ground(source)
        seen = self._patience.ask(
            source.path, lambda on_step: _surveyed(ground, below, on_step), _STALL_S
        )
        if seen is None:
            return None
        device, found = seen
        if device is None or source.path in found.unreadable:
            return None
        if device != source.device:
            if below is not None:
                return self._look(source, None)
            if not found.files and not found.left_out and source.files:
                # An empty mount point is an unplugged drive, not a folder that was emptied.
                return None
        self._note_entered(source, below, found.folders)
        return self._matched(source, below, device, found)

    def _ground(self, source: StoredSource) -> Ground:
        versions = self._versions or {}
        alone = {s.path for s in self._sources.all() if not s.is_folder}
        return Ground(
            root=source.path,
            wants=lambda name: suffix_of(name) in versions,
            unwanted=frozenset(f".{one}" for one in self._settings().leave_out.split()),
            excluded=self._own_folders | self._sources.excluded() | alone,
            rules=source.rules,
            max_bytes=self._settings().max_file_mb * _MEGABYTE,
        )

    def _matched(
        self, source: StoredSource, below: str | None, device: int, found: Survey
    ) -> _Look:
        known = {file.path: file for file in self._catalog.known_files(source.id, below)}
        look = _Look(source, below, device, found.files, known, found.left_out)
        _keep_unseen(look, [*found.unreadable, *self._absent_drives(look, found)])
        _leave_twins_out(look)
        return look

    def _absent_drives(self, look: _Look, found: Survey) -> list[str]:
        """Folders of the source at which a drive was and is not now: unplugged, not emptied."""
        scope = look.below or look.source.path
        absent = [
            mount
            for mount in look.source.mounts - found.mounts
            if _is_within(mount, scope)
            and not any(_is_within(mount, path) for path in found.left_out)
            and any(_is_within(path, mount) for path in look.known)
        ]
        elsewhere = {mount for mount in look.source.mounts if not _is_within(mount, scope)}
        mounts = found.mounts | elsewhere | set(absent)
        if mounts != look.source.mounts:
            self._sources.set_mounts(look.source.id, mounts)
        for mount in absent:
            look.left_out[mount] = LeftOut(mount, 0, "offline", _ABSENT)
        return absent

    def _look_at_file(self, source: StoredSource) -> _Look | None:
        found = self._patience.ask(
            source.path, lambda _on_step: _looked_at(Path(source.path)), _STALL_S
        )
        if found is None:
            return None
        known = {file.path: file for file in self._catalog.known_files(source.id)}
        self._note_entered(source, None, [str(Path(source.path).parent)])
        device = device_of(Path(source.path).parent) or 0
        return _Look(source, None, device, {file.path: file for file in found}, known)

    def would_read(self, source: StoredSource, path: str) -> bool:
        """Whether a look at a folder would find this file worth reading. *May block* shortly."""
        with self.lock:
            if self._versions is None:
                self._ask_reader()
            ground = self._ground(source)
            ground = replace(ground, excluded=ground.excluded - {path})
            seen = self._patience.ask(
                source.path, lambda on_step: survey(ground, path, on_step), _QUICK_STALL_S
            )
        return seen is not None and path in seen.files

    def why_left_out(self, source: StoredSource, path: str) -> LeftOut | None:
        """Why a look at a folder would leave this file out; `None` when it would not, or when the
        reason is a folder above it. *May block* shortly."""
        with self.lock:
            if self._versions is None:
                self._ask_reader()
            ground = self._ground(source)
        if not source.is_folder or Path(path).is_dir():
            return None
        seen = self._patience.ask(
            source.path, lambda on_step: survey(ground, path, on_step), _QUICK_STALL_S
        )
        return seen.left_out.get(path) if seen is not None else None

    def would_find(
        self, place: str, rules: FolderRules, on_step: Callable[[], None] = lambda: None
    ) -> Survey | None:
        """What a look at a folder under these rules would find; `None` when it cannot be reached.

        Args:
            place: the folder, part of the library or not.
            rules: instead of those it has.
            on_step: called for each thing that is met; may raise to stop.
        """
        with self.lock:
            if self._versions is None:
                self._ask_reader()
            ground = self._ground(StoredSource(0, place, is_folder=True, device=0, rules=rules))

        def look(on_sign: Callable[[], None]) -> Survey:
            def step() -> None:
                on_sign()
                on_step()

            return survey(ground, None, step)

        return self._patience.ask(place, look, _STALL_S)

    def can_read(self, name: str) -> bool:
        """Whether there is a reader for a file of this name."""
        with self.lock:
            if self._versions is None:
                self._ask_reader()
            return suffix_of(name) in (self._versions or {})

    def is_own(self, path: str) -> bool:
        """Whether a path is, or lies in, a folder of the program itself."""
        return any(_is_within(path, own) for own in self._own_folders)

    def is_online(self, source: StoredSource) -> bool:
        """Whether what was read of a source can be reached now. *May block* shortly."""
        return bool(
            self._patience.ask(source.path, lambda _on_step: _is_itself(source), _QUICK_STALL_S)
        )

    def online(self, sources: Iterable[StoredSource]) -> frozenset[int]:
        """Those that can be reached now. *May block* shortly.

        Single files are looked at folder by folder: there may be thousands of them.
        """
        beside: dict[str, list[StoredSource]] = {}
        reached: set[int] = set()
        for source in sources:
            if not source.is_folder:
                beside.setdefault(os.path.dirname(source.path), []).append(source)  # noqa: PTH120
            elif self.is_online(source):
                reached.add(source.id)
        for place, files in beside.items():
            reached.update(self._reached_in(place, files))
        return frozenset(reached)

    def _reached_in(self, place: str, files: list[StoredSource]) -> list[int]:
        def look(on_step: Callable[[], None]) -> list[int]:
            found = []
            for file in files:
                on_step()
                if _is_itself(file):
                    found.append(file.id)
            return found

        return self._patience.ask(place, look, _QUICK_STALL_S) or []

    def _note_entered(
        self, source: StoredSource, below: str | None, folders: Iterable[str]
    ) -> None:
        before = self._entered.get(source.id, frozenset())
        kept = (
            frozenset[str]()
            if below is None
            else frozenset(one for one in before if not _is_within(one, below))
        )
        after = kept.union(folders)
        if after != before or source.id not in self._entered:
            self._entered[source.id] = after
            self.version += 1

    def forget(self, source_id: int) -> None:
        """A source is gone or cannot be reached: there are no folders to go through."""
        with self.lock:
            if self._entered.pop(source_id, None) is not None:
                self.version += 1

    def is_any_online(self, paths: Collection[str]) -> bool:
        """Whether a look at one of these sources may find it again. *May block* shortly."""
        return any(self._is_worth_a_look(one) for one in self._sources.all() if one.path in paths)

    def _is_worth_a_look(self, source: StoredSource) -> bool:
        return bool(
            self._patience.ask(
                source.path, lambda _on_step: _is_worth_a_look(source), _QUICK_STALL_S
            )
        )

    def trees(self) -> dict[str, frozenset[str]]:
        """By source that is online: the folders the last look at it went through."""
        with self.lock:
            return {
                source.path: self._entered[source.id]
                for source in self._sources.all()
                if source.id in self._entered
            }

    # ------------------------------------------------------------------ what follows from it

    def _fresh(self, look: _Look) -> Iterator[_Fresh]:
        readers = frozenset((self._versions or {}).values())
        readers |= {refusal_mark(readers)}
        for path, file in look.found.items():
            old = look.known.get(path)
            if old is None or _is_outdated(old, file, readers):
                yield _Fresh(look.source, file, old)

    def _move(self, fresh: list[_Fresh], missing: list[KnownFile]) -> int:
        """Files that are missing in one place and turn up in another keep all that is known."""
        by_stamp: dict[tuple[int, int], list[KnownFile]] = {}
        for old in missing:
            if old.sha256:
                by_stamp.setdefault((old.stamp.size, old.stamp.mtime_ns), []).append(old)
        moves: list[tuple[_Fresh, KnownFile]] = []
        for one in fresh:
            alike = by_stamp.get((one.file.stamp.size, one.file.stamp.mtime_ns), [])
            if (same := self._same_file(one, alike)) is not None:
                alike.remove(same)
                moves.append((one, same))
        for one, mover in moves:
            if one.old is not None:
                self._catalog.remove([one.old.document])  # the moved file took its place
            self._catalog.rename(mover.document, one.source.id, one.file.path, one.file.stamp)
        placed = {one.file.path for one, _ in moves}
        gone = {mover.document for _, mover in moves}
        fresh[:] = [one for one in fresh if one.file.path not in placed]
        missing[:] = [old for old in missing if old.document not in gone]
        return len(moves)

    def _same_file(self, fresh: _Fresh, alike: Iterable[KnownFile]) -> KnownFile | None:
        """The missing file with the same bytes. Reads the file only when there is a candidate.

        Not by the reader: it may be busy with a page for many seconds.
        """
        candidates = list(alike)
        if not candidates:
            return None
        try:
            digest = self._patience.ask(
                fresh.source.path,
                lambda on_step: sha256_of(Path(fresh.file.path), on_step),
                _STALL_S,
            )
        except DesktopRagError:
            return None
        name = Path(fresh.file.path).name
        same = [old for old in candidates if old.sha256 == digest]
        # Of several copies the one of the same name moved.
        return next((old for old in same if Path(old.path).name == name), next(iter(same), None))


def _outermost(paths: Collection[str]) -> list[str]:
    """Paths without those that lie below another of them."""
    chosen: dict[str, None] = {}
    for path in sorted(set(paths), key=lambda one: (len(one), one)):
        if not any(str(parent) in chosen for parent in Path(path).parents):
            chosen[path] = None
    return list(chosen)


def _is_within(path: str, folder: str, *, itself: bool = True) -> bool:
    return (itself and path == folder) or path.startswith(folder.rstrip(os.sep) + os.sep)


def _surveyed(
    ground: Ground, below: str | None, on_step: Callable[[], None]
) -> tuple[int | None, Survey]:
    device = device_of(Path(ground.root))
    return device, Survey() if device is None else survey(ground, below, on_step)


def _looked_at(path: Path) -> list[FoundFile] | None:
    if device_of(path.parent) is None:
        return None
    try:
        return [FoundFile(str(path), stamp_of(path))]
    except DesktopRagError:
        return []


def _is_itself(source: StoredSource) -> bool:
    """Whether the source is there, and not another folder at its path: see `_is_known_place`."""
    path = Path(source.path)
    if source.device == NOT_SEEN_HERE or not path.is_absolute():
        return False
    device = device_of(path)
    if device is None or not source.is_folder:
        return device is not None
    return device == source.device or not source.files


def _is_worth_a_look(source: StoredSource) -> bool:
    """Whether it is there again, maybe as a drive that got another number."""
    path = Path(source.path)
    try:
        return _is_itself(source) or (source.is_folder and path.is_dir() and not is_empty(path))
    except OSError:
        return False


def _keep_unseen(look: _Look, unreadable: list[str]) -> None:
    """Files in folders that could not be listed count as they were: not seen is not gone."""
    if not unreadable:
        return
    logger.info("%d folders of source %d cannot be listed", len(unreadable), look.source.id)
    for path, file in look.known.items():
        if any(_is_within(path, folder) for folder in unreadable):
            look.found.setdefault(path, FoundFile(path, file.stamp))


def _leave_twins_out(look: _Look) -> None:
    """Of a file with several names (hard links) one is read: the one known longest."""
    by_identity: dict[tuple[int, int], list[str]] = {}
    for path, file in look.found.items():
        if file.identity is not None:
            by_identity.setdefault(file.identity, []).append(path)
    for paths in by_identity.values():
        kept = min(paths, key=lambda path: _seniority(look.known.get(path), path))
        for path in paths:
            if path != kept and look.below is None:
                reason = f"It is the same file as {kept} under another name, which is read."
                size = look.found.pop(path).stamp.size
                look.left_out[path] = LeftOut(path, size, "same-file", reason)


def _seniority(known: KnownFile | None, path: str) -> tuple[bool, int, str]:
    return known is None, known.document if known else 0, path


def _is_outdated(old: KnownFile, file: FoundFile, readers: Collection[str]) -> bool:
    if old.state is FileState.QUEUED:
        return True  # its job may be gone: queueing it again does nothing when it is not
    # Any of today's readers will do: a PDF that is called .txt was read by the PDF reader. And what
    # none of them could read (an old format before LibreOffice was there) waits for others.
    has_new_reader = old.state in (FileState.READY, FileState.FAILED) and old.reader not in readers
    return old.stamp != file.stamp or has_new_reader
