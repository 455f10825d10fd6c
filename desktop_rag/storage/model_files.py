"""Model files on disk: written under a temporary name, hashed as they pass, moved into place last.

Beside every installed file lies a *note* (`FILE.json`) with its size, time and SHA-256, so that a
list of models costs no hashing. A file whose size or time no longer match its note is not ready.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from desktop_rag import paths
from desktop_rag.domain.errors import Cancelled, DiskFull, ModelDamaged, UserError
from desktop_rag.storage.flushing import sync_folder

IsCancelled = Callable[[], bool]
OnBytes = Callable[[int], None]
"""Called with the number of bytes that are done so far."""

_BLOCK = 1 << 20
_CHECKPOINT_EVERY = 32 << 20
_OTHER_DISK = {errno.EFBIG, errno.EIO, errno.ENOTDIR, errno.EEXIST, errno.ENODEV, errno.ENXIO}
"""The file is too large for FAT32, the disk is broken or gone, or it is no folder at all."""
_SPARE_ROOM = 64 << 20


@dataclass(frozen=True, slots=True)
class Note:
    """What was true of a file when it was last checked."""

    size: int
    mtime_ns: int
    sha256: str


def note_path(file: Path) -> Path:
    """Where the note of a file lies."""
    return file.with_name(file.name + ".json")


def read_note(file: Path) -> Note | None:
    """The note of a file; `None` when there is none that makes sense."""
    data = read_json(note_path(file))
    try:
        return Note(int(data["size"]), int(data["mtime_ns"]), str(data["sha256"]))
    except (ValueError, KeyError, TypeError, OverflowError):
        return None


def write_note(file: Path, sha256: str) -> Note:
    """Record that this file, as it is now, has this checksum."""
    stat = file.stat()
    note = Note(stat.st_size, stat.st_mtime_ns, sha256)
    write_json(note_path(file), asdict(note))
    return note


def mark_damaged(file: Path, sha256: str) -> None:
    """Record that this file is not the one with this checksum; its note never matches it."""
    write_json(note_path(file), asdict(Note(file.stat().st_size, -1, sha256)))


def is_unchanged(file: Path, note: Note) -> bool:
    """Whether size and time are still those of the note."""
    try:
        stat = file.stat()
    except OSError:
        return False
    return (stat.st_size, stat.st_mtime_ns) == (note.size, note.mtime_ns)


def read_json(path: Path) -> Any:
    """What stands in a small JSON file, which anybody may have written; `None` for nothing."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def write_json(path: Path, value: object) -> None:
    """Replace a small JSON file in one step: a crash leaves the old one or the new one."""
    paths.make_private(path.parent)
    temporary = path.with_name(path.name + ".tmp")
    with disk_errors(path.parent), temporary.open("w", encoding="utf-8") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def read_blocks(path: Path, is_cancelled: IsCancelled) -> Iterator[bytes]:
    """A file block by block.

    Raises:
        Cancelled: between two blocks.
    """
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            if is_cancelled():
                raise Cancelled(f"Stopped while reading {path.name}.")
            yield block


def hash_file(path: Path, on_bytes: OnBytes, is_cancelled: IsCancelled) -> str:
    """SHA-256 of a file in hexadecimal."""
    digest, done = hashlib.sha256(), 0
    for block in read_blocks(path, is_cancelled):
        digest.update(block)
        done += len(block)
        on_bytes(done)
    return digest.hexdigest()


def check_room(folder: Path, size: int) -> None:
    """Make sure that `size` more bytes fit into `folder`, which need not exist yet.

    Raises:
        DiskFull: with both figures and the place.
    """
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    if free < size + _SPARE_ROOM:
        raise DiskFull(
            f"The model needs {in_words(size)} in {folder} and {in_words(free)} are free: "
            "make room, or set DESKTOP_RAG_MODELS_DIR to a folder on another disk."
        )


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn the operating system's refusals to write into sentences."""
    try:
        yield
    except OSError as exc:
        if exc.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull(
                f"The disk of {folder} is full: make room and try again, "
                "it goes on where it stopped."
            ) from exc
        if exc.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            raise UserError(
                f"{folder} cannot be written to ({exc.strerror}): allow it, or set "
                "DESKTOP_RAG_MODELS_DIR to a folder of yours."
            ) from exc
        if exc.errno in _OTHER_DISK:
            raise UserError(
                f"Models cannot be kept in {folder} ({exc.strerror}): set DESKTOP_RAG_MODELS_DIR "
                "to a folder on another disk."
            ) from exc
        raise


def in_words(size: int) -> str:
    """A number of bytes for a person, e.g. `1.1 GB`."""
    if size < 1_000_000_000:
        return f"{size / 1_000_000:.0f} MB"
    return f"{size / 1_000_000_000:.1f} GB"


