"""Models go from one computer to another in one file: whole, or not at all."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop_rag.domain.errors import (
    Cancelled,
    DiskFull,
    FileBusy,
    InvalidInput,
    ModelDamaged,
    ModelMissing,
    NotFound,
    UserError,
)
from desktop_rag.domain.events import ModelProgress
from desktop_rag.services.llm_choosing import LLM_VARIABLE
from desktop_rag.services.model_workplace import Workplace
from desktop_rag.services.models import ModelLibrary, ModelState
from desktop_rag.storage import model_bundle, model_bundle_writing
from desktop_rag.storage.model_bundle import (
    BundledFile,
    BundledModel,
    Manifest,
    header,
    padded,
    written_manifest,
)
from tests.helpers.model_shelf import BIG, EMBEDDER, SMALL, Shelf, gguf
from tests.helpers.tiny_onnx import write_embedder, write_reranker
from tests.services.test_own_models import library as with_probe


@pytest.fixture
def sender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Has both language models of the catalog."""
    monkeypatch.delenv(LLM_VARIABLE, raising=False)
    shelf = Shelf(tmp_path / "sender")
    for data in (shelf.big, shelf.small):
        shelf.library().add(shelf.write(data))
    return shelf


@pytest.fixture
def receiver(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "receiver")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def bundle(sender: Shelf, stick: Path) -> Path:
    return sender.library().export(stick / "both.ragmodels", [BIG, SMALL]).path


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder but locks."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def refused(shelf: Shelf, path: Path, error: type[Exception], match: str) -> None:
    """Importing fails, and what was installed is as it was."""
    before = everything(shelf.models)
    with pytest.raises(error, match=match):
        with_probe(shelf).import_(path)
    assert everything(shelf.models) == before
    assert [one.name for one in shelf.models.glob("adding-*")] == []


def written(path: Path, *models: tuple[BundledModel, bytes]) -> Path:
    """A file as somebody else may have written it."""
    manifest = Manifest("0.1.0", tuple(model for model, _ in models))
    told = written_manifest(manifest)
    data = header("manifest.json", len(told)) + told.ljust(padded(len(told)), b"\0")
    for (name, _, file), (_, content) in zip(manifest.members(), models, strict=True):
        data += header(name, file.size) + content.ljust(padded(file.size), b"\0")
    path.write_bytes(data + bytes(1024))
    return path


