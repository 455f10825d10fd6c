"""ONNX models that people add: kept only when they run, chosen by role, checked and removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.domain.errors import InvalidInput, ModelDamaged, NotFound
from desktop_rag.domain.models_of_text import ModelFacts, ModelHints
from desktop_rag.services.models import ModelLibrary, ModelState
from desktop_rag.storage.model_catalog import ModelRole
from tests.helpers.model_shelf import EMBEDDER, Shelf
from tests.helpers.tiny_onnx import write_embedder, write_reranker


def probed(folder: Path, hints: ModelHints) -> ModelFacts:
    """What a probe would find, without running anything."""
    assert (folder / "model.onnx").is_file()
    role = "reranker" if hints.is_reranker else "embedder"
    return ModelFacts(role, 8, 62, hints.pooling, ("english",), 12.5)


def refused(folder: Path, hints: ModelHints) -> ModelFacts:
    raise ModelDamaged(f"{hints.name} does not run in {folder.name}.")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def library(shelf: Shelf) -> ModelLibrary:
    return ModelLibrary(
        shelf.models, shelf.shipped, shelf.events.append, lambda: shelf.memory, probed
    )


def test_an_embedder_is_added_chosen_checked_and_removed(shelf: Shelf, tmp_path: Path) -> None:
    models = library(shelf)
    shipped = models.embedder_dir()
    added = models.add(write_embedder(tmp_path / "My Model"))
    assert (added.id, added.role, added.state) == (
        "my-model",
        ModelRole.EMBEDDER,
        ModelState.READY,
    )
    assert models.embedder_dir() == shipped
    assert models.set_default("my-model").is_default
    assert library(shelf).embedder_dir() == shelf.models / "my-model"
    assert models.verify("my-model")[0].state is ModelState.READY
    models.set_default(EMBEDDER)
    assert models.embedder_dir() == shipped
    models.set_default("my-model")
    models.remove("my-model")
    assert models.embedder_dir() == shipped
    with pytest.raises(NotFound):
        models.entry("my-model")


def test_a_choice_of_one_role_leaves_the_others(shelf: Shelf, tmp_path: Path) -> None:
    models = library(shelf)
    models.add(write_embedder(tmp_path / "words"))
    models.add(write_reranker(tmp_path / "ranks"))
    assert models.reranker_dir() is None
    models.set_default("words")
    models.set_default("ranks")
    assert models.embedder_dir() == shelf.models / "words"
    assert models.reranker_dir() == shelf.models / "ranks"
    assert models.entry("ranks").elapsed_ms == 12.5


def test_what_does_not_run_leaves_nothing_behind(shelf: Shelf, tmp_path: Path) -> None:
    models = ModelLibrary(
        shelf.models, shelf.shipped, shelf.events.append, lambda: shelf.memory, refused
    )
    with pytest.raises(ModelDamaged, match="words does not run"):
        models.add(write_embedder(tmp_path / "words"))
    assert [one.name for one in shelf.models.glob("*") if one.is_dir()] == []


def test_a_touched_model_is_damaged_and_said_to_be(shelf: Shelf, tmp_path: Path) -> None:
    models = library(shelf)
    models.add(write_embedder(tmp_path / "words"))
    models.set_default("words")
    (shelf.models / "words" / "model.onnx").write_bytes(b"other")
    assert models.entry("words").state is ModelState.DAMAGED
    assert models.verify("words")[0].state is ModelState.DAMAGED
    with pytest.raises(ModelDamaged, match="models remove words"):
        models.embedder_dir()


def test_names_are_not_taken_twice(shelf: Shelf, tmp_path: Path) -> None:
    models = library(shelf)
    models.add(write_embedder(tmp_path / "words"))
    with pytest.raises(InvalidInput, match="models remove words"):
        models.add(tmp_path / "words")
    with pytest.raises(InvalidInput, match=r"model\.onnx is missing"):
        models.add(shelf.root)
