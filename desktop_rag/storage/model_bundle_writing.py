"""Writes a file of models: under a hidden name beside its place, moved into it when it is whole."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import psutil

from desktop_rag.domain.errors import DiskFull, InvalidInput, ModelDamaged, NotFound, UserError
from desktop_rag.storage.flushing import sync_folder
from desktop_rag.storage.model_bundle import (
    MANIFEST,
    TRAILER,
    BundledFile,
    Manifest,
    header,
    padded,
    whole_size,
    written_manifest,
)
from desktop_rag.storage.model_bundle_reading import is_bundle
from desktop_rag.storage.model_files import IsCancelled, OnBytes, in_words, read_blocks

_FLUSH_EVERY = 32 << 20
"""A stick is far slower than memory: without this, all would be "written" at once and the end,
which nobody can stop, take minutes."""
_MOST_ON_FAT = (4 << 30) - 1
_FAT = frozenset({"vfat", "fat", "fat32", "msdos", "fat16"})

Origins = Mapping[tuple[str, str], Path]
"""Where the files of models lie, by model and name."""


def check_place(path: Path, size: int) -> None:
    """Make sure that a file of models of this size can be written to `path`.

    Raises:
        NotFound, InvalidInput: no such folder, something else has that name, or the file system
            holds no file of this size.
        DiskFull: with both figures.
    """
    with _writing(path, size):
        _check_name(path)
        if size > _MOST_ON_FAT and _file_system(path.parent) in _FAT:
            raise _too_large(path, size)
        free = shutil.disk_usage(path.parent).free
    if free < size:
        raise DiskFull(
            f"The models take {in_words(size)} and {in_words(free)} are free in {path.parent}: "
            "make room there, choose another disk, or fewer models.",
            place=str(path.parent),
        )


def _check_name(path: Path) -> None:
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.")
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder: name a file in it.")
    if path.exists() and not is_bundle(path):
        raise InvalidInput(
            f"{path} is there already and holds something else than models: choose another name."
        )


def write_bundle(
    path: Path, manifest: Manifest, origins: Origins, on_bytes: OnBytes, is_cancelled: IsCancelled
) -> None:
    """Write all files behind each other; what stood at `path` stays until the new one is whole.

    Raises:
        ModelDamaged: a model is not what its checksum says.
        Cancelled, DiskFull, InvalidInput, UserError: nothing of it is left.
    """
    hidden = path.with_name(f".{path.name}.{os.getpid()}.part")
    _remove_left_over(path)
    try:
        with _writing(path, whole_size(manifest)):
            with hidden.open("wb") as target:
                _fill(target, manifest, origins, on_bytes, is_cancelled)
            hidden.replace(path)
        with contextlib.suppress(OSError):  # not every file system has such a thing
            sync_folder(path.parent)
    finally:
        with contextlib.suppress(OSError):
            hidden.unlink(missing_ok=True)


def _fill(
    target: BinaryIO,
    manifest: Manifest,
    origins: Origins,
    on_bytes: OnBytes,
    is_cancelled: IsCancelled,
) -> None:
    told, done = written_manifest(manifest), 0
    target.write(header(MANIFEST, len(told)) + _padding(told))
    for name, model, file in manifest.members():
        target.write(header(name, file.size))
        start = done
        for block in _whole(origins[model.id, file.name], model.id, file, is_cancelled):
            target.write(block)
            done += len(block)
            if done // _FLUSH_EVERY != (done - len(block)) // _FLUSH_EVERY:
                _flush(target)
            on_bytes(done)
        target.write(bytes(padded(done - start) - (done - start)))
    target.write(bytes(TRAILER))
    _flush(target)


def _whole(
    origin: Path, model_id: str, file: BundledFile, is_cancelled: IsCancelled
) -> Iterator[bytes]:
    """A model's file block by block; its checksum is right when it ends."""
    digest, size = hashlib.sha256(), 0
    try:
        for block in read_blocks(origin, is_cancelled):
            digest.update(block)
            size += len(block)
            yield block
    except FileNotFoundError as exc:
        raise NotFound(f"{model_id} was removed meanwhile, so nothing was written.") from exc
    except OSError as exc:
        raise UserError(
            f"{origin} cannot be read ({exc.strerror or exc}), so nothing was written: install "
            f"{model_id} again."
        ) from exc
    if (size, digest.hexdigest()) != (file.size, file.sha256):
        raise ModelDamaged(
            f"{model_id} on this computer is damaged, so nothing was written: install it again.",
            model=model_id,
        )


@contextlib.contextmanager
def _writing(path: Path, size: int) -> Iterator[None]:
    """Turn the operating system's refusals to write into sentences."""
    try:
        yield
    except OSError as exc:
        if exc.errno == errno.EFBIG:
            raise _too_large(path, size) from exc
        if exc.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull(
                f"There was no room for {in_words(size)} in {path.parent}, so nothing was "
                "written: make room there, choose another disk, or fewer models.",
                place=str(path.parent),
            ) from exc
        if exc.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            raise UserError(
                f"{path.parent} cannot be written to ({exc.strerror}): choose another folder."
            ) from exc
        raise UserError(
            f"{path} could not be written ({exc.strerror or exc}): is the stick still in? Try "
            "again."
        ) from exc


def _too_large(path: Path, size: int) -> InvalidInput:
    return InvalidInput(
        f"The disk of {path.parent} holds no file of {in_words(size)} (FAT32 ends at 4 GB): choose "
        "fewer models, or a disk formatted as exFAT or NTFS."
    )


def _file_system(folder: Path) -> str:
    """What the disk of a folder is formatted as, in small letters; empty when nobody tells."""
    place = folder.resolve()
    with contextlib.suppress(OSError, psutil.Error):
        mounts = {Path(one.mountpoint): one.fstype for one in psutil.disk_partitions(all=True)}
        for one in (place, *place.parents):
            if one in mounts:
                return mounts[one].lower()
    return ""


def _remove_left_over(path: Path) -> None:
    """Delete what a program that was killed had begun beside `path`."""
    for left in path.parent.glob(f".{_literal(path.name)}.*.part"):
        found = re.search(r"\.(\d+)\.part$", left.name)
        if found and not psutil.pid_exists(int(found[1])):
            with contextlib.suppress(OSError):
                left.unlink()


def _literal(name: str) -> str:
    """A name for `glob`, whatever it holds."""
    return re.sub(r"([*?[])", r"[\1]", name)


def _padding(data: bytes) -> bytes:
    return data.ljust(padded(len(data)), b"\0")


def _flush(target: BinaryIO) -> None:
    target.flush()
    os.fsync(target.fileno())
