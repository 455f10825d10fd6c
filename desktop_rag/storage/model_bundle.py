"""The list at the head of a file that carries models from one computer to another (`*.ragmodels`).

Such a file is an uncompressed tar archive: `manifest.json` first, then the files of the models in
the order of the manifest, nothing else. All that depends on who made it, where and when is left
out, so that the same models always make the same file. A tar is used for its 40 years of readers;
this program reads and writes exactly this layout and no other, because a general reader would have
to be afraid of links, of names that climb out of a folder, and of much more.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from desktop_rag.domain.errors import InvalidInput, ModelDamaged
from desktop_rag.paths import BUNDLE_SUFFIX

MANIFEST = "manifest.json"
BLOCK = tarfile.BLOCKSIZE
TRAILER = 2 * BLOCK
"""Zeros at the end of every tar archive."""
MOST_OF_A_MANIFEST = 1 << 20

_KIND, _FORMAT = "desktop-rag-models", 1
_LONGEST_NAME = 100  # of a tar header without extensions
_ID = re.compile(r"(?!adding-)[a-z0-9][a-z0-9._-]*")
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_MODELS, _MOST_FILES, _MOST_BYTES = 100, 20, 1 << 42
LONGEST_ID, LONGEST_TEXT = 150, 300
_ROLES = ("llm", "embedder", "reranker")


@dataclass(frozen=True, slots=True)
class BundledFile:
    """One file of a model. `size` is in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A model as its sender had it."""

    id: str
    role: str
    title: str
    licence: str
    files: tuple[BundledFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a file of models holds. `program` is the version that wrote it."""

    program: str
    models: tuple[BundledModel, ...]

    def members(self) -> Iterator[tuple[str, BundledModel, BundledFile]]:
        """All files in the order they stand in, with the names they have in the archive."""
        for number, model in enumerate(self.models, 1):
            for file in model.files:
                name = f"{model.id}/{file.name}"
                is_short = len(name) <= _LONGEST_NAME
                yield (name if is_short else f"{number}/{file.name[-90:]}"), model, file


def header(name: str, size: int) -> bytes:
    """The 512 bytes before a member."""
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)


def padded(size: int) -> int:
    """What a member takes without its header: whole blocks."""
    return -(-size // BLOCK) * BLOCK


def whole_size(manifest: Manifest) -> int:
    """Bytes of the whole archive."""
    begin = BLOCK + padded(len(written_manifest(manifest)))
    return begin + sum(BLOCK + padded(file.size) for *_, file in manifest.members()) + TRAILER


def written_manifest(manifest: Manifest) -> bytes:
    """The manifest as it stands in the archive."""
    told: dict[str, Any] = {"kind": _KIND, "format": _FORMAT, **asdict(manifest)}
    told["sha256"] = _checksum(told)
    return json.dumps(told, indent=1).encode("ascii")


def read_manifest(data: bytes, path: Path, program: str) -> Manifest:
    """Read what `written_manifest` wrote.

    Args:
        data: the member of the archive.
        path: of the archive, for the sentences.
        program: the version that reads.

    Raises:
        InvalidInput: it is of another kind, or written by a newer program.
        ModelDamaged: it is not as it was written, or names what no model is made of.
    """
    told = _decoded(data, path)
    if told.get("kind") != _KIND:
        raise not_models(path)
    if told.get("format") != _FORMAT:
        writer = str(told.get("program", ""))[:20]
        raise InvalidInput(
            f"{path} was written by a newer Desktop RAG ({writer}) in a form that this one "
            f"({program}) cannot read: update this one, or export the models with one like it."
        )
    if told.pop("sha256", "") != _checksum(told):
        raise damaged(path, "its list of models is not as it was written")
    try:
        manifest = msgspec.convert(told, Manifest)
    except msgspec.ValidationError as exc:
        raise damaged(path, "its list of models makes no sense") from exc
    if not makes_sense(manifest):
        raise damaged(path, "its list names what no model is made of")
    return manifest


def not_models(path: Path) -> InvalidInput:
    """The error for a file of another kind."""
    return InvalidInput(
        f"{path} holds no models, or its beginning is damaged: name a {BUNDLE_SUFFIX} file that "
        "Desktop RAG has exported."
    )


def damaged(path: Path, reason: str) -> ModelDamaged:
    """The error for a file that is not as it was written. Nothing of it was used."""
    return ModelDamaged(
        f"{path} is damaged ({reason}): copy it to this computer or the stick again. Nothing was "
        "imported."
    )


def _decoded(data: bytes, path: Path) -> dict[str, Any]:
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise damaged(path, "its list of models cannot be read") from exc
    if not isinstance(told, dict):
        raise not_models(path)
    return told


def _checksum(told: dict[str, Any]) -> str:
    canonical = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def makes_sense(manifest: Manifest) -> bool:
    """Whether every computer would take these models from a file."""
    models = manifest.models
    ids = {model.id for model in models}
    return 0 < len(models) <= _MOST_MODELS and len(ids) == len(models) and all(map(_is_one, models))


def _is_one(model: BundledModel) -> bool:
    """Whether a model could be one: every name is a plain one, every number is sound."""
    names = {file.name.lower() for file in model.files}
    if not _ID.fullmatch(model.id) or len(model.id) > LONGEST_ID or model.role not in _ROLES:
        return False
    if max(len(model.title), len(model.licence)) > LONGEST_TEXT:
        return False
    if not 0 < len(model.files) <= _MOST_FILES or len(names) != len(model.files):
        return False
    if model.role == "llm" and (len(names) > 1 or not names.pop().endswith(".gguf")):
        return False
    return all(
        _FILE_NAME.fullmatch(file.name)
        and 0 < file.size < _MOST_BYTES
        and _SHA256.fullmatch(file.sha256)
        for file in model.files
    )