def one_file(model_id: str, role: str, name: str, data: bytes) -> tuple[BundledModel, bytes]:
    file = BundledFile(name, len(data), sha256(data))
    return BundledModel(model_id, role, "Title", "MIT", (file,)), data


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class TestTheRoad:
    def test_both_models_arrive_and_are_used(self, bundle: Path, receiver: Shelf) -> None:
        done = receiver.library().import_(bundle)
        assert [one.id for one in done.models] == [BIG, SMALL]
        assert (done.skipped, done.mended) == ((), ())
        assert receiver.path(BIG).read_bytes() == receiver.big
        assert {one.state for one in done.models} == {ModelState.READY}
        assert receiver.library().choose_llm().model_id == BIG
        assert receiver.library().verify(SMALL)[0].state is ModelState.READY

    def test_a_usual_export_takes_the_model_in_use(self, sender: Shelf, stick: Path) -> None:
        assert [one.id for one in sender.library().export(stick / "a").models] == [BIG]
        sender.library().set_default(SMALL)
        done = sender.library().export(stick / "b")
        assert [one.id for one in done.models] == [SMALL]
        assert done.path == stick / "b.ragmodels"
        assert done.size == done.path.stat().st_size

    def test_any_tar_program_can_look_into_it(self, bundle: Path, sender: Shelf) -> None:
        with tarfile.open(bundle) as archive:
            names = archive.getnames()
            assert names == ["manifest.json", f"{BIG}/{BIG}.gguf", f"{SMALL}/{SMALL}.gguf"]
            member = archive.extractfile(names[1])
            assert member is not None
            assert member.read() == sender.big

    def test_the_same_models_make_the_same_file(
        self, sender: Shelf, bundle: Path, stick: Path
    ) -> None:
        again = sender.library().export(stick / "again.ragmodels", [BIG, SMALL, BIG])
        assert again.path.read_bytes() == bundle.read_bytes()
        assert str(sender.root).encode() not in bundle.read_bytes()

    def test_models_nobody_knows_go_along(
        self, sender: Shelf, receiver: Shelf, stick: Path, tmp_path: Path
    ) -> None:
        mine = "my-" + "very-" * 18 + "long"  # longer than a name in a tar may be
        sender.library().add(sender.write(gguf(seed=9), f"{mine}.gguf"))
        models = with_probe(sender)
        models.add(write_embedder(tmp_path / "words"))
        models.add(write_reranker(tmp_path / "ranks"))
        path = models.export(stick / "own", [mine, "words", "ranks"]).path
        done = with_probe(receiver).import_(path)
        assert [one.id for one in done.models] == [mine, "words", "ranks"]
        assert {one.state for one in done.models} == {ModelState.READY}
        assert [one.role for one in done.models] == ["llm", "embedder", "reranker"]
        assert with_probe(receiver).set_default("ranks").is_default
        again = with_probe(receiver).import_(path)
        assert [one.id for one in again.skipped] == [mine, "words", "ranks"]

    @pytest.mark.parametrize(
        ("name", "title", "arrives"),
        [("_mine", "", "mine"), ("adding-mine", "", "mine"), ("m" * 200, "M" * 400, "m" * 150)],
    )
    def test_a_name_that_others_do_not_take_is_changed(
        self, sender: Shelf, receiver: Shelf, stick: Path, name: str, title: str, arrives: str
    ) -> None:
        sender.library().add(sender.write(gguf(seed=9, name=title), f"{name}.gguf"))
        path = sender.library().export(stick / "own", [name]).path
        assert [one.id for one in receiver.library().import_(path).models] == [arrives]

    def test_search_models_go_along_unasked(
        self, sender: Shelf, stick: Path, tmp_path: Path
    ) -> None:
        models = with_probe(sender)
        models.add(write_embedder(tmp_path / "words"))
        assert [one.id for one in models.export(stick / "x").models] == [BIG, "words"]

    def test_what_is_there_is_skipped_and_what_is_damaged_mended(
        self, bundle: Path, receiver: Shelf
    ) -> None:
        receiver.library().import_(bundle)
        receiver.path(SMALL).write_bytes(b"rubbish")
        assert receiver.library().entry(SMALL).state is ModelState.DAMAGED
        done = receiver.library().import_(bundle)
        assert ([one.id for one in done.models], done.mended) == ([SMALL], (SMALL,))
        assert [one.id for one in done.skipped] == [BIG]
        assert receiver.library().entry(SMALL).state is ModelState.READY

    def test_a_damaged_search_model_is_mended(
        self, sender: Shelf, receiver: Shelf, stick: Path, tmp_path: Path
    ) -> None:
        with_probe(sender).add(write_embedder(tmp_path / "words"))
        path = with_probe(sender).export(stick / "x", ["words"]).path
        with_probe(receiver).import_(path)
        (receiver.models / "words" / "model.onnx").write_bytes(b"rubbish")
        assert with_probe(receiver).import_(path).mended == ("words",)
        assert with_probe(receiver).verify("words")[0].state is ModelState.READY

    def test_a_begun_download_is_replaced(self, bundle: Path, receiver: Shelf) -> None:
        receiver.models.mkdir()
        receiver.path(BIG).with_name(f"{BIG}.gguf.partial").write_bytes(b"half")
        receiver.library().import_(bundle)
        assert list(receiver.models.glob("*.partial*")) == []

    def test_a_known_checksum_makes_it_that_model(self, receiver: Shelf, stick: Path) -> None:
        path = written(stick / "x", one_file("other", "llm", "other.gguf", receiver.small))
        assert [one.id for one in receiver.library().import_(path).models] == [SMALL]

    def test_progress_counts_the_whole_file(self, bundle: Path, receiver: Shelf) -> None:
        receiver.library().import_(bundle)
        told = [one for one in receiver.events if isinstance(one, ModelProgress)]
        steps = [one for one in told if one.stage == "importing"]
        total = len(receiver.big) + len(receiver.small)
        assert {one.total for one in steps} == {total}
        assert (steps[-1].done, steps[-1].model) == (total, SMALL)
        assert [one.model for one in told if one.stage == "ready"] == [BIG, SMALL]

    def test_the_models_of_a_disk_that_cannot_be_written_are_exported(
        self, sender: Shelf, stick: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise AssertionError("nothing may be written beside the models")

        monkeypatch.setattr(Workplace, "alone", refuse)
        before = everything(sender.models)
        sender.library().export(stick / "x", [BIG])
        assert everything(sender.models) == before


class TestBadFiles:
    @pytest.mark.parametrize("share", [0, 1, 100, 511, 0.002, 0.01, 0.3, 0.5, 0.71, 0.9, -1, -1024])
    def test_a_file_that_is_cut_off(self, bundle: Path, receiver: Shelf, share: float) -> None:
        whole = bundle.read_bytes()
        end = int(share * len(whole)) if isinstance(share, float) else share
        bundle.write_bytes(whole[:end])
        error = ModelDamaged if end < 0 or end > 512 else InvalidInput
        refused(receiver, bundle, error, r"copy it to this computer|holds no models")

    def test_a_cut_off_file_says_how_much_is_there(self, bundle: Path, receiver: Shelf) -> None:
        os.truncate(bundle, 200_000)
        refused(receiver, bundle, ModelDamaged, r"ends after 0 MB of 0 MB \(22\d,\d\d\d bytes are")

    def test_a_flipped_byte_in_each_part(self, bundle: Path, receiver: Shelf) -> None:
        whole = bundle.read_bytes()
        places = {
            "name of the list": 3,
            "its checksum in the header": 150,
            "the kind": whole.index(b"desktop-rag-models"),
            "the version": whole.index(b'"0.1.0"') + 2,
            "a title": whole.index(b"Big-Llm") + 2,
            "a checksum": whole.index(b'"sha256"') + 15,
            "a size": whole.index(b'"size": ') + 8,
            "the end of the list": whole.index(b"\n}\0") + 1,
            "the header of a model": whole.index(f"{BIG}/".encode()) + 4,
            "the first byte of a model": whole.index(b"GGUF"),
            "the middle of a model": whole.index(b"GGUF") + 200_000,
            "the second model": whole.rindex(b"GGUF") + 100_000,
            "the header of the second": whole.rindex(f"{SMALL}/".encode()),
        }
        for place in places.values():
            bundle.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            refused(receiver, bundle, UserError, r"Nothing was imported|holds no models")
        bundle.write_bytes(whole)
        assert len(receiver.library().import_(bundle).models) == 2

    def test_a_wrong_checksum_names_the_model(self, bundle: Path, receiver: Shelf) -> None:
        data = bytearray(bundle.read_bytes())
        data[-2000] ^= 1
        bundle.write_bytes(data)
        refused(receiver, bundle, ModelDamaged, f"both.ragmodels is damaged .*checksum of {SMALL}")

    def test_something_behind_the_end(self, bundle: Path, receiver: Shelf) -> None:
        bundle.write_bytes(bundle.read_bytes() + b"x")
        refused(receiver, bundle, ModelDamaged, "follows its end")

    def test_a_file_of_a_newer_program(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch, sender: Shelf
    ) -> None:
        with monkeypatch.context() as later:
            later.setattr(model_bundle, "_FORMAT", 2)
            sender.library().export(bundle, [BIG])
        refused(receiver, bundle, InvalidInput, r"newer Desktop RAG \(0\.1\.0\).*update")

    @pytest.mark.parametrize(
        "bad",
        [
            one_file("../up", "llm", "up.gguf", gguf()),
            one_file("up", "llm", "../up.gguf", gguf()),
            one_file("/etc", "llm", "up.gguf", gguf()),
            one_file("adding-1", "llm", "up.gguf", gguf()),
            one_file(".hidden", "llm", "up.gguf", gguf()),
            one_file("up", "embedder", "sub/model.onnx", b"x"),
            one_file("up", "embedder", "c:model.onnx", b"x"),
            one_file("up", "ocr", "model.onnx", b"x"),
            one_file("up", "llm", "up.exe", gguf()),
            one_file("up", "llm", "up.gguf", b""),
            (BundledModel("up", "llm", "", "", ()), b""),
            (BundledModel("up", "llm", "", "", (BundledFile("u.gguf", -5, "0" * 64),)), b""),
            (BundledModel("up", "llm", "", "", (BundledFile("u.gguf", 1 << 60, "0" * 64),)), b""),
            (BundledModel("up", "llm", "", "", (BundledFile("u.gguf", 5, "../../x"),)), b"hello"),
        ],
    )
    def test_names_and_numbers_that_no_model_has(
        self, stick: Path, receiver: Shelf, bad: tuple[BundledModel, bytes]
    ) -> None:
        told = written_manifest(Manifest("0.1.0", (bad[0],)))
        data = header("manifest.json", len(told)) + told.ljust(padded(len(told)), b"\0")
        (stick / "x").write_bytes(data + bytes(1024))
        refused(receiver, stick / "x", ModelDamaged, "what no model is made of")
        assert not (receiver.root / "up.gguf").exists()

    def test_a_model_twice(self, stick: Path, receiver: Shelf) -> None:
        one = one_file("up", "llm", "up.gguf", gguf())
        refused(receiver, written(stick / "x", one, one), ModelDamaged, "no model is made of")
        known = [one_file(name, "llm", f"{name}.gguf", receiver.small) for name in ("a", "b")]
        path = written(stick / "x", *known)
        refused(receiver, path, ModelDamaged, f"holds {SMALL} twice")

    def test_a_link_in_the_place_of_a_model(self, bundle: Path, receiver: Shelf) -> None:
        data = bytearray(bundle.read_bytes())
        at = data.index(f"{BIG}/".encode())
        link = tarfile.TarInfo(f"{BIG}/{BIG}.gguf")
        link.type, link.linkname, link.size = tarfile.SYMTYPE, "/etc/passwd", len(receiver.big)
        data[at : at + 512] = link.tobuf(tarfile.GNU_FORMAT)
        bundle.write_bytes(data)
        refused(receiver, bundle, ModelDamaged, "is something else")

    def test_a_language_model_that_is_none(self, stick: Path, receiver: Shelf) -> None:
        cut = gguf(seed=4)[:-50]
        for data in (b"<html>", cut):
            path = written(stick / "x", one_file("mine", "llm", "mine.gguf", data))
            refused(receiver, path, ModelDamaged, "mine is no whole language model")

    def test_a_search_model_that_lacks_a_file(self, stick: Path, receiver: Shelf) -> None:
        path = written(stick / "x", one_file("words", "embedder", "model.onnx", b"onnx"))
        refused(receiver, path, ModelDamaged, "words lacks a file")

    def test_a_search_model_of_another_role(
        self, sender: Shelf, receiver: Shelf, stick: Path, tmp_path: Path
    ) -> None:
        with_probe(sender).add(write_embedder(tmp_path / "words"))
        path = with_probe(sender).export(stick / "x", ["words"]).path
        told = path.read_bytes().replace(b"embedder", b"reranker")
        path.write_bytes(told)
        refused(receiver, path, ModelDamaged, "not as it was written")

    def test_another_model_under_a_known_name(self, stick: Path, receiver: Shelf) -> None:
        path = written(stick / "x", one_file(BIG, "llm", f"{BIG}.gguf", gguf(seed=50)))
        refused(receiver, path, InvalidInput, f"another model under the name of {BIG}")

    def test_another_model_under_a_name_that_is_taken(self, stick: Path, receiver: Shelf) -> None:
        receiver.library().add(receiver.write(gguf(seed=5), "mine.gguf"))
        path = written(stick / "x", one_file("mine", "llm", "mine.gguf", gguf(seed=6)))
        refused(receiver, path, InvalidInput, "Another model is installed as mine")

    @pytest.mark.parametrize("taken", ["words/taxes.txt", "words"])
    def test_what_is_no_model_stays_where_it_is(
        self, sender: Shelf, receiver: Shelf, stick: Path, tmp_path: Path, taken: str
    ) -> None:
        with_probe(sender).add(write_embedder(tmp_path / "words"))
        path = with_probe(sender).export(stick / "x", ["words"]).path
        (receiver.models / taken).parent.mkdir(parents=True)
        (receiver.models / taken).write_text("precious")
        refused(receiver, path, InvalidInput, "words is in the way .*move or rename it")

    def test_a_folder_that_may_not_be_read_is_somebody_elses(
        self,
        sender: Shelf,
        receiver: Shelf,
        stick: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        with_probe(sender).add(write_embedder(tmp_path / "words"))
        path = with_probe(sender).export(stick / "x", ["words"]).path
        (receiver.models / "words").mkdir(parents=True)

        def refuse(_folder: Path) -> None:
            raise OSError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(Path, "iterdir", refuse)
        refused(receiver, path, InvalidInput, "words is in the way")

    @pytest.mark.parametrize("gone", ["model.onnx", "tokenizer.json", "embedder.json"])
    def test_what_is_left_of_a_search_model_is_replaced(
        self, sender: Shelf, receiver: Shelf, stick: Path, tmp_path: Path, gone: str
    ) -> None:
        with_probe(sender).add(write_embedder(tmp_path / "words"))
        path = with_probe(sender).export(stick / "x", ["words"]).path
        with_probe(receiver).import_(path)
        (receiver.models / "words" / gone).unlink()
        assert [one.id for one in with_probe(receiver).import_(path).models] == ["words"]

    def test_a_folder_with_the_name_of_a_language_model(
        self, bundle: Path, receiver: Shelf
    ) -> None:
        receiver.path(SMALL).mkdir(parents=True)
        refused(receiver, bundle, InvalidInput, f"{SMALL}.gguf is in the way")

    @pytest.mark.parametrize("data", [b"", b"x", b"PK\x03\x04" * 400, b"{}" * 400, bytes(4096)])
    def test_files_of_other_kinds(self, stick: Path, receiver: Shelf, data: bytes) -> None:
        (stick / "x.ragmodels").write_bytes(data)
        refused(receiver, stick / "x.ragmodels", InvalidInput, "holds no models")

    def test_archives_of_other_kinds(self, stick: Path, receiver: Shelf) -> None:
        with zipfile.ZipFile(stick / "x.zip", "w") as archive:
            archive.writestr("manifest.json", "{}")
        refused(receiver, stick / "x.zip", InvalidInput, "holds no models")
        for text, error in (("{}", InvalidInput), ("[1]", InvalidInput), ("[" * 9999, UserError)):
            with tarfile.open(stick / "x.tar", "w") as other:
                info = tarfile.TarInfo("manifest.json")
                info.size = len(text)
                other.addfile(info, io.BytesIO(text.encode()))
            refused(receiver, stick / "x.tar", error, "x.tar")

    def test_a_folder_and_nothing(self, stick: Path, receiver: Shelf) -> None:
        refused(receiver, stick, InvalidInput, "is no file")
        refused(receiver, stick / "nothing", NotFound, "does not exist")

    @pytest.mark.parametrize(
        ("number", "sentence"),
        [(errno.EIO, "is the stick still in"), (errno.EACCES, "may not be read by you")],
    )
    def test_a_stick_that_is_pulled_out(
        self,
        bundle: Path,
        receiver: Shelf,
        monkeypatch: pytest.MonkeyPatch,
        number: int,
        sentence: str,
    ) -> None:
        opened, seen = Path.open, 0

        def fail(path: Path, *args: Any, **kwargs: Any) -> Any:
            nonlocal seen
            seen += path == bundle
            if path == bundle and seen == 3:  # the second model
                raise OSError(number, os.strerror(number))
            return opened(path, *args, **kwargs)

        monkeypatch.setattr(Path, "open", fail)
        refused(receiver, bundle, UserError, sentence)
        assert seen == 3

    def test_a_file_that_shrinks_while_it_is_read(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def shrink(_folder: Path, _size: int) -> None:
            os.truncate(bundle, 100_000)

        monkeypatch.setattr("desktop_rag.services.model_workplace.check_room", shrink)
        refused(receiver, bundle, ModelDamaged, "has become shorter")


class TestTroubleHere:
    def test_no_room(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch, stick: Path
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
        refused(receiver, bundle, DiskFull, "DESKTOP_RAG_MODELS_DIR")

    def test_a_models_folder_that_cannot_be_written(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EROFS, "Read-only file system")

        receiver.models.mkdir()
        monkeypatch.setattr("filelock.FileLock.acquire", refuse)
        refused(receiver, bundle, UserError, "cannot be written to .Read-only file system")

    @pytest.mark.parametrize("number", [errno.EFBIG, errno.EIO])
    def test_a_disk_that_refuses_in_the_middle(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        def refuse(_: int) -> None:
            raise OSError(number, os.strerror(number))

        receiver.models.mkdir()
        monkeypatch.setattr("desktop_rag.storage.model_files.os.fsync", refuse)
        refused(receiver, bundle, UserError, "folder on another disk")

    def test_a_file_where_the_models_should_be(self, bundle: Path, receiver: Shelf) -> None:
        receiver.models.write_bytes(b"")
        with pytest.raises(UserError, match="folder on another disk"):
            receiver.library().import_(bundle)

    def test_a_model_that_is_being_installed(self, bundle: Path, receiver: Shelf) -> None:
        with Workplace(receiver.models, receiver.events.append).alone(SMALL):
            refused(receiver, bundle, FileBusy, SMALL)

    def test_another_import_is_not_swept_away(
        self, bundle: Path, receiver: Shelf, tmp_path: Path
    ) -> None:
        words = write_embedder(tmp_path / "words")
        with Workplace(receiver.models, receiver.events.append).scratch_folder(1) as scratch:
            with pytest.raises(FileBusy, match="is adding or importing models"):
                receiver.library().import_(bundle)
            for added in (words, receiver.write(receiver.small)):
                with pytest.raises(FileBusy, match="is adding or importing models"):
                    with_probe(receiver).add(added)
            assert scratch.is_dir()
        assert with_probe(receiver).add(words).state is ModelState.READY

    @pytest.mark.parametrize("after", [0, 1])
    def test_stopping_leaves_nothing(self, bundle: Path, receiver: Shelf, after: int) -> None:
        asked = 0

        def is_cancelled() -> bool:
            nonlocal asked
            asked += 1
            return asked > 2 * after

        with pytest.raises(Cancelled):
            receiver.library().import_(bundle, is_cancelled)
        assert everything(receiver.models) == {}

    def test_what_a_killed_import_left_is_swept(self, bundle: Path, receiver: Shelf) -> None:
        (receiver.models / "adding-killed" / BIG).mkdir(parents=True)
        (receiver.models / "adding-killed" / BIG / f"{BIG}.gguf.partial").write_bytes(b"half")
        assert receiver.library().entry(BIG).state is ModelState.MISSING
        receiver.library().import_(bundle)
        assert list(receiver.models.glob("adding-*")) == []

    def test_what_a_killed_import_left_takes_no_room(
        self, bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        left = receiver.models / "adding-killed"
        left.mkdir(parents=True)

        def usage(_place: Path) -> object:
            return shutil._ntuple_diskusage(1 << 40, 0, 0 if left.exists() else 1 << 40)

        monkeypatch.setattr(shutil, "disk_usage", usage)
        receiver.library().import_(bundle)
        assert receiver.library().entry(BIG).state is ModelState.READY


class TestExporting:
    def failing(
        self, models: ModelLibrary, path: Path, error: type[Exception], match: str, *ids: str
    ) -> None:
        before = everything(path.parent) if path.parent.is_dir() else {}
        with pytest.raises(error, match=match):
            models.export(path, ids)
        if path.parent.is_dir():
            assert everything(path.parent) == before

    def test_what_cannot_be_exported(self, sender: Shelf, stick: Path) -> None:
        models = sender.library()
        self.failing(models, stick / "x", NotFound, "no model .gpt-9", "gpt-9")
        self.failing(models, stick / "x", InvalidInput, "part of every Desktop RAG", EMBEDDER)
        models.remove(SMALL)
        self.failing(models, stick / "x", ModelMissing, "not installed", BIG, SMALL)
        models.remove(BIG)
        self.failing(models, stick / "x", ModelMissing, "nothing to export")

    def test_two_that_would_have_the_same_name(self, sender: Shelf, stick: Path) -> None:
        models = sender.library()
        for number, name in enumerate(("_mine", "mine")):
            models.add(sender.write(gguf(seed=20 + number), f"{name}.gguf"))
        self.failing(models, stick / "x", InvalidInput, "one by one", "_mine", "mine")

    def test_places_that_will_not_do(self, sender: Shelf, stick: Path) -> None:
        (stick / "taxes.ragmodels").write_bytes(b"something precious")
        (stick / "folder.ragmodels").mkdir()
        models = sender.library()
        self.failing(models, stick / "taxes.ragmodels", InvalidInput, "choose another name")
        self.failing(models, stick / "folder.ragmodels", InvalidInput, "is a folder")
        for nameless in (Path("/"), Path()):
            with pytest.raises(InvalidInput, match="is a folder: name a file in it"):
                models.export(nameless, [SMALL])
        self.failing(models, stick / "none" / "x", NotFound, "There is no folder")

    def test_an_older_file_of_models_is_replaced(self, sender: Shelf, bundle: Path) -> None:
        os.truncate(bundle, 5000)
        sender.library().export(bundle, [SMALL])
        with tarfile.open(bundle) as archive:
            assert len(archive.getnames()) == 2

    def test_no_room_is_said_before(
        self, sender: Shelf, stick: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
        self.failing(sender.library(), stick / "x", DiskFull, "fewer models")

    def test_a_stick_that_holds_no_large_files(
        self, sender: Shelf, stick: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(model_bundle_writing, "_MOST_ON_FAT", 100_000)
        mounts = [type("Mount", (), {"mountpoint": str(stick.resolve()), "fstype": "vfat"})]
        with monkeypatch.context() as patched:
            patched.setattr(psutil, "disk_partitions", lambda **_: mounts)
            self.failing(sender.library(), stick / "x", InvalidInput, "FAT32")
        assert sender.library().export(stick / "x").path.exists()

    @pytest.mark.parametrize(
        ("number", "error", "sentence"),
        [
            (errno.EFBIG, InvalidInput, "choose fewer models"),
            (errno.ENOSPC, DiskFull, "no room"),
            (errno.EROFS, UserError, "choose another folder"),
            (errno.EIO, UserError, "is the stick still in"),
        ],
    )
    def test_a_disk_that_refuses_in_the_middle(
        self,
        sender: Shelf,
        bundle: Path,
        monkeypatch: pytest.MonkeyPatch,
        number: int,
        error: type[Exception],
        sentence: str,
    ) -> None:
        def refuse(_: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(model_bundle_writing, "_flush", refuse)
        self.failing(sender.library(), bundle, error, sentence, SMALL)

    def test_a_model_that_is_damaged(self, sender: Shelf, stick: Path) -> None:
        stat = sender.path(BIG).stat()
        data = bytearray(sender.big)
        data[-1] ^= 1
        sender.path(BIG).write_bytes(data)
        self.failing(sender.library(), stick / "x", ModelDamaged, "install or add", BIG)
        os.utime(sender.path(BIG), ns=(stat.st_atime_ns, stat.st_mtime_ns))  # nobody can see it
        self.failing(sender.library(), stick / "x", ModelDamaged, f"{BIG} on this computer", BIG)

    def test_stopping_keeps_the_old_file(self, sender: Shelf, bundle: Path) -> None:
        before = everything(bundle.parent)
        with pytest.raises(Cancelled):
            sender.library().export(bundle, [SMALL], lambda: True)
        assert everything(bundle.parent) == before

    def test_what_a_killed_export_left_is_swept(self, sender: Shelf, stick: Path) -> None:
        gone = stick / ".x.ragmodels.999999999.part"
        gone.write_bytes(b"half")
        waiting = [sys.executable, "-c", "import sys; sys.stdin.read()"]
        with subprocess.Popen(waiting, stdin=subprocess.PIPE) as other:
            own = stick / f".x.ragmodels.{other.pid}.part"
            own.write_bytes(b"of a program that runs")
            sender.library().export(stick / "x")
        assert (gone.exists(), own.exists()) == (False, True)


def test_every_step_of_an_import_may_be_the_last(
    bundle: Path, receiver: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash at any rename leaves models that are whole or not there."""

    class Crash(BaseException):
        pass

    replace: Callable[[Path, Path], Path] = Path.replace
    for step in range(1, 9):
        shutil.rmtree(receiver.models, ignore_errors=True)
        seen = 0

        def crash(path: Path, target: Path, last: int = step) -> Path:
            nonlocal seen
            seen += 1
            if seen == last:
                raise Crash
            return replace(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", crash)
            with pytest.raises(Crash):
                receiver.library().import_(bundle)
        states = {one.id: one.state for one in receiver.library().entries()}
        assert {states[BIG], states[SMALL]} <= {ModelState.READY, ModelState.MISSING}, step
        assert len(receiver.library().import_(bundle).models) >= 1
        assert receiver.library().entry(SMALL).state is ModelState.READY
