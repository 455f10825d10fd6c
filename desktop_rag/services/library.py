"""What a person does with the library: add, remove, retry, look."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.domain.documents import DocumentId
from desktop_rag.domain.errors import DesktopRagError, InvalidInput, NotFound, Unreadable
from desktop_rag.domain.library import (
    NO_RULES,
    AddReport,
    FolderRules,
    LibraryFile,
    Source,
    Tier,
)
from desktop_rag.paths import home_expanded
from desktop_rag.services.scanning import Scanning
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.folders import device_of
from desktop_rag.storage.ignoring import check_rules
from desktop_rag.storage.skipped import SkippedKind
from desktop_rag.storage.sources import Sources, StoredSource


class Library:
    """Sources and their files. Usable from any thread; walks folders, so not on the GUI thread."""

    def __init__(self, catalog: Catalog, sources: Sources, scanning: Scanning) -> None:
        self._catalog = catalog
        self._sources = sources
        self._scanning = scanning

    def add(self, paths: Sequence[Path], rules: FolderRules = NO_RULES) -> AddReport:
        """Add files and folders and queue what is in them. A path that cannot be used is named.

        Args:
            rules: for the folders among the paths; without any, those a folder has stay.

        Raises:
            InvalidInput: a pattern means nothing; nothing was added.
        """
        check_rules(rules)
        added: list[str] = []
        already_there: list[str] = []
        skipped: list[tuple[str, str]] = []
        queued = 0
        for path in map(_absolute, paths):
            try:
                _check_usable(path)
                source, is_new = self._add_source(path, rules)
            except DesktopRagError as error:
                skipped.append((str(path), error.message))
                continue
            (added if is_new else already_there).append(str(path))
            queued += self._scanning.sweep_source(source).queued
        return AddReport(tuple(added), tuple(already_there), queued, tuple(skipped))

    def _add_source(self, path: Path, rules: FolderRules) -> tuple[StoredSource, bool]:
        """The source that covers `path`, and whether adding it changed anything."""
        with self._scanning.lock:
            excluded = [Path(one) for one in self._sources.excluded()]
            was_excluded = any(one.is_relative_to(path) for one in excluded)
            self._sources.include(str(path))
            # What lies in a folder that was removed from a source is not covered by that source.
            is_cut_off = any(one in path.parents for one in excluded)
            for source in self._sources.around(str(path)):
                is_inside = source.is_folder and path.is_relative_to(source.path)
                if path == Path(source.path):
                    known = self._sources.counted(source)
                    return self._with_rules(known, rules), was_excluded
                if is_inside and not is_cut_off and self._is_covered(source, path):
                    _refuse_rules_inside(source, path, rules)
                    return self._sources.counted(source), was_excluded
            return self._with_rules(self._new_source(path), rules), True

    def _is_covered(self, source: StoredSource, path: Path) -> bool:
        """A file its folder leaves out (no reader, a rule) is read when it is named itself."""
        return path.is_dir() or self._scanning.would_read(source, str(path))

    def _new_source(self, path: Path) -> StoredSource:
        source = self._sources.add(str(path), is_folder=path.is_dir(), device=device_of(path) or 0)
        if not source.is_folder:
            return source
        inside = [
            other.id
            for other in self._sources.all()
            if other.id != source.id
            and Path(other.path).is_relative_to(path)
            and (other.is_folder or self._scanning.would_read(source, other.path))
        ]
        self._sources.adopt(source, inside)
        return source

    def _with_rules(self, source: StoredSource, rules: FolderRules) -> StoredSource:
        if not source.is_folder or rules in (NO_RULES, source.rules):
            return source
        self._sources.set_rules(source.id, rules)
        return replace(source, rules=rules)

    def change(
        self, path: Path, rules: FolderRules | None = None, tier: Tier | None = None
    ) -> Source:
        """Choose what of a source is read and how much it counts; `None` leaves it as it is.

        Files that the rules leave out are no longer in the library when this returns.

        Raises:
            NotFound: the path is not a source.
            InvalidInput: a pattern means nothing, or the source is a single file.
        """
        source = self._source_at(_absolute(path))
        if rules is not None:
            check_rules(rules)
            if not source.is_folder:
                raise InvalidInput(f"{source.path} is a file; only folders have such rules.")
            self._sources.set_rules(source.id, rules)
            self._scanning.sweep_source(replace(source, rules=rules))
        if tier is not None:
            self._sources.set_tier(source.id, tier)
        return self._described(self._source_at(Path(source.path)))

    def relocate(self, path: Path, new_path: Path) -> Source:
        """A source lies elsewhere now: on another drive, or on this computer after a restore.

        Nothing that was read is read again, unless it differs from what lies there.

        Raises:
            NotFound: `path` is not a source, or there is nothing at `new_path`.
            InvalidInput: what lies there is of another kind, or in the library already.
        """
        target = _absolute(new_path)
        source = self._source_named(path)
        _check_usable(target)
        if target.is_dir() != source.is_folder:
            kind = "a folder" if source.is_folder else "a file"
            raise InvalidInput(f"{source.path} was {kind}, and {target} is none.")
        for other in self._sources.all():
            is_near = target.is_relative_to(other.path) or Path(other.path).is_relative_to(target)
            if other.id != source.id and is_near:
                raise InvalidInput(
                    f"{other.path} is in the library already. Remove it first: "
                    f"desktop-rag remove {other.path}"
                )
        self._sources.move(source, str(target))
        moved = self._source_at(target)
        self._scanning.sweep_source(moved)
        return self._described(self._source_at(target))

    def _source_named(self, path: Path) -> StoredSource:
        """By this system's spelling, or by one of another system that a restored library has."""
        named = [source for source in self._sources.all() if source.path == str(path)]
        return named[0] if named else self._source_at(_absolute(path))

    def _source_at(self, path: Path) -> StoredSource:
        for source in self._sources.all():
            if Path(source.path) == path:
                return source
        raise NotFound(
            f"{path} was not added as a folder of its own. `desktop-rag status` lists those that "
            "were."
        )

    def remove(self, paths: Sequence[Path]) -> int:
        """Forget sources, or files and folders inside one; returns how many files.

        Raises:
            NotFound: a path is not in the library; nothing was removed.
        """
        absolute = [_absolute(path) for path in paths]
        with self._scanning.lock:
            sources = {source.path: source for source in self._sources.all()}
            for path in absolute:
                if str(path) not in sources and not self._catalog.documents_under(str(path)):
                    raise NotFound(
                        f"{path} is not in the library. `desktop-rag files` lists what is."
                    )
            return sum(self._remove(path, sources) for path in absolute)

    def _remove(self, path: Path, sources: dict[str, StoredSource]) -> int:
        removed = self._catalog.remove(self._catalog.documents_under(str(path)))
        if (source := sources.get(str(path))) is not None:
            self._sources.remove(source.id)
            self._scanning.forget(source.id)
        for other in sources.values():
            if path != Path(other.path) and path.is_relative_to(other.path):
                self._sources.exclude(str(path))
                self._sources.skipped.replace(other.id, {}, str(path))
            elif path != Path(other.path) and Path(other.path).is_relative_to(path):
                self._sources.remove(other.id)
                self._scanning.forget(other.id)
        return removed

    def retry(self, documents: Sequence[DocumentId]) -> None:
        """Queue files again."""
        self._catalog.requeue(documents)

    def order(self, paths: Sequence[Path]) -> None:
        """List the sources in this order; those that are not named follow as they were."""
        self._sources.order([str(path) for path in paths])

    def sources(self) -> tuple[Source, ...]:
        """All sources, each with whether it can be reached now. *May block* shortly."""
        stored = self._sources.all()
        online = self._scanning.online(stored)
        return tuple(self._described(one, is_online=one.id in online) for one in stored)

    def _described(self, source: StoredSource, *, is_online: bool | None = None) -> Source:
        return Source(
            path=source.path,
            is_folder=source.is_folder,
            is_online=self._scanning.is_online(source) if is_online is None else is_online,
            files=source.files,
            tier=source.tier,
            rules=source.rules,
        )

    def skipped(self) -> list[LibraryFile]:
        """Files that were met in a folder and left out, by path, each with its reason."""
        return self._sources.skipped.files()

    def skipped_kinds(self) -> list[SkippedKind]:
        """How many files were left out for which reason, the most frequent first."""
        return self._sources.skipped.kinds()

    def count_skipped(self) -> int:
        """How many files were left out."""
        return self._sources.skipped.count()


def _refuse_rules_inside(source: StoredSource, path: Path, rules: FolderRules) -> None:
    if rules != NO_RULES and path.is_dir():
        raise InvalidInput(
            f"{path} is part of {source.path}, which is in the library already: give the rules to "
            f"that folder, or put a .desktopragignore file into {path}."
        )


def _absolute(path: Path) -> Path:
    """One spelling for one place: links and `..` resolved, also for what is no longer there.

    A name may be typed with composed accents where the disk has decomposed ones, or the reverse.
    """
    expanded = home_expanded(path)
    if not os.path.lexists(expanded):
        for form in ("NFC", "NFD"):
            other = Path(unicodedata.normalize(form, str(expanded)))
            if os.path.lexists(other):
                expanded = other
    return Path(os.path.realpath(expanded))


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
