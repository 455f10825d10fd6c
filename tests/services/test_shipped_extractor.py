"""The model that marks exact words comes with the program, and may be missing or damaged."""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import ModelDamaged
from desktop_rag.services.models import ModelLibrary, ModelState
from desktop_rag.storage.model_catalog import ModelRole, read_catalog
from tests.helpers.tiny_onnx import write_extractor

SCRIPT = paths.shipped("models", "build", "list_in_catalog.py")
NAME = "minilm-l12-squad-int8"


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A folder like `models`, without weights."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    shutil.copyfile(paths.shipped("models", "catalog.toml"), folder / "catalog.toml")
    return folder


def library(shipped: Path) -> ModelLibrary:
    return ModelLibrary(shipped.parent / "own", shipped, lambda _: None)


def listed(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """What somebody does who has made another model; the exit code."""
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), NAME, "--models", str(shipped)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return int(str(ended.value.code))


def test_a_model_that_is_not_there_is_listed_as_missing(shipped: Path) -> None:
    models = library(shipped)
    assert models.entry(NAME).state is ModelState.MISSING
    assert models.entry(NAME).role is ModelRole.EXTRACTOR
    assert models.extractor_dir() is None


def test_a_model_that_was_listed_is_part_of_the_program(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_extractor(shipped / NAME)
    assert listed(shipped, monkeypatch) == 0
    models = library(shipped)
    status = models.entry(NAME)
    assert (status.state, status.is_shipped, status.is_default) == (ModelState.READY, True, True)
    assert models.verify(NAME)[0].state is ModelState.READY
    assert models.extractor_dir() == shipped / NAME
    rest = [one for one in read_catalog(shipped / "catalog.toml") if one.id != NAME]
    assert rest == [
        one for one in read_catalog(paths.shipped("models/catalog.toml")) if one.id != NAME
    ]


def test_a_damaged_model_is_mended_by_a_whole_copy(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(write_extractor(shipped / NAME), shipped.parent / "copy")
    listed(shipped, monkeypatch)
    shutil.rmtree(shipped / NAME)
    models = library(shipped)
    added = models.add(copy)
    assert (added.id, added.state) == (NAME, ModelState.READY)
    assert models.extractor_dir() == shipped.parent / "own" / NAME
    (copy / "model.onnx").write_bytes(b"other")
    with pytest.raises(ModelDamaged):
        models.add(copy)


def test_nothing_is_listed_without_weights(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listed(shipped, monkeypatch) == 1
    assert "There is no" in capsys.readouterr().out
