"""Writes models of this computer into one file, for a computer without a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag import __version__
from desktop_rag.domain.errors import InvalidInput, ModelDamaged, ModelMissing
from desktop_rag.paths import BUNDLE_SUFFIX, home_expanded
from desktop_rag.services.model_shelf import ModelShelf, ModelState, ModelStatus
from desktop_rag.services.model_workplace import Workplace, tidy
from desktop_rag.storage.model_bundle import (
    LONGEST_ID,
    LONGEST_TEXT,
    BundledFile,
    BundledModel,
    Manifest,
    makes_sense,
    whole_size,
)
from desktop_rag.storage.model_bundle_writing import check_place, write_bundle
from desktop_rag.storage.model_catalog import ModelRole
from desktop_rag.storage.model_files import IsCancelled, hash_file, read_note
from desktop_rag.storage.onnx_folders import DESCRIPTIONS, read_kept

_EXPORTED = (ModelRole.LLM, ModelRole.EMBEDDER, ModelRole.RERANKER)


@dataclass(frozen=True, slots=True)
class Exported:
    """A file of models that was written. `size` is in bytes."""

    path: Path
    size: int
    models: tuple[ModelStatus, ...]


@dataclass(frozen=True, slots=True)
class _Packed:
    """A model as it is told to others, with where its files lie here."""

    model: BundledModel
    paths: tuple[Path, ...]


class ModelExporter:
    """Reads the shelf; never writes to it, so that it may be on a disk that cannot be written."""

    def __init__(self, shelf: ModelShelf, place: Workplace) -> None:
        self._shelf = shelf
        self._place = place

    def export(self, path: Path, ids: Sequence[str], is_cancelled: IsCancelled) -> Exported:
        """Write models into a file; what is checked is checked before anything is written.

        Args:
            path: the file; gets the ending `.ragmodels` if it has another.
            ids: which models; none: the language model in use, and added search models.
            is_cancelled: asked between blocks.

        Raises:
            NotFound, ModelMissing, ModelDamaged, InvalidInput: a model or the place will not do.
            DiskFull, UserError, Cancelled: nothing is left of the file.
        """
        path = _named(home_expanded(path))
        statuses = self._named_models(ids) if ids else self._usual_models()
        packed = [self._packed(status) for status in statuses]
        manifest = _manifest(packed)
        origins = {
            (one.model.id, file.name): origin
            for one in packed
            for file, origin in zip(one.model.files, one.paths, strict=True)
        }
        size = whole_size(manifest)
        check_place(path, size)
        total = sum(model.size for model in manifest.models)
        report = self._place.reporter(path.name, total, "exporting")
        write_bundle(path, manifest, origins, report, is_cancelled)
        return Exported(path, size, tuple(statuses))

    def _named_models(self, ids: Sequence[str]) -> list[ModelStatus]:
        statuses = [self._shelf.entry(model_id) for model_id in dict.fromkeys(ids)]
        for status in statuses:
            if status.role not in _EXPORTED or (
                status.is_shipped and status.role is not ModelRole.LLM
            ):
                raise InvalidInput(
                    f"{status.id} is part of every Desktop RAG and need not be exported."
                )
            if status.state is ModelState.DAMAGED:
                raise ModelDamaged(
                    f"{status.id} on this computer is damaged: install or add it again first.",
                    model=status.id,
                )
            if status.state is not ModelState.READY:
                raise ModelMissing(
                    f"{status.id} is not installed here, so it cannot be exported: install it "
                    "first.",
                    model=status.id,
                )
        return statuses

    def _usual_models(self) -> list[ModelStatus]:
        """The language model in use, and every search model the person added."""
        ready = [one for one in self._shelf.entries() if one.state is ModelState.READY]
        chosen = self._shelf.chosen_llm()
        llms = [one for one in ready if one.role is ModelRole.LLM]
        llms.sort(key=lambda one: (one.id != chosen, not one.is_default, -one.size))
        own = (ModelRole.EMBEDDER, ModelRole.RERANKER)
        found = llms[:1] + [one for one in ready if one.role in own and not one.is_shipped]
        if not found:
            raise ModelMissing(
                "No language model is installed here, so there is nothing to export: install one "
                "first."
            )
        return found

    def _packed(self, status: ModelStatus) -> _Packed:
        for model in self._shelf.catalog:
            if model.id == status.id:
                files = tuple(BundledFile(f.name, f.size, f.sha256) for f in model.files)
                paths = self._shelf.shipped_paths if status.is_shipped else self._shelf.targets
                return _Packed(_told(status, status.id, files), tuple(paths(model)))
        model_id = _id_for(status.id)
        if status.role is ModelRole.LLM:
            return self._packed_llm(status, model_id)
        return _packed_folder(status, model_id)

    def _packed_llm(self, status: ModelStatus, model_id: str) -> _Packed:
        path = self._shelf.folder / f"{status.id}.gguf"
        note = read_note(path)
        if note is None:
            raise ModelDamaged(f"{status.id} was not checked yet: run its check first.")
        file = BundledFile(f"{model_id}.gguf", note.size, note.sha256)
        return _Packed(_told(status, model_id, (file,)), (path,))


def _packed_folder(status: ModelStatus, model_id: str) -> _Packed:
    """A search model that was added: its files, and the description of how it is used."""
    kept = read_kept(status.path) if status.path is not None else None
    if kept is None or status.path is None:
        raise ModelDamaged(f"{status.id} on this computer is damaged: add it again first.")
    files = [BundledFile(name, size, sha256) for name, (size, sha256) in kept.files.items()]
    description = status.path / DESCRIPTIONS[kept.role]
    sha256 = hash_file(description, lambda _: None, lambda: False)
    files.append(BundledFile(description.name, description.stat().st_size, sha256))
    paths = tuple(status.path / file.name for file in files)
    return _Packed(_told(status, model_id, tuple(files)), paths)


def _told(status: ModelStatus, model_id: str, files: tuple[BundledFile, ...]) -> BundledModel:
    title, licence = status.title[:LONGEST_TEXT], status.licence[:LONGEST_TEXT]
    return BundledModel(model_id, status.role.value, title, licence, files)


def _id_for(name: str) -> str:
    """What a model that nobody knows is called on every computer."""
    plain = tidy(name).removeprefix("adding-").lstrip("._-")
    return plain[:LONGEST_ID].rstrip("._-") or "model"


def _manifest(packed: Sequence[_Packed]) -> Manifest:
    manifest = Manifest(__version__, tuple(one.model for one in packed))
    if not makes_sense(manifest):
        raise InvalidInput(
            "These models cannot stand in one file: two would have the same name, or one has an "
            "empty file. Export them one by one, or add them again under other names."
        )
    return manifest


def _named(path: Path) -> Path:
    if not path.name:
        raise InvalidInput(f"{path} is a folder: name a file in it.")
    return (
        path if path.suffix.lower() == BUNDLE_SUFFIX else path.with_name(path.name + BUNDLE_SUFFIX)
    )
