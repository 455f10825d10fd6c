"""Which models are on this computer, told from names, sizes, times and notes; nothing is hashed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psutil

from desktop_rag.domain.errors import NotFound
from desktop_rag.paths import recogniser_dir
from desktop_rag.services.known_rerankers import needs_trying
from desktop_rag.storage.model_catalog import CatalogFile, CatalogModel, ModelRole, read_catalog
from desktop_rag.storage.model_files import (
    is_unchanged,
    partial_size,
    read_json,
    read_note,
    write_json,
)
from desktop_rag.storage.model_gguf import read_gguf_header
from desktop_rag.storage.onnx_folders import KeptModel, read_kept

PLANNED_CONTEXT = 8192
"""Tokens of context the memory estimate is made for."""

_REPACKED = 0.5
"""Share of the weights that llama.cpp copies, laid out anew for the processor."""
_MARGIN = 256 << 20
"""Bytes for compute buffers and the worker itself.

Measured with 8,192 tokens of context on an AVX2 machine: the 1.5B model (1.12 GB) takes 2.09 GB of
resident memory and this estimate says 2.18; the 0.5B (0.49 GB) takes 0.73 GB, estimated 1.11.
"""


class ModelState(StrEnum):
    """Where a model is on its way to being usable."""

    MISSING = "missing"
    PARTIAL = "partial"
    """A download was interrupted; installing again goes on where it stopped."""
    DAMAGED = "damaged"
    """The file is not the one that was checked; `verify` tells, installing again mends."""
    READY = "ready"


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model as the list shows it. Sizes are in bytes."""

    id: str
    title: str
    role: ModelRole
    licence: str
    size: int
    state: ModelState
    path: Path | None
    """The file (language models) or folder (embedders) when something is there."""
    is_default: bool
    """It is the one of its role that is used when nothing else is asked for."""
    is_shipped: bool
    """Part of the program; cannot be removed."""
    needs_memory: int
    fits_memory: bool
    """Whether it could be loaded into the memory that is free now."""
    arrived: int
    """Bytes of an interrupted download."""
    spare: int = 0
    """Bytes of a copy of a shipped model that the person had installed; it is not needed."""
    elapsed_ms: float = 0.0
    """Of an added embedder for a passage, of a re-ranker for a search, when it was added."""
    download: int = 0
    """Bytes that come over the network for the whole model; more than `size` where it lies among
    other things."""
    notes: str = ""
    """What the catalog says about it, in English."""

    @property
    def to_download(self) -> int:
        """Bytes that are still to come over the network."""
        return max(0, self.download - self.arrived)


def available_memory() -> int:
    """Bytes of memory a new process could take now without swapping."""
    return int(psutil.virtual_memory().available)


def whole_memory() -> int:
    """Bytes of memory this computer has."""
    return int(psutil.virtual_memory().total)


