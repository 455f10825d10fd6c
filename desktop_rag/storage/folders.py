"""What lies in a folder: a walk that reads no document and follows no link.

Everything that is met is either a file to read or is left out with a reason; only hidden files and
the droppings of editors and browsers are passed over in silence.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.domain.errors import FileBusy, NotFound, Unreadable
from desktop_rag.domain.library import NO_RULES, FolderRules
from desktop_rag.storage.catalog import FileStamp
from desktop_rag.storage.ignoring import IGNORE_FILE, Rules, rules_of
from desktop_rag.storage.skipped import LeftOut

_TEMPORARY_PREFIXES = (".", "~$")
_TEMPORARY_SUFFIXES = (".tmp", ".temp", ".part", ".partial", ".crdownload", ".swp", "~")
_HASH_BLOCK = 1 << 20
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file met on the walk."""

    path: str
    stamp: FileStamp
    identity: tuple[int, int] | None = None
    """Device and file number, when the file has more than one name; else `None`."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder and what of it is wanted."""

    root: str
    wants: Callable[[str], bool]
    """Whether there is a reader for a file of this name."""
    excluded: Set[str] = frozenset()
    """Paths that are passed over, with all that is below them."""
    rules: FolderRules = NO_RULES
    max_bytes: int = sys.maxsize
    unwanted: Set[str] = frozenset()
    """Endings of kinds that were chosen to be left out."""


@dataclass(slots=True)
class Survey:
    """What was found."""

    files: dict[str, FoundFile] = field(default_factory=dict)
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    """All folders that were entered."""
    unreadable: list[str] = field(default_factory=list)
    """Folders that could not be listed: what is in them is unknown, not gone."""
    mounts: set[str] = field(default_factory=set)
    """Folders at which another drive is. Windows does not tell: there such folders are links."""


def is_ignored(name: str) -> bool:
    """Hidden files and the droppings of editors, office programs and browsers."""
    lowered = name.lower()
    return lowered.startswith(_TEMPORARY_PREFIXES) or lowered.endswith(_TEMPORARY_SUFFIXES)


def suffix_of(name: str) -> str:
    """As `Path(name).suffix` in small letters, and several times faster: every file is asked."""
    stem, dot, ending = name.rpartition(".")
    return dot + ending.lower() if stem and ending else ""


def survey(
    ground: Ground, start: str | None = None, on_step: Callable[[], None] = lambda: None
) -> Survey:
    """Look at a whole folder, or at what is at and below `start`, a path in it.

    A look at `start` finds exactly what a look at everything would find there: nothing when it is
    gone, hidden, or in a folder that is left out.

    Args:
        on_step: called now and then, to show that the drive still answers.
    """
    walk = _Walk(ground, on_step)
    if start is None or start == ground.root:
        walk.enter(ground.root, rules_of(ground.root, ground.rules))
    else:
        walk.find(start)
    walk.judge_links()
    return walk.result