class PartialFile:
    """A model file on its way into its place, resumable after a crash.

    Bytes are appended to `FILE.partial` and hashed as they pass. A *checkpoint* records how many of
    them are safely on disk and what the source needs to go on; opening the file again cuts it back
    to the last checkpoint. Use as a context manager; leaving it keeps what has arrived.
    """

    def __init__(self, target: Path, on_bytes: OnBytes, is_cancelled: IsCancelled) -> None:
        self.target = target
        self.path = target.with_name(target.name + ".partial")
        self._state_path = self.path.with_name(self.path.name + ".json")
        self._on_bytes = on_bytes
        self._is_cancelled = is_cancelled
        self._digest = hashlib.sha256()
        self.position = 0
        """Bytes appended so far."""
        self.marker: dict[str, str] = {}
        """What the source recorded with the last checkpoint."""
        self._saved = 0

    def __enter__(self) -> Self:
        with disk_errors(self.target.parent):
            paths.make_private(self.target.parent)
            self._file = self.path.open("r+b" if self.path.exists() else "w+b")
        try:
            self._recover()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        if not self._file.closed:
            with contextlib.suppress(OSError):  # a full disk must not hide the first error
                self._file.close()

    def restart(self) -> None:
        """Throw away everything that has arrived."""
        self._file.seek(0)
        self._file.truncate()
        self._digest = hashlib.sha256()
        self.position = self._saved = 0
        self.marker = {}
        self._state_path.unlink(missing_ok=True)

    def append(self, data: bytes) -> None:
        """Write and hash more bytes.

        Raises:
            Cancelled, DiskFull: what arrived before stays for the next try.
        """
        if self._is_cancelled():
            raise Cancelled(f"Stopped; {in_words(self._saved)} of {self.target.name} are kept.")
        with disk_errors(self.target.parent):
            self._file.write(data)
        self._digest.update(data)
        self.position += len(data)
        self._on_bytes(self.position)

    def is_checkpoint_due(self) -> bool:
        """Whether enough has arrived since the last checkpoint to make another."""
        return self.position - self._saved >= _CHECKPOINT_EVERY

    def checkpoint(self, marker: dict[str, str]) -> None:
        """Make everything so far survive a crash, with the source's own marker."""
        with disk_errors(self.target.parent):
            self._file.flush()
            os.fsync(self._file.fileno())
        self.marker = marker
        self._saved = self.position
        write_json(self._state_path, {"bytes": self.position, "marker": marker})

    def finish(self, size: int, sha256: str) -> Note:
        """Check the whole, move it into place and write its note. An empty `sha256` accepts any.

        Raises:
            ModelDamaged: size or checksum are wrong; what arrived is deleted.
        """
        found = self._digest.hexdigest()
        if self.position != size or (sha256 and found != sha256):
            self.discard()
            raise ModelDamaged(
                f"{self.target.name} arrived damaged (its checksum is wrong) and was deleted: "
                "try again, or take the file from another place."
            )
        with disk_errors(self.target.parent):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self.path.replace(self.target)
        sync_folder(self.target.parent)
        self._state_path.unlink(missing_ok=True)
        return write_note(self.target, found)

    @property
    def sha256(self) -> str:
        """Checksum of what has arrived so far."""
        return self._digest.hexdigest()

    def discard(self) -> None:
        """Delete what has arrived."""
        self._file.close()
        self.path.unlink(missing_ok=True)
        self._state_path.unlink(missing_ok=True)

    def _recover(self) -> None:
        saved, marker = _read_state(self._state_path)
        if saved > self.path.stat().st_size:
            saved, marker = 0, {}
        self._file.truncate(saved)
        self._file.seek(0)
        while block := self._file.read(_BLOCK):
            if self._is_cancelled():
                raise Cancelled(f"Stopped; {in_words(saved)} of {self.target.name} are kept.")
            self._digest.update(block)
        self.position = self._saved = saved
        self.marker = marker


def partial_size(target: Path) -> int:
    """Bytes of a download of this file that was interrupted; 0 when there is none."""
    state = target.with_name(target.name + ".partial.json")
    return _read_state(state)[0]


def remove_partial(target: Path) -> None:
    """Delete what is left of a download of this file."""
    for name in (f"{target.name}.partial", f"{target.name}.partial.json"):
        target.with_name(name).unlink(missing_ok=True)


def remove_file(target: Path) -> bool:
    """Delete a model file with its note and what is left of a download; false if none was there."""
    names = [target.name, f"{target.name}.json", f"{target.name}.partial"]
    names.append(f"{target.name}.partial.json")
    found = [path for name in names if (path := target.with_name(name)).exists()]
    with disk_errors(target.parent):
        for path in found:
            path.unlink()
    return bool(found)


def _read_state(path: Path) -> tuple[int, dict[str, str]]:
    data = read_json(path)
    try:
        return int(data["bytes"]), {str(k): str(v) for k, v in data["marker"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return 0, {}