class ModelShelf:
    """The folder of installed models, the folder of shipped ones, and the catalog over both."""

    def __init__(
        self,
        models_dir: Path,
        shipped_dir: Path,
        memory: Callable[[], int] = available_memory,
    ) -> None:
        self.folder = models_dir
        self._shipped = shipped_dir
        self.memory = memory
        self.catalog = read_catalog(shipped_dir / "catalog.toml")

    def entries(self) -> list[ModelStatus]:
        """Everything in the catalog and everything the person added. Cheap: nothing is hashed."""
        default = self._default_id()
        known = [self._catalog_status(model, default) for model in self.catalog]
        own = [self._own_status(path, default) for path in self._own_files()]
        return known + own + [self._kept_status(*one) for one in self._kept()]

    def entry(self, model_id: str) -> ModelStatus:
        """One model by identifier.

        Raises:
            NotFound: with the identifiers there are.
        """
        entries = self.entries()
        for status in entries:
            if status.id == model_id:
                return status
        names = ", ".join(status.id for status in entries)
        raise NotFound(f"There is no model “{model_id}”. Known models: {names}.")

    def _catalog_status(self, model: CatalogModel, default: str) -> ModelStatus:
        targets = self.targets(model)
        kept = self._tried(model)
        state, is_shipped = _state(model.files, targets), False
        if state is ModelState.READY and needs_trying(model) and kept is None:
            state = ModelState.PARTIAL  # ended between the last file and the first use
        is_llm = model.role is ModelRole.LLM
        shipped = self.shipped_paths(model)
        shipped_state = _shipped_state(model.files, shipped)
        spare = sum(path.stat().st_size for path in targets if path.is_file())
        # Of a language model no second copy is kept in use; an embedder is mended by its copy.
        if shipped_state is not ModelState.MISSING and (
            state is ModelState.MISSING or (is_llm and shipped_state is ModelState.READY)
        ):
            targets, state, is_shipped = shipped, shipped_state, True
        is_there = state in {ModelState.READY, ModelState.DAMAGED}
        needs = needs_memory(model.size, model.kv_bytes_per_token) if is_llm else 2 * model.size
        return ModelStatus(
            id=model.id,
            title=model.title,
            role=model.role,
            licence=model.licence,
            size=model.size,
            state=state,
            path=_place(model, targets) if is_there else None,
            is_default=model.id == (default if is_llm else self._used(model.role)),
            is_shipped=is_shipped,
            needs_memory=needs,
            fits_memory=needs <= self.memory(),
            arrived=sum(partial_size(target) for target in targets)
            or (spare if state is ModelState.PARTIAL else 0),
            spare=spare if is_shipped else 0,
            elapsed_ms=kept.elapsed_ms if kept and is_there else 0.0,
            download=model.download if model.sources else 0,
            notes=model.notes,
        )

    def _tried(self, model: CatalogModel) -> KeptModel | None:
        """What was found out about a re-ranker of the catalog on this computer."""
        return read_kept(self.folder / model.id) if needs_trying(model) else None

    def _used(self, role: ModelRole) -> str:
        """The model of a role other than language; without a choice the program's own, if any."""
        own = (model.id for model in self.catalog if model.role is role)
        return self.chosen(role) or (next(own, "") if role is not ModelRole.RERANKER else "")

    def _own_status(self, path: Path, default: str) -> ModelStatus:
        note = read_note(path)
        is_ready = note is not None and is_unchanged(path, note)
        header = read_gguf_header(path) if is_ready else None
        needs = needs_memory(path.stat().st_size, header.kv_bytes_per_token if header else 0)
        return ModelStatus(
            id=path.stem,
            title=(header.name if header else "") or path.stem,
            role=ModelRole.LLM,
            licence=header.licence if header else "",
            size=path.stat().st_size,
            state=ModelState.READY if is_ready else ModelState.DAMAGED,
            path=path,
            is_default=path.stem == default,
            is_shipped=False,
            needs_memory=needs,
            fits_memory=needs <= self.memory(),
            arrived=0,
        )

    def _kept_status(self, folder: Path, model: KeptModel) -> ModelStatus:
        paths = [folder / name for name in model.files]
        size = sum(size for size, _ in model.files.values())
        is_ready = all(map(_is_noted, paths, (sha256 for _, sha256 in model.files.values())))
        return ModelStatus(
            id=folder.name,
            title=folder.name,
            role=ModelRole(model.role),
            licence="",
            size=size,
            state=ModelState.READY if is_ready else ModelState.DAMAGED,
            path=folder,
            is_default=folder.name == self.chosen(ModelRole(model.role)),
            is_shipped=False,
            needs_memory=2 * size,
            fits_memory=2 * size <= self.memory(),
            arrived=0,
            elapsed_ms=model.elapsed_ms,
        )

    def _kept(self) -> list[tuple[Path, KeptModel]]:
        """ONNX models that the person added."""
        known = {model.id for model in self.catalog}
        folders = (one for one in sorted(self.folder.glob("*/")) if one.name not in known)
        found = ((folder, read_kept(folder)) for folder in folders)
        return [(folder, model) for folder, model in found if model is not None]

    def _own_files(self) -> list[Path]:
        """Language models in the folder that the catalog does not know."""
        known = {file.name for model in self.catalog for file in model.files}
        return [path for path in sorted(self.folder.glob("*.gguf")) if path.name not in known]

    def targets(self, model: CatalogModel) -> list[Path]:
        """Where the files of a model lie once it is installed."""
        folder = self.folder if model.role is ModelRole.LLM else self.folder / model.id
        return [folder / file.name for file in model.files]

    def missing(self, model: CatalogModel) -> list[tuple[CatalogFile, Path]]:
        """The files of a model that are not there or not whole, and where they will lie."""
        pairs = zip(model.files, self.targets(model), strict=True)
        return [(file, target) for file, target in pairs if not _is_good(file, target)]

    def shipped_paths(self, model: CatalogModel) -> list[Path]:
        """Where they lie when the program brought them."""
        is_ocr = model.role is ModelRole.OCR
        folder = recogniser_dir() if is_ocr else self._shipped / model.id
        return [folder / file.name for file in model.files]

    def installed_paths(self, status: ModelStatus) -> list[Path]:
        """Where the files of a model lie, also of one the person added."""
        for model in self.catalog:
            if model.id == status.id:
                return self.targets(model)
        if status.role is not ModelRole.LLM and status.path is not None:
            kept = read_kept(status.path)
            return [status.path / name for name in kept.files] if kept else []
        return [self.folder / f"{status.id}.gguf"]

    @property
    def _choice_path(self) -> Path:
        return self.folder / "choice.json"

    def chosen_llm(self) -> str:
        """The language model the person chose, as long as it is there; else empty."""
        chosen = self._choices().get("llm", "")
        if not chosen:
            return ""
        places = (self.folder, self._shipped / chosen)
        return chosen if any((one / f"{chosen}.gguf").exists() for one in places) else ""

    def chosen(self, role: ModelRole) -> str:
        """The embedder or re-ranker the person chose, as long as it is there; else empty."""
        chosen = self._choices().get(role.value, "")
        return chosen if chosen and (self.folder / chosen).is_dir() else ""

    def choose(self, role: ModelRole, model_id: str) -> None:
        """Remember the person's choice; empty for none."""
        write_json(self._choice_path, {**self._choices(), role.value: model_id})

    def _choices(self) -> dict[str, str]:
        """Identifiers by role."""
        told = read_json(self._choice_path)
        items = told.items() if isinstance(told, dict) else ()
        return {str(role): str(model_id) for role, model_id in items}

    def _default_id(self) -> str:
        chosen = self.chosen_llm()
        return chosen or next((model.id for model in self.catalog if model.is_default), "")


