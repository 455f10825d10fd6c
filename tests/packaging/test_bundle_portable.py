"""A portable program, as on a stick: its data stay beside it, whatever happens."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.packaging.installing import Person, everything, needs_installer, with_command

pytestmark = needs_installer


@pytest.fixture
def library(first: Path, person: Person, tmp_path: Path) -> Path:
    """That of a portable program of version 1.0."""
    person.does(first, "--portable", tmp_path / "Stick")
    path = tmp_path / "Stick" / "desktop-rag" / "data" / "library.sqlite3"
    path.parent.mkdir()
    path.touch()
    return path


def test_portable_keeps_data_beside_and_writes_nothing_at_home(
    first: Path, second: Path, person: Person, tmp_path: Path
) -> None:
    before, stick = everything(person.home), tmp_path / "Stick"
    person.does(first, "--portable", stick)
    program = stick / "desktop-rag"
    assert (program / "portable.txt").exists()
    (program / "data").mkdir()
    (program / "data" / "library.sqlite3").write_text("mine", encoding="utf-8")
    (program / "notes.txt").write_text("mine too", encoding="utf-8")
    person.does(second, "--portable", stick)
    assert (program / "data" / "library.sqlite3").read_text(encoding="utf-8") == "mine"
    assert (program / "notes.txt").exists()
    assert "1.1" in subprocess.check_output([program / "desktop-rag", "--version"], text=True)
    assert [path.name for path in stick.iterdir()] == ["desktop-rag"]
    assert "stay in" in person.does(second, "--portable", stick, "--remove")
    assert sorted(path.name for path in program.iterdir()) == ["data", "notes.txt"]
    assert everything(person.home) == before


def test_a_stick_without_links_gets_copies(first: Path, person: Person, tmp_path: Path) -> None:
    with_command(person, tmp_path / "bin", "ln", "exit 1")
    person.does(first, "--portable", tmp_path / "Stick")
    copy = tmp_path / "Stick" / "desktop-rag" / "_internal" / "short.so"
    assert not copy.is_symlink()
    assert copy.read_text(encoding="utf-8") == "library"


def test_a_power_cut_between_the_two_renames_of_a_portable_program(
    second: Path, person: Person, library: Path
) -> None:
    program, stick = library.parents[1], library.parents[2]
    program.rename(stick / "desktop-rag.old-4711")
    person.does(second, "--portable", stick)
    assert library.exists()
    assert [path.name for path in stick.iterdir()] == ["desktop-rag"]


def test_a_power_cut_while_the_old_portable_program_goes_loses_no_data(
    first: Path, person: Person, tmp_path: Path
) -> None:
    person.does(first, "--portable", tmp_path / "Stick")
    program, old = tmp_path / "Stick" / "desktop-rag", tmp_path / "Stick" / "desktop-rag.old-4711"
    (old / "_internal").mkdir(parents=True)  # all but its last files
    (old / "data").mkdir()
    (old / "data" / "library.sqlite3").touch()
    person.does(first, "--portable", tmp_path / "Stick")
    assert (program / "data" / "library.sqlite3").exists()
    assert not old.exists()


def test_data_of_a_portable_program_moves_before_the_old_one_goes(
    second: Path, person: Person, library: Path, tmp_path: Path
) -> None:
    program, stick = library.parents[1], library.parents[2]
    # Whoever ends it at the first thing that is deleted of the old program:
    real = shutil.which("rm")
    text = f'case "$*" in *.old-*) kill -9 $PPID ;; esac\nexec {real} "$@"'
    with_command(person, tmp_path / "bin", "rm", text)
    assert person.run(second, "--portable", stick).returncode == -signal.SIGKILL
    assert library.exists()
    assert "1.1" in subprocess.check_output([program / "desktop-rag", "--version"], text=True)


def test_a_portable_program_comes_back_to_the_data_that_its_removal_left(
    first: Path, second: Path, person: Person, library: Path
) -> None:
    program, stick = library.parents[1], library.parents[2]
    person.does(first, "--portable", stick, "--remove")
    assert not (program / "desktop-rag").exists()
    person.does(second, "--portable", stick)
    assert library.exists()
    assert (program / "desktop-rag").exists()


def test_a_portable_program_between_versions_keeps_its_data(
    first: Path, second: Path, person: Person, library: Path
) -> None:
    folder = library.parents[2]
    assert "not in" in person.is_refused(first, "--remove", "--to", folder)
    for _ in range(2):
        assert "keeps data of its own" in person.does(second, "--to", folder)
    assert "keeps data of its own" in person.does(second, "--remove", "--to", folder)
    assert [path.name for path in folder.iterdir()] == ["desktop-rag"]
    assert library.exists()


def test_models_beside_it_are_imported_into_the_data_of_a_portable_program(
    second: Path, person: Person, library: Path, tmp_path: Path
) -> None:
    beside = Path(shutil.copy(second, tmp_path / "desktop-rag.run"))
    models = tmp_path / "all.ragmodels"
    models.write_text("whole", encoding="utf-8")
    person.does(beside, "--portable", library.parents[2])
    imported = (person.home / "imported").read_text(encoding="utf-8")
    assert imported == f"{models} {library.parent / 'models'}\n"
