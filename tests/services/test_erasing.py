"""Deleting everything: all that is ours, nothing else, and to the end even after a crash."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import filelock
import pytest

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.domain.errors import LibraryLocked
from desktop_rag.paths import DataDir
from desktop_rag.storage import erasing
from tests.helpers.fakes import fake_engines

TIMEOUT_S = 10.0


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "data" / "models"
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(place))
    return place


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.txt").write_text("Apples are red and grow on trees.")
    with App.open(tmp_path / "data", fake_engines()) as opened:
        opened.add([tmp_path / "documents"])
        opened.start_indexing()
        assert opened.wait_until_indexed(TIMEOUT_S)
        opened.search("apples")
        yield opened


def _fill(data: Path) -> None:
    """As an installation that was used: whatever the program writes anywhere in it."""
    for name in (
        "window.ini",
        "settings.toml",
        "answers.kept",
        "answers.kept.tmp",
        "settings.toml.partial",
        "library.sqlite3-wal.old",
        "logs/worker-index.log",
        "logs/worker-index.old.log",
        "logs/desktop-rag.log.1",
        "backups/library-v1-20261130T093002181130Z.sqlite3",
        "backups/library-v2-2.sqlite3.partial",
        "index/index.lock",
        "index/manifest.json",
        "index/words.txt",
        "index/keywords/gen-0001/base/ids.npy",
        "index/matrix/gen-0001/vectors.f16",
        "index/vectors/gen-0001/0b2f/data.bin",
        "restore.partial/library.sqlite3",
    ):
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("ours")


def test_nothing_is_left_behind(app: App, tmp_path: Path) -> None:
    app.stored.delete_everything(with_models=False)
    _fill(tmp_path / "data")
    assert (tmp_path / "data" / "library.sqlite3").exists(), "not while it is in use"
    app.close()
    assert not (tmp_path / "data").exists()
    assert (tmp_path / "documents" / "a.txt").exists(), "the documents are the person's"


def test_the_next_start_is_a_first_one(app: App, tmp_path: Path) -> None:
    app.stored.delete_everything(with_models=False)
    app.close()
    with App.open(tmp_path / "data", fake_engines()) as opened:
        assert opened.files() == []
        assert opened.conversations() == []
    assert (tmp_path / "data" / "library.sqlite3").exists()


def test_what_is_not_ours_stays(app: App, tmp_path: Path) -> None:
    data = tmp_path / "data"
    _fill(data)
    foreign = [
        data / "thesis.docx",
        data / "settings.toml.bak",
        data / "crash course.txt",
        data / "logs" / "diary.txt",
        data / "logs" / "backup-of-photos.log",
        data / "backups" / "photos.zip",
        data / "index" / "notes.txt",
        data / "mine" / "index" / "manifest.json",
    ]
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("foreign")
    app.stored.delete_everything(with_models=False)
    app.close()
    assert sorted(p for p in data.rglob("*") if p.is_file()) == sorted(foreign)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_deleted_and_not_followed(app: App, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for name in ("logs", "keywords"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "worker.log").write_text("foreign")
    (elsewhere / "settings").write_text("foreign")
    data = tmp_path / "data"
    app.stored.delete_everything(with_models=False)
    _fill(data)
    (data / "settings.toml").unlink()
    (data / "settings.toml").symlink_to(elsewhere / "settings")
    erasing._delete_in(data / "index", ("keywords",))
    (data / "index" / "keywords").symlink_to(elsewhere / "keywords")
    app.close()
    assert not data.exists()
    assert (elsewhere / "settings").read_text() == "foreign"
    assert (elsewhere / "keywords" / "worker.log").exists()
    linked = DataDir(tmp_path / "linked")
    linked.root.mkdir()
    linked.logs.symlink_to(elsewhere / "logs")
    assert erasing.erase(linked).left == ()
    assert (elsewhere / "logs" / "worker.log").exists()


def test_a_deletion_that_was_interrupted_is_finished_at_the_next_start(
    app: App, tmp_path: Path
) -> None:
    app.close()
    data = DataDir(tmp_path / "data")
    erasing.request(data, with_models=False)
    _fill(data.root)
    data.settings.unlink()
    (data.root / "library.sqlite3-wal").unlink(missing_ok=True)  # half of it is gone already
    with App.open(data.root, fake_engines()) as opened:
        assert opened.files() == []
        assert not erasing.is_requested(data)
        assert not list(data.backups.glob("*"))
    assert data.database.exists(), "what the new library wrote stays"


_DIES_HALF_WAY = """
import os, sys
from pathlib import Path
from desktop_rag.paths import DataDir
from desktop_rag.storage import erasing
folder, whole = DataDir(Path(sys.argv[1])), erasing._delete_in
def dies(place, patterns):
    if place.name == "index":
        os._exit(9)
    whole(place, patterns)
