"""The step `models` of the build: a file that the program imports."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from release import models, shipped_model
from release.plan import BuildFailed, Plan

from desktop_rag import paths
from desktop_rag.services.models import ModelState
from tests.helpers.model_shelf import BIG, Shelf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Stands in for the models of this computer and the catalog of this checkout."""
    made = Shelf(tmp_path / "here")
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "models").symlink_to(made.shipped)
    monkeypatch.setattr(shipped_model, "ROOT", tmp_path / "checkout")
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(made.models))
    return made


def test_the_file_is_imported_by_the_program(shelf: Shelf, tmp_path: Path) -> None:
    shelf.library().add(shelf.write(shelf.big))
    plan = Plan("1.2.3", dist=tmp_path / "dist")
    models.run(plan)
    receiver = Shelf(tmp_path / "there")
    [model] = receiver.library().import_(plan.out / "desktop-rag-1.2.3.ragmodels").models
    assert (model.id, model.state) == (BIG, ModelState.READY)
    # What a program exports that has the model is the same, but for the version.
    exported = receiver.library().export(tmp_path / "again")
    assert exported.size == (plan.out / "desktop-rag-1.2.3.ragmodels").stat().st_size


def test_without_a_model_there_is_no_file(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan("1.2.3", dist=tmp_path / "dist")
    models.run(plan)
    assert list(plan.out.iterdir()) == []
    assert "no file of models" in capsys.readouterr().out


def test_no_room_is_a_sentence(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.library().add(shelf.write(shelf.big))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    plan = Plan("1.2.3", dist=tmp_path / "dist")
    with pytest.raises(BuildFailed, match="make room"):
        models.run(plan)
    assert list(plan.out.iterdir()) == []