class _Walk:
    """One look at a folder."""

    def __init__(self, ground: Ground, on_step: Callable[[], None]) -> None:
        self.result = Survey()
        self._ground = ground
        self._on_step = on_step
        self._links: list[tuple[str, Rules]] = []
        self._devices: dict[str, int] = {}

    def enter(self, folder: str, rules: Rules) -> None:
        """Take in a folder with all that is below it, names in order."""
        waiting = [(folder, rules)]
        while waiting:
            folder, rules = waiting.pop()
            entries = self._listed(folder)
            if any(entry.name == IGNORE_FILE for entry in entries):
                rules = self._with_ignore_file(folder, rules)
            for entry in entries:
                self._on_step()
                if self._take(entry, rules):
                    waiting.append((entry.path, rules))

    def find(self, start: str) -> None:
        """Take in one path, when the folders above it are not left out."""
        folder, rules = self._ground.root, rules_of(self._ground.root, self._ground.rules)
        *above, last = Path(start).relative_to(folder).parts
        for name in above:
            rules = self._rules_in(folder, rules)
            entry = _Entry(folder, name)
            if not self._take(entry, rules):
                self.result.left_out.clear()
                self._links.clear()
                return
            folder = entry.path
        rules = self._rules_in(folder, rules)
        if self._take(_Entry(folder, last), rules):
            self.enter(_join(folder, last), rules)

    def _rules_in(self, folder: str, rules: Rules) -> Rules:
        has_own = os.path.lexists(_join(folder, IGNORE_FILE))
        return self._with_ignore_file(folder, rules) if has_own else rules

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        self._on_step()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except FileNotFoundError:
            if folder == self._ground.root:
                self.result.unreadable.append(folder)
            return []
        except OSError as error:
            self.result.unreadable.append(folder)
            self._leave_out(
                folder, 0, "unreadable", f"The folder cannot be listed ({_why(error)})."
            )
            return []
        self.result.folders.append(folder)
        return entries

    def _with_ignore_file(self, folder: str, rules: Rules) -> Rules:
        path = _join(folder, IGNORE_FILE)
        try:
            inner = rules.inside(folder)
        except OSError as error:
            reason = f"The rules in it cannot be read ({_why(error)}), so nothing is left out."
            self._leave_out(path, 0, "unreadable", reason)
            return rules
        if problems := inner.layers[-1].patterns.problems:
            reason = f"No pattern for files, and ignored: {', '.join(problems)}."
            self._leave_out(path, 0, "bad-rule", reason)
        return inner

    def _take(self, entry: os.DirEntry[str] | _Entry, rules: Rules) -> bool:
        """Sort in one entry; true for a folder to be entered."""
        path = entry.path
        if is_ignored(entry.name) or path in self._ground.excluded:
            return False
        if not _is_unicode(path):
            reason = "Its name is no valid text on this system. Rename it to have it read."
            self._leave_out(_escaped(path), 0, "bad-name", reason)
            return False
        try:
            return self._take_named(entry, rules)
        except FileNotFoundError:
            return False  # it vanished while we looked
        except OSError as error:
            self._leave_out(path, 0, "unreadable", f"It cannot be looked at ({_why(error)}).")
            return False

    def _take_named(self, entry: os.DirEntry[str] | _Entry, rules: Rules) -> bool:
        if _is_link(entry):
            self._links.append((entry.path, rules))
            return False
        if entry.is_dir(follow_symlinks=False):
            self._note_drive(entry)
            if reason := rules.reason(entry.path, is_folder=True):
                self._leave_out(entry.path, 0, "rule", reason)
            return not reason
        self._take_file(entry.path, entry.stat(follow_symlinks=False), rules)
        return False

    def _note_drive(self, folder: os.DirEntry[str] | _Entry) -> None:
        if os.name == "nt":
            return
        above = folder.path.rpartition(os.sep)[0] or os.sep
        if above not in self._devices:
            self._devices[above] = Path(above).stat().st_dev
        device = self._devices[folder.path] = _drive_of(folder)
        if device != self._devices[above]:
            self.result.mounts.add(folder.path)

    def _take_file(self, path: str, info: os.stat_result, rules: Rules) -> None:
        name = path.rpartition(os.sep)[2]
        if not stat.S_ISREG(info.st_mode):
            reason = f"It is a {_kind(info.st_mode)}, not a file."
            self._leave_out(path, 0, "special", reason)
        elif reason := rules.reason(path, is_folder=False):
            self._leave_out(path, info.st_size, "rule", reason)
        elif suffix_of(name) in self._ground.unwanted:
            reason = "Files of this kind are left out; the setting leave_out names them."
            self._leave_out(path, info.st_size, "kind", reason)
        elif not self._ground.wants(name):
            self._leave_out(path, info.st_size, "unsupported", _no_reader(path))
        elif 0 < self._ground.rules.max_mb * _MEGABYTE < info.st_size:
            limit = f"{self._ground.rules.max_mb} MB"
            reason = f"The rules of its folder leave out files larger than {limit}."
            self._leave_out(path, info.st_size, "rule", reason)
        elif info.st_size > self._ground.max_bytes:
            limit = f"{self._ground.max_bytes / _MEGABYTE:.0f} MB"
            reason = f"It is larger than {limit}; the setting max_file_mb raises that limit."
            self._leave_out(path, info.st_size, "too-large", reason)
        else:
            identity = (info.st_dev, info.st_ino) if info.st_nlink > 1 and info.st_ino else None
            self.result.files[path] = FoundFile(path, _stamp(info), identity)

    def judge_links(self) -> None:
        """Links are not followed, except to a file of this folder that is not read itself."""
        for path, rules in self._links:
            if reason := self._why_not_followed(path, rules):
                self._leave_out(path, 0, "link", reason)

    def _why_not_followed(self, path: str, rules: Rules) -> str:
        try:
            target = os.path.realpath(path, strict=True)
        except OSError as error:
            leads = "in a circle" if error.errno == errno.ELOOP else "nowhere"
            return f"This link leads {leads}."
        if Path(path).is_relative_to(target):
            return f"This link leads back to {_shown(target)}, which it is in."
        if not Path(target).is_relative_to(self._ground.root):
            return f"This link leads out of the folder. Add {_shown(target)} to have it read."
        if Path(target).is_dir():
            return f"This link leads to the folder {_shown(target)}, which is looked at itself."
        if target in self.result.files or survey(self._ground, target).files:
            return f"This link leads to {_shown(target)}, which is read itself."
        self._take_file(path, Path(path).stat(), rules)
        return ""

    def _leave_out(self, path: str, size: int, code: str, reason: str) -> None:
        self.result.left_out[path] = LeftOut(path, size, code, reason)


