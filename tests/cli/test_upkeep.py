"""`doctor`, `backup` and `restore` as a person types them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import filelock
import pytest

from desktop_rag import paths
from desktop_rag.app import App
from desktop_rag.cli import upkeep
from desktop_rag.cli.main import main
from desktop_rag.domain.errors import (
    InvalidInput,
    LibraryDamaged,
    LibraryLocked,
    NotFound,
    ProblemsFound,
)
from desktop_rag.storage import backups
from tests.helpers.fakes import FakeIndex, FakeReader, fake_engines


class Terminal:
    """Runs commands over one data folder; its index lives as long as the data folder is kept."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = paths.DataDir(root / "data")
        self.index = FakeIndex()
        self._capsys = capsys

    def run(self, *arguments: str | Path) -> tuple[int, str]:
        code = main(["--data-dir", str(self.folder.root), *map(str, arguments)])
        out, err = self._capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out + err

    def json(self, *arguments: str | Path) -> Any:
        main(["--data-dir", str(self.folder.root), *map(str, arguments), "--json"])
        return json.loads(self._capsys.readouterr().out)

    def change(self, statement: str) -> None:
        with contextlib.closing(sqlite3.connect(self.folder.database)) as db:
            db.execute(statement)
            db.commit()


@pytest.fixture
def terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Terminal:
    made = Terminal(tmp_path, capsys)
    # The check-up looks at installed models, too: those of whoever runs this are not its business.
    monkeypatch.setenv(paths.MODELS_DIR_VARIABLE, str(tmp_path / "models"))

    def start(*_: object) -> object:
        return SimpleNamespace(index=made.index, reader=FakeReader(), close=lambda: None)

    monkeypatch.setattr(upkeep, "start_engines", start)
    monkeypatch.setattr(App, "_start_engines", lambda _self: fake_engines(FakeReader(), made.index))
    return made


