"""A language model that the program brings: used, never written beside, never twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.domain.errors import InvalidInput, ModelDamaged, ModelMissing
from desktop_rag.domain.tuning import Tuning
from desktop_rag.paths import DataDir
from desktop_rag.services.erasing import Erasure
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.services.models import ModelState
from desktop_rag.storage.model_speeds import FILE_NAME, ModelSpeeds
from tests.helpers.model_shelf import BIG, SMALL, Shelf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """The big model comes with a program whose folder cannot be written to."""
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    made = Shelf(tmp_path)
    folder = made.ship(BIG, made.big).parent
    before = sorted(made.shipped.rglob("*"))
    folder.chmod(0o500)
    yield made
    folder.chmod(0o700)
    assert sorted(made.shipped.rglob("*")) == before, "something was written beside the program"


def test_it_is_ready_and_answers(shelf: Shelf) -> None:
    status = shelf.library().entry(BIG)
    assert (status.state, status.is_shipped, status.spare) == (ModelState.READY, True, 0)
    assert status.path == shelf.shipped / BIG / f"{BIG}.gguf"
    assert shelf.library().choose_llm().model_file == status.path
    assert shelf.library().verify(BIG)[0].state is ModelState.READY
    assert not shelf.models.exists()


def test_a_small_one_is_used_as_well_when_nothing_else_is_there(shelf: Shelf) -> None:
    shelf.shipped.joinpath(BIG).chmod(0o700)
    shelf.shipped.joinpath(BIG).rename(shelf.shipped / "away")
    shelf.ship(SMALL, shelf.small)
    assert shelf.library().choose_llm().model_id == SMALL
    shelf.library().add(shelf.write(shelf.big))
    assert shelf.library().choose_llm().model_id == BIG
    shelf.library().set_default(SMALL)
    assert shelf.library().choose_llm().model_id == SMALL, "although it comes with the program"
    (shelf.shipped / SMALL / f"{SMALL}.gguf").unlink()  # another package of the program
    assert shelf.library().choose_llm().model_id == BIG
    shelf.shipped.joinpath(SMALL).rmdir()
    shelf.shipped.joinpath("away").rename(shelf.shipped / BIG)


def test_the_persons_choice_comes_first(shelf: Shelf) -> None:
    library = shelf.library()
    library.add(shelf.write(shelf.small))
    library.set_default(SMALL)
    assert library.choose_llm().model_id == SMALL
    library.set_default(BIG)
    assert library.choose_llm().model_id == BIG
    library.set_default(SMALL)
    library.remove(SMALL)
    assert library.choose_llm().model_id == BIG


def test_it_cannot_be_removed(shelf: Shelf) -> None:
    with pytest.raises(InvalidInput, match="goes when the program"):
        shelf.library().remove(BIG)
    assert shelf.library().entry(BIG).state is ModelState.READY


def test_nothing_is_kept_twice(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.library().install(BIG).is_shipped  # without a download
    assert shelf.library().add(shelf.write(shelf.big)).is_shipped
    path = shelf.library().export(tmp_path / "stick").path
    assert [one.id for one in shelf.library().import_(path).skipped] == [BIG]
    assert not list(shelf.models.glob("*.gguf"))
    other = Shelf(tmp_path / "other")
    assert not other.library().import_(path).models[0].is_shipped


def test_a_copy_from_before_can_be_removed(shelf: Shelf, tmp_path: Path) -> None:
    away = shelf.shipped / "away"
    shelf.shipped.joinpath(BIG).rename(away)
    shelf.library().add(shelf.write(shelf.big))
    away.rename(shelf.shipped / BIG)
    status = shelf.library().entry(BIG)
    assert (status.is_shipped, status.spare) == (True, len(shelf.big))
    assert status.path is not None
    assert status.path.parent == shelf.shipped / BIG
    shelf.library().remove(BIG)
    assert not list(shelf.models.glob(f"{BIG}*"))
    assert (shelf.library().entry(BIG).state, shelf.library().entry(BIG).spare) == ("ready", 0)
    with pytest.raises(InvalidInput):
        shelf.library().remove(BIG)


def test_deleting_everything_deletes_copies_only(shelf: Shelf, tmp_path: Path) -> None:
    away = shelf.shipped / "away"
    shelf.shipped.joinpath(BIG).rename(away)
    shelf.library().add(shelf.write(shelf.big))
    away.rename(shelf.shipped / BIG)
    (tmp_path / "data").mkdir()
    erasure = Erasure(DataDir(tmp_path / "data"), shelf.models, shelf.shipped)
    erasure.request(with_models=True)
    erasure.finish()
    assert not shelf.models.exists()
    assert shelf.library().entry(BIG).state is ModelState.READY


def test_a_damaged_one_is_said_to_be_and_replaced_by_a_copy(shelf: Shelf) -> None:
    file = shelf.shipped / BIG / f"{BIG}.gguf"
    file.write_bytes(shelf.big[:-5])
    assert shelf.library().entry(BIG).state is ModelState.DAMAGED
    with pytest.raises(ModelDamaged, match="install Desktop RAG again"):
        shelf.library().choose_llm()
    added = shelf.library().add(shelf.write(shelf.big))
    assert (added.state, added.is_shipped) == (ModelState.READY, False)
    assert shelf.library().choose_llm().model_file == shelf.path(BIG)
    file.write_bytes(b"X" + shelf.big[1:])
    shelf.library().remove(BIG)
    assert shelf.library().verify(BIG)[0].state is ModelState.DAMAGED


def test_its_speed_is_kept_in_the_folder_of_the_person(shelf: Shelf) -> None:
    status = shelf.library().entry(BIG)
    assert status.path is not None
    tuned = Tuning(2, 2, reads_per_s=90, writes_per_s=16, is_measured=True)
    ModelSpeeds(shelf.models / FILE_NAME).put(status.path, tuned)
    assert shelf.library().speed(BIG) == tuned
    os.utime(status.path, (1, 1))
    assert shelf.library().speed(BIG) is None, "another program came with another model"


def test_without_it_nothing_has_changed(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        Shelf(tmp_path).library().choose_llm()
