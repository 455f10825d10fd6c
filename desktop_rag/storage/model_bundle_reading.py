"""Opens a file of models: everything that can be known without reading it whole is checked first.

The file may lie on a stick that is pulled out, or be cut off, or be made by somebody who means
harm. Nothing is written here.
"""

from __future__ import annotations

import contextlib
import errno
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from desktop_rag.domain.errors import Cancelled, InvalidInput, ModelDamaged, NotFound, UserError
from desktop_rag.paths import BUNDLE_SUFFIX
from desktop_rag.storage.model_bundle import (
    BLOCK,
    MANIFEST,
    MOST_OF_A_MANIFEST,
    BundledFile,
    BundledModel,
    Manifest,
    damaged,
    not_models,
    padded,
    read_manifest,
    whole_size,
)
from desktop_rag.storage.model_files import IsCancelled, in_words

_READ = 1 << 20


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file of models that is as long as it says and holds what it says, as far as headers go."""

    path: Path
    manifest: Manifest
    places: dict[tuple[str, str], int]
    """Where the bytes of a file begin, by model and name."""

    def blocks(
        self, model: BundledModel, file: BundledFile, is_cancelled: IsCancelled
    ) -> Iterator[bytes]:
        """The bytes of one file. Their checksum is not looked at here.

        Raises:
            Cancelled: between two blocks.
            ModelDamaged, UserError: the file ends early now, or cannot be read any more.
        """
        left = file.size
        with reading(self.path), self.path.open("rb") as source:
            source.seek(self.places[model.id, file.name])
            while left:
                if is_cancelled():
                    raise Cancelled(f"Stopped while reading {self.path.name}.")
                block = source.read(min(_READ, left))
                if not block:
                    raise damaged(self.path, "it has become shorter")
                left -= len(block)
                yield block


def open_bundle(path: Path, program: str) -> Bundle:
    """Look at a file of models: its list, its length, and the header of every file in it.

    Args:
        path: the file.
        program: the version that reads, for the sentence about a newer one.

    Raises:
        NotFound, InvalidInput: there is no such file, it holds no models, or is of a newer program.
        ModelDamaged: it is cut off or damaged.
        UserError: it cannot be read.
    """
    with reading(path):
        if not path.exists():
            raise NotFound(f"{path} does not exist.")
        if not path.is_file():
            raise InvalidInput(f"{path} is no file: name a {BUNDLE_SUFFIX} file.")
    with reading(path), path.open("rb") as file:
        manifest = _manifest(file, path, program)
        _check_length(path, manifest)
        return Bundle(path, manifest, _places(file, path, manifest))


def is_bundle(path: Path) -> bool:
    """Whether a file was begun as a file of models, whole or not."""
    try:
        with path.open("rb") as file:
            return _size_of_member(file, MANIFEST) is not None
    except OSError:
        return False


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals to read into sentences."""
    try:
        yield
    except OSError as exc:
        if exc.errno in {errno.EACCES, errno.EPERM}:
            raise UserError(f"{path} may not be read by you: ask whoever owns it.") from exc
        raise UserError(
            f"{path} cannot be read ({exc.strerror or exc}): is the stick still in? Nothing was "
            "imported."
        ) from exc


def _manifest(file: BinaryIO, path: Path, program: str) -> Manifest:
    size = _size_of_member(file, MANIFEST)
    if size is None:
        raise not_models(path)
    if not 0 < size <= MOST_OF_A_MANIFEST:
        raise damaged(path, "its list of models is too long")
    data = file.read(padded(size))
    if len(data) != padded(size):
        raise ModelDamaged(
            f"{path} ends in the middle of its list of models: copy it to this computer or the "
            "stick again. Nothing was imported."
        )
    return read_manifest(data[:size], path, program)


def _check_length(path: Path, manifest: Manifest) -> None:
    there, needed = path.stat().st_size, whole_size(manifest)
    if there < needed:
        raise ModelDamaged(
            f"{path} ends after {in_words(there)} of {in_words(needed)} ({needed - there:,} bytes "
            "are missing): copy it to this computer or the stick again. Nothing was imported."
        )
    if there > needed:
        raise damaged(path, "something follows its end")


def _places(file: BinaryIO, path: Path, manifest: Manifest) -> dict[tuple[str, str], int]:
    """Where every file begins; each must stand exactly where the manifest says."""
    places: dict[tuple[str, str], int] = {}
    for name, model, one in manifest.members():
        if _size_of_member(file, name) != one.size:
            raise damaged(path, f"what stands in the place of {name} is something else")
        places[model.id, one.name] = file.tell()
        file.seek(padded(one.size), 1)
    return places


def _size_of_member(file: BinaryIO, name: str) -> int | None:
    """Read a header; the size it tells, `None` when it is not that of a plain file of this name."""
    try:
        info = tarfile.TarInfo.frombuf(file.read(BLOCK), "utf-8", "strict")
    except (tarfile.HeaderError, ValueError):
        return None
    is_plain = info.type == tarfile.REGTYPE and not info.linkname
    return info.size if is_plain and info.name == name else None
