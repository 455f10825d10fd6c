"""Re-rankers of the catalog: how one is recognised, and tried on this computer before it counts.

The catalog knows their files; how long a search takes with one is only known where it runs. So what
is found out stands beside the files, in `reranker.json`, as of a re-ranker that a person adds.
"""

from __future__ import annotations

from pathlib import Path

from desktop_rag.domain.errors import InvalidInput, ModelDamaged
from desktop_rag.domain.models_of_text import ModelHints, Probe
from desktop_rag.storage.model_catalog import CatalogModel, ModelRole
from desktop_rag.storage.model_files import IsCancelled, hash_file
from desktop_rag.storage.onnx_folders import describe


def needs_trying(model: CatalogModel) -> bool:
    """Whether its files alone do not make it ready."""
    return model.role is ModelRole.RERANKER


def require_probe(model: CatalogModel, probe: Probe | None) -> None:
    """Refuse a re-ranker, before anything is fetched, where nobody can run it.

    Raises:
        InvalidInput: with the command that can.
    """
    if needs_trying(model) and probe is None:
        raise InvalidInput(f"Install it with `desktop-rag models install {model.id}`.")


def try_reranker(model: CatalogModel, folder: Path, probe: Probe | None) -> None:
    """Run a re-ranker whose files are all in `folder` and describe it there; others are left alone.

    Raises:
        ModelDamaged: it does not run here; its files stay, and installing again tries again.
    """
    require_probe(model, probe)
    if not needs_trying(model) or probe is None:
        return
    hints = ModelHints(name=model.id, is_reranker=True, max_tokens=model.context)
    facts = probe(folder, hints)
    if facts.role != model.role:
        raise ModelDamaged(f"{model.id} is no {model.role}.", model=model.id)
    describe(folder, hints, facts, {file.name: file.sha256 for file in model.files})


def is_folder_of(model: CatalogModel, folder: Path, is_cancelled: IsCancelled) -> bool:
    """Whether a folder holds all files of a model, by size and then by checksum."""
    places = [folder / file.name for file in model.files]
    pairs = list(zip(places, model.files, strict=True))
    return all(path.is_file() and path.stat().st_size == file.size for path, file in pairs) and all(
        hash_file(path, lambda _: None, is_cancelled) == file.sha256 for path, file in pairs
    )
