"""The language model that the "complete" packages bring, recognised by its checksum."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.paths import models_dir
from desktop_rag.storage.model_catalog import CatalogFile, CatalogModel, ModelRole, read_catalog
from release.plan import ROOT, BuildFailed, Plan, digest_of


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A whole model on this computer, as the program's catalog knows it."""

    id: str
    title: str
    licence: str
    files: tuple[tuple[Path, CatalogFile], ...]
    """Where each file lies here, and the name, size and SHA-256 that the program expects."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for _, file in self.files)

    def placed(self, libraries: Path) -> list[tuple[Path, Path]]:
        """From where to where each file is copied, below a program's `_internal`."""
        return [(here, libraries / "models" / self.id / file.name) for here, file in self.files]

    def copy_to(self, libraries: Path) -> None:
        """Lay each file where the program looks for a model that it brings."""
        for here, there in self.placed(libraries):
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, there)


def shipped_model(plan: Plan) -> ShippedModel | None:
    """The model named with `--model`, or the installed default one; `None` when there is none.

    Raises:
        BuildFailed: the named file is missing, damaged, or unknown to the catalog.
    """
    models = [m for m in read_catalog(ROOT / "models" / "catalog.toml") if m.role is ModelRole.LLM]
    if plan.model is not None:
        return _named(plan.model, models)
    default = next(model for model in models if model.is_default)
    files = tuple((models_dir() / file.name, file) for file in default.files)
    if not all(here.is_file() for here, _ in files):
        return None
    for here, file in files:
        if not _is_whole(here, file):
            raise BuildFailed(f"{here} is damaged: run `desktop-rag models install` again.")
    return _shipped(default, files)


def _named(path: Path, models: Sequence[CatalogModel]) -> ShippedModel:
    if not path.is_file():
        raise BuildFailed(f"There is no model {path}: name a GGUF file with `--model`.")
    for model in models:
        if len(model.files) == 1 and _is_whole(path, model.files[0]):
            return _shipped(model, ((path, model.files[0]),))
    known = ", ".join(file.name for model in models for file in model.files)
    raise BuildFailed(f"{path} is none of the models of the catalog, or damaged. Known: {known}.")


def _shipped(model: CatalogModel, files: tuple[tuple[Path, CatalogFile], ...]) -> ShippedModel:
    return ShippedModel(model.id, model.title, model.licence, files)


def _is_whole(path: Path, file: CatalogFile) -> bool:
    return path.stat().st_size == file.size and digest_of(path) == file.sha256