@pytest.fixture
def library(terminal: Terminal, tmp_path: Path) -> Path:
    """The folder of documents of a library that was made."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "pump.txt").write_text("The pump holds four litres of oil.\n\nIt is red.")
    (documents / "boat.txt").write_text("The boat comes on Tuesdays.")
    assert terminal.run("add", documents)[0] == 0
    return documents


@pytest.mark.usefixtures("library")
class TestDoctor:
    @pytest.mark.parametrize("options", [(), ("--full",), ("--full", "--repair")])
    def test_finds_a_new_library_healthy(
        self, terminal: Terminal, options: tuple[str, ...]
    ) -> None:
        code, said = terminal.run("doctor", *options)
        assert code == 0, said
        assert "PROBLEM" not in said
        assert "3 passages are in both of its stores" in said

    def test_tells_a_problem_with_the_next_step(self, terminal: Terminal) -> None:
        terminal.index._chunks.popitem()
        code, said = terminal.run("doctor")
        assert code == ProblemsFound.exit_code
        assert "PROBLEM  search index" in said
        assert "desktop-rag doctor --repair" in said

    def test_tells_programs_the_same(self, terminal: Terminal) -> None:
        assert terminal.json("doctor")["ok"] is True
        terminal.change("UPDATE chunks SET text = 'x' WHERE id = 1")
        told = terminal.json("doctor")
        assert told["ok"] is False
        [wrong] = [one for one in told["checks"] if one["outcome"] == "problem"]
        assert (wrong["check"], wrong["repair"]) == ("texts", "read-again")

    def test_mends_a_text_by_reading_the_file_again(self, terminal: Terminal) -> None:
        terminal.change("UPDATE chunks SET text = 'x' WHERE id = 1")
        code, said = terminal.run("doctor", "--repair")
        assert code == 0, said
        assert "Queued 1 files" in said

    def test_keeps_the_text_of_a_file_that_is_gone(self, terminal: Terminal, library: Path) -> None:
        terminal.change("UPDATE chunks SET header = 'x' WHERE id = 1")
        shutil.move(library, library.with_name("elsewhere"))
        terminal.run("doctor", "--repair")
        assert "four litres" in terminal.run("search", "How many litres of oil?")[1]

    def test_looks_at_a_library_that_is_open_elsewhere(self, terminal: Terminal) -> None:
        with filelock.FileLock(terminal.folder.lock):
            code, said = terminal.run("doctor", "--full")
            assert code == 0, said
            assert "skipped  search index  The library in" in said
            assert "is open in another window or command" in said
            assert "2 files and 3 passages agree" in said
            assert "is open in another window or command" in terminal.run("doctor", "--repair")[1]

    def test_survives_a_catalog_of_random_bytes(self, terminal: Terminal) -> None:
        rubbish = os.urandom(100_000)
        terminal.folder.database.write_bytes(rubbish)
        for options in ((), ("--full",), ("--repair",)):
            code, said = terminal.run("doctor", *options)
            assert code == ProblemsFound.exit_code
            assert "desktop-rag restore FILE --force" in said
        assert terminal.folder.database.read_bytes() == rubbish


def test_doctor_of_nothing_makes_nothing(terminal: Terminal) -> None:
    assert terminal.run("doctor")[0] == 0
    assert not terminal.folder.root.exists()


@pytest.mark.usefixtures("library")
def test_status_tells_how_much_a_newer_reader_reads_again(terminal: Terminal) -> None:
    assert terminal.json("status")["rereading"] == ""
    terminal.change("UPDATE documents SET reader = 'fake-0+paragraphs-1' WHERE id = 1")
    assert "1 of 2 files are being read again" in terminal.run("status")[1]


@pytest.mark.usefixtures("library")
class TestBackupAndRestore:
    def test_another_computer_answers_without_the_documents(
        self, terminal: Terminal, library: Path, tmp_path: Path
    ) -> None:
        told = terminal.json("backup", tmp_path / "library.zip")
        assert (told["documents"], told["chunks"]) == (2, 3)
        shutil.rmtree(library)
        terminal.folder = paths.DataDir(tmp_path / "elsewhere")
        terminal.index = FakeIndex()
        code, said = terminal.run("restore", tmp_path / "library.zip")
        assert code == 0, said
        found = terminal.json("search", "How many litres of oil?")["passages"]
        assert "four litres" in found[0]["text"]
        [source] = terminal.json("status")["sources"]
        assert (source["is_online"], source["files"]) == (False, 2)

    def test_another_folder_of_the_same_name_takes_nothing_away(
        self, terminal: Terminal, library: Path, tmp_path: Path
    ) -> None:
        terminal.run("backup", tmp_path / "library.zip")
        shutil.rmtree(library)
        library.mkdir()
        (library / "other.txt").write_text("The cat sleeps on the sofa.")
        terminal.folder = paths.DataDir(tmp_path / "elsewhere")
        terminal.index = FakeIndex()
        terminal.run("restore", tmp_path / "library.zip")
        assert "four litres" in terminal.run("search", "How many litres of oil?")[1]
        assert "sofa" in terminal.run("search", "Where does the cat sleep?")[1]
        assert terminal.json("status")["ready"] == 3

    def test_the_same_computer_goes_on_where_the_backup_was(
        self, terminal: Terminal, library: Path, tmp_path: Path
    ) -> None:
        terminal.run("backup", tmp_path / "library.zip")
        (library / "boat.txt").unlink()
        assert terminal.run("restore", tmp_path / "library.zip")[0] == InvalidInput.exit_code
        terminal.index = FakeIndex()
        code, said = terminal.run("restore", tmp_path / "library.zip", "--force")
        assert code == 0
        assert "is kept in" in said
        terminal.run("search", "pump oil litres")
        assert terminal.json("status")["sources"][0]["is_online"] is True
        # Half of the files are there, so this is the folder, and what is missing is gone.
        assert [Path(file["path"]).name for file in terminal.json("files")] == ["pump.txt"]

    def test_bad_names_and_files_are_told(self, terminal: Terminal, tmp_path: Path) -> None:
        assert terminal.run("restore", tmp_path / "none.zip")[0] == NotFound.exit_code
        assert terminal.run("backup", tmp_path)[0] == InvalidInput.exit_code
        (tmp_path / "odd.zip").write_bytes(b"odd")
        code, said = terminal.run("restore", tmp_path / "odd.zip", "--force")
        assert code == LibraryDamaged.exit_code
        assert "nothing was restored" in said

    def test_an_emptied_library_names_the_copy_that_brings_it_back(
        self, terminal: Terminal
    ) -> None:
        with contextlib.closing(sqlite3.connect(terminal.folder.database)) as db:
            copy = backups.keep_copy(db, terminal.folder.root, "replaced")
        terminal.folder.database.write_bytes(b"")
        code, said = terminal.run("status")
        assert code == LibraryDamaged.exit_code
        assert f"desktop-rag restore {copy} --force" in said
        terminal.index = FakeIndex()
        assert terminal.run("restore", copy, "--force")[0] == 0
        assert "four litres" in terminal.run("search", "How many litres of oil?")[1]


class TestErase:
    def test_it_wants_to_be_told_twice(self, terminal: Terminal, tmp_path: Path) -> None:
        _library(terminal, tmp_path)
        code, said = terminal.run("erase")
        assert code == InvalidInput.exit_code
        assert "--yes" in said
        assert terminal.folder.database.exists()

    def test_nothing_is_left(self, terminal: Terminal, tmp_path: Path) -> None:
        _library(terminal, tmp_path)
        code, said = terminal.run("erase", "--yes")
        assert code == 0
        assert "is deleted" in said
        assert not terminal.folder.root.exists()
        assert (tmp_path / "note.txt").exists()

    def test_what_is_left_is_named(self, terminal: Terminal, tmp_path: Path) -> None:
        _library(terminal, tmp_path)
        foreign = terminal.folder.root / "thesis.docx"
        foreign.write_text("foreign")
        told = terminal.json("erase", "--yes")
        assert told == {"erased": str(terminal.folder.root), "left": [str(foreign)]}

    def test_there_must_be_something(self, terminal: Terminal) -> None:
        assert terminal.run("erase", "--yes")[0] == NotFound.exit_code

    def test_a_folder_that_never_held_a_library_is_somebody_elses(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = terminal.folder.root
        for name in ("settings.toml", "logs/worker-1.log", "index/vectors/drawing.svg"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("foreign")
        before = sorted(root.rglob("*"))
        assert terminal.run("erase", "--yes")[0] == NotFound.exit_code
        assert sorted(root.rglob("*")) == before
        monkeypatch.setenv(paths.DATA_DIR_VARIABLE, str(root))
        assert terminal.run("erase", "--yes")[0] == 0, "the usual place is ours"
        assert not root.exists()

    def test_not_while_it_is_open(self, terminal: Terminal, tmp_path: Path) -> None:
        _library(terminal, tmp_path)
        with filelock.FileLock(terminal.folder.lock):
            code, _said = terminal.run("erase", "--yes")
        assert code == LibraryLocked.exit_code
        assert terminal.folder.database.exists()


def _library(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Apples are red.")
    with App.open(terminal.folder.root, fake_engines()) as app:
        app.add([tmp_path / "note.txt"])