def needs_memory(size: int, kv_bytes_per_token: int) -> int:
    """Memory in bytes to load a model of `size` bytes with the planned context."""
    return int(size * (1 + _REPACKED)) + kv_bytes_per_token * PLANNED_CONTEXT + _MARGIN


def _state(files: Sequence[CatalogFile], targets: Sequence[Path]) -> ModelState:
    """State of an installed model by sizes, times and notes."""
    present = [path.is_file() for path in targets]
    if all(present):
        good = all(_is_good(file, path) for file, path in zip(files, targets, strict=True))
        return ModelState.READY if good else ModelState.DAMAGED
    if any(present):
        return ModelState.DAMAGED
    is_begun = any(partial_size(path) for path in targets)
    return ModelState.PARTIAL if is_begun else ModelState.MISSING


def _is_good(file: CatalogFile, path: Path) -> bool:
    return _is_noted(path, file.sha256)


def _is_noted(path: Path, sha256: str) -> bool:
    note = read_note(path)
    return note is not None and note.sha256 == sha256 and is_unchanged(path, note)


def _shipped_state(files: Sequence[CatalogFile], paths: Sequence[Path]) -> ModelState:
    """Shipped files came with the program; their sizes are looked at, `verify` hashes them."""
    if not all(path.is_file() for path in paths):
        return ModelState.MISSING
    same = all(path.stat().st_size == file.size for file, path in zip(files, paths, strict=True))
    return ModelState.READY if same else ModelState.DAMAGED


def _place(model: CatalogModel, targets: Sequence[Path]) -> Path:
    return targets[0] if model.role is ModelRole.LLM else targets[0].parent
