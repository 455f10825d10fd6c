"""What was dropped on the window: looked at and counted before anything is added."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from desktop_rag.domain.library import NO_RULES, DropKind, Dropped, Intake
from desktop_rag.services.scanning import Scanning
from desktop_rag.settings import Settings
from desktop_rag.storage.catalog import Catalog
from desktop_rag.storage.folders import suffix_of
from desktop_rag.storage.shortcuts import SHORTCUTS, target_of
from desktop_rag.storage.sources import Sources, StoredSource

_WEB = frozenset({"http", "https", "ftp", "data", "blob", "about", "mailto"})
_WEB_SENTENCE = (
    "Web pages are not fetched, because nothing leaves this computer: save the page as a file and "
    "drop that."
)
_MEGABYTE = 1_000_000


class Receiving:
    """Sorts what was dropped. Usable from any thread; *may block* as long as folders are large."""

    def __init__(
        self,
        catalog: Catalog,
        sources: Sources,
        scanning: Scanning,
        settings: Callable[[], Settings] = Settings,
    ) -> None:
        self._catalog = catalog
        self._sources = sources
        self._scanning = scanning
        self._settings = settings

    def look_at(
        self, given: Sequence[str], on_count: Callable[[int], None] = lambda _: None
    ) -> Intake:
        """What each of these paths and addresses is, with the number and size of its files.

        Args:
            given: each once.
            on_count: told now and then how many things were met; may raise to stop.
        """
        met = 0

        def step() -> None:
            nonlocal met
            met += 1
            if met % 200 == 0:
                on_count(met)

        return Intake(tuple(self._judged(one, step) for one in dict.fromkeys(given)))

    def _judged(self, given: str, on_step: Callable[[], None]) -> Dropped:
        on_step()
        if given in {"", "."}:  # an address of a file, without one
            sentence = f"“{given}” cannot be opened (its name is no path)."
            return Dropped(given, DropKind.UNREADABLE, sentence=sentence)
        try:
            if urlsplit(given).scheme.lower() in _WEB:
                return Dropped(given, DropKind.WEB, sentence=_WEB_SENTENCE)
            return self._at(given, Path(os.path.realpath(given)), on_step)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "its name is no path"
            sentence = f"{_short(given)} cannot be opened ({why})."
            return Dropped(given, DropKind.UNREADABLE, sentence=sentence)

    def _at(self, given: str, path: Path, on_step: Callable[[], None]) -> Dropped:
        if not os.path.lexists(path):
            return _missing(given, path)
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return self._folder(given, path, on_step)
        if not stat.S_ISREG(mode):
            sentence = f"{path.name} is a device or a pipe, not a document."
            return Dropped(given, DropKind.SPECIAL, sentence=sentence)
        if path.suffix.lower() in SHORTCUTS and path == Path(os.path.realpath(given)):
            return self._shortcut(given, path, on_step)
        return self._file(given, path)

    def _shortcut(self, given: str, path: Path, on_step: Callable[[], None]) -> Dropped:
        target = target_of(path)
        if urlsplit(target).scheme.lower() in _WEB:
            return Dropped(given, DropKind.WEB, sentence=f"{path.name}: {_WEB_SENTENCE}")
        resolved = Path(os.path.realpath(target)) if target else None
        if resolved is None or resolved.suffix.lower() in SHORTCUTS:
            sentence = f"The shortcut {path.name} leads to no document or folder."
            return Dropped(given, DropKind.SHORTCUT, sentence=sentence)
        if not resolved.exists():
            sentence = f"The shortcut {path.name} leads to {target}, which is not on this computer."
            return Dropped(given, DropKind.SHORTCUT, sentence=sentence)
        return self._at(given, resolved, on_step)

    # ------------------------------------------------------------------ folders

    def _folder(self, given: str, path: Path, on_step: Callable[[], None]) -> Dropped:
        if self._scanning.is_own(str(path)):
            sentence = f"{path.name} belongs to Desktop RAG itself; no document of yours is in it."
            return Dropped(given, DropKind.OWN, sentence=sentence)
        if (source := self._covering(path)) is not None:
            return _already(given, path, source)
        found = self._scanning.would_find(str(path), NO_RULES, on_step)
        if found is None or str(path) in found.unreadable:
            sentence = f"{path} may not be opened by you, or its drive does not answer."
            return Dropped(given, DropKind.UNREADABLE, sentence=sentence)
        size = sum(file.stamp.size for file in found.files.values())
        if found.files:
            return Dropped(given, DropKind.FOLDER, str(path), "", len(found.files), size)
        what = "holds no file that can be read yet" if found.left_out else "is empty"
        sentence = f"{path.name} {what}; what you put there later is read by itself."
        return Dropped(given, DropKind.EMPTY, str(path), sentence)

    def _covering(self, path: Path) -> StoredSource | None:
        """The source that a path is, or is part of, unless something of it was removed."""
        excluded = [Path(one) for one in self._sources.excluded()]
        if any(one == path or one in path.parents or path in one.parents for one in excluded):
            return None
        covering = [
            one
            for one in self._sources.all()
            if path == Path(one.path) or (one.is_folder and path.is_relative_to(one.path))
        ]
        return max(covering, key=lambda one: len(one.path), default=None)

    # ------------------------------------------------------------------ files

    def _file(self, given: str, path: Path) -> Dropped:
        if self._scanning.is_own(str(path)):
            sentence = f"{path.name} belongs to Desktop RAG itself."
            return Dropped(given, DropKind.OWN, sentence=sentence)
        size = path.stat().st_size
        if self._catalog.document_at(str(path)) is not None:
            source = self._covering(path)
            return _already(given, path, source)
        if not self._scanning.can_read(path.name):
            return Dropped(given, DropKind.UNSUPPORTED, sentence=_no_reader(path))
        limit = self._settings().max_file_mb
        if size > limit * _MEGABYTE:
            sentence = f"{path.name} is larger than {limit} MB; the settings raise that limit."
            return Dropped(given, DropKind.TOO_LARGE, sentence=sentence)
        if not os.access(path, os.R_OK):
            sentence = f"{path.name} may not be read by you; change its permissions first."
            return Dropped(given, DropKind.UNREADABLE, sentence=sentence)
        return Dropped(given, DropKind.FILE, str(path), "", 1, size)


def _already(given: str, path: Path, source: StoredSource | None) -> Dropped:
    if source is None or Path(source.path) == path:
        sentence = f"{path.name} is in your library already; changes are noticed by themselves."
    else:
        sentence = f"{path.name} is part of {source.path}, which is in your library already."
    return Dropped(given, DropKind.ALREADY, str(path), sentence)


def _missing(given: str, path: Path) -> Dropped:
    if Path(given).is_symlink():
        sentence = f"The link {Path(given).name} leads to {path}, which is not there."
        return Dropped(given, DropKind.SHORTCUT, sentence=sentence)
    sentence = f"{_short(given)} does not exist any more."
    return Dropped(given, DropKind.MISSING, sentence=sentence)


def _no_reader(path: Path) -> str:
    suffix = suffix_of(path.name)
    what = f"{suffix} files" if suffix else "files whose name has no ending"
    return f"{path.name}: there is no reader for {what}. Save it as PDF, DOCX or text."


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]}…"