class _Entry:
    """A single path, as `os.scandir` would give it."""

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self.path = _join(folder, name)

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self.stat(follow_symlinks=False).st_mode)

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        return stat.S_ISDIR(self.stat(follow_symlinks=follow_symlinks).st_mode)

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        return Path(self.path).stat(follow_symlinks=follow_symlinks)


def _is_link(entry: os.DirEntry[str] | _Entry) -> bool:
    if os.name != "nt" or entry.is_symlink():
        return entry.is_symlink()
    # Junctions of Windows; other reparse points are files that live in a cloud.
    tag = getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0)
    return bool(tag) and tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)


def _drive_of(folder: os.DirEntry[str] | _Entry) -> int:
    return folder.stat(follow_symlinks=False).st_dev


def _join(folder: str, name: str) -> str:
    return f"{folder.rstrip(os.sep)}{os.sep}{name}"


def _stamp(info: os.stat_result) -> FileStamp:
    return FileStamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns)


def _no_reader(path: str) -> str:
    suffix = suffix_of(path.rpartition(os.sep)[2])
    if not suffix:
        return "Its name has no ending that tells what kind of file it is."
    return f"There is no reader for {suffix} files."


def _kind(mode: int) -> str:
    kinds: Iterable[tuple[Callable[[int], bool], str]] = (
        (stat.S_ISFIFO, "pipe"),
        (stat.S_ISSOCK, "socket"),
    )
    return next((name for is_kind, name in kinds if is_kind(mode)), "device")


def _why(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _is_unicode(path: str) -> bool:
    """Names that are no valid text on this system cannot be stored, shown or typed."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _escaped(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _shown(path: str) -> str:
    return path if _is_unicode(path) else _escaped(path)


def stamp_of(path: Path) -> FileStamp:
    """Size and time of a file.

    Raises:
        NotFound: there is no such file.
        Unreadable: the system does not let us look.
    """
    try:
        info = path.stat()
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist any more.") from error
    except OSError as error:
        raise Unreadable(
            f"{path.name} cannot be opened ({error.strerror}). Check its permissions and the drive "
            "it is on."
        ) from error
    return _stamp(info)


def sha256_of(path: Path, on_step: Callable[[], None] = lambda: None) -> str:
    """SHA-256 of a file's bytes, in hexadecimal. Calls `on_step` for every megabyte.

    Raises:
        NotFound, Unreadable: as `stamp_of`.
        FileBusy: another program holds it.
    """
    digest = hashlib.sha256()
    try:
        # A pipe or a kernel log that is named like a document fails at once instead of waiting.
        flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            while block := file.read(_HASH_BLOCK):
                digest.update(block)
                on_step()
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist any more.") from error
    except BlockingIOError as error:
        raise FileBusy(f"{path.name} is in use by another program.") from error
    except OSError as error:
        raise Unreadable(
            f"{path.name} cannot be opened ({error.strerror}). Check its permissions and the drive "
            "it is on."
        ) from error
    return digest.hexdigest()


def device_of(path: Path) -> int | None:
    """Identifier of the file system a path is on; `None` when the path is not reachable."""
    try:
        return path.stat().st_dev
    except (OSError, ValueError):
        return None


def is_empty(folder: Path) -> bool:
    """Whether nothing is in a folder, hidden or not.

    Raises:
        OSError: it cannot be listed.
    """
    return next(folder.iterdir(), None) is None