erasing._delete_in = dies
erasing.request(folder, with_models=False)
erasing.erase(folder)
"""


def test_a_process_that_dies_in_the_middle_is_taken_up_by_the_next(
    app: App, tmp_path: Path
) -> None:
    app.close()
    data = DataDir(tmp_path / "data")
    _fill(data.root)
    command = [sys.executable, "-c", _DIES_HALF_WAY, str(data.root)]
    assert subprocess.run(command, check=False).returncode == 9
    assert not data.database.exists(), "half of it is gone"
    assert (data.index / "manifest.json").exists(), "and half is not"
    with App.open(data.root, fake_engines()):
        assert not (data.index / "manifest.json").exists()
        assert not erasing.is_requested(data)


def test_whoever_comes_in_between_finds_the_library_locked(app: App, tmp_path: Path) -> None:
    app.stored.delete_everything(with_models=False)
    with pytest.raises(LibraryLocked):
        App.open(tmp_path / "data", fake_engines())
    assert app.files(), "nothing was deleted yet"


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is held stays there")
def test_who_opens_the_library_at_the_last_moment_keeps_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataDir(tmp_path / "data")
    data.root.mkdir()
    other = filelock.FileLock(data.lock)
    usual = filelock.BaseFileLock.release

    def release(lock: filelock.BaseFileLock, force: bool = False) -> None:
        once.undo()
        usual(lock, force)
        other.acquire(timeout=0)

    with monkeypatch.context() as once:
        once.setattr(filelock.BaseFileLock, "release", release)
        erasing.vacate(data)
    assert other.is_locked
    with pytest.raises(LibraryLocked):
        App.open(data.root, fake_engines())
    other.release()


def _add_models(models: Path) -> None:
    for name in (
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf.json",
        "choice.json",
        "speeds.json",
        "gpu.attempts",
        "processor.json",
        ".adding.lock",
    ):
        models.mkdir(parents=True, exist_ok=True)
        (models / name).write_text("{}")


def test_models_stay_unless_they_are_to_go(app: App, models: Path) -> None:
    _add_models(models)
    app.stored.delete_everything(with_models=False)
    app.close()
    assert (models / "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf").exists()
    assert [path.name for path in models.parent.iterdir()] == ["models"]


def test_models_go_when_they_are_to(app: App, models: Path) -> None:
    _add_models(models)
    app.stored.delete_everything(with_models=True)
    app.close()
    assert not models.parent.exists()


def test_foreign_files_among_the_models_stay(app: App, models: Path) -> None:
    _add_models(models)
    for name in ("ocr/rec.onnx", "adding-up/sums.txt"):
        (models / name).parent.mkdir()
        (models / name).write_text("put there by the person")
    (models / "adding-q7x_2m4a").mkdir()
    app.stored.delete_everything(with_models=True)
    app.close()
    assert sorted(p.name for p in models.rglob("*") if p.is_file()) == ["rec.onnx", "sums.txt"]
    assert not (models / "adding-q7x_2m4a").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_a_model_elsewhere_is_not_followed(
    app: App, models: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "model.onnx").write_text("foreign")
    described = {"files": {"model.onnx": [7, "00"]}, "role": "embedder"}
    (elsewhere / "embedder.json").write_text(json.dumps(described))
    models.mkdir(parents=True, exist_ok=True)
    (models / "linked").symlink_to(elsewhere)
    app.stored.delete_everything(with_models=True)
    app.close()
    assert sorted(p.name for p in elsewhere.iterdir()) == ["embedder.json", "model.onnx"]


@pytest.mark.parametrize("content", ["", "[]", "nonsense", "\x00"])
def test_a_note_that_cannot_be_read_spares_the_models(
    tmp_path: Path, models: Path, content: str
) -> None:
    _add_models(models)
    data = DataDir(tmp_path / "data")
    data.erasure.write_text(content)
    with App.open(data.root, fake_engines()):
        assert not erasing.is_requested(data)
    assert (models / "choice.json").exists()
