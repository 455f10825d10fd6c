"""Installs a made program with the real installer, upgrades and removes it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from release import bundle
from release.shipped_model import ShippedModel

from desktop_rag.storage.model_catalog import CatalogFile
from tests.packaging.installing import Person, everything, made, needs_installer, with_command

pytestmark = needs_installer


def test_the_text_is_clean(first: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("needs shellcheck")
    done = subprocess.run(
        ["shellcheck", "-"], input=bundle.installer_text(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_same_input_gives_the_same_bytes(first: Path, tmp_path: Path) -> None:
    assert made(tmp_path, "1.0").read_bytes() == first.read_bytes()


def test_it_installs_with_menu_entry_and_command(first: Path, person: Person) -> None:
    said = person.does(first)
    assert "installed" in said
    assert "not in PATH" in said
    assert person.version() == "Desktop RAG 1.0\n"
    program = person.versions / "current"
    assert program.readlink() == Path("1.0")
    assert (program / "_internal" / "short.so").readlink() == Path("lib/real.so")
    entry = person.home / ".local/share/applications/desktop-rag.desktop"
    quoted = str(program / "desktop-rag").replace("$", "\\\\$")
    assert f'\nExec="{quoted}" ' in entry.read_text(encoding="utf-8")
    assert f"\nTryExec={program / 'desktop-rag'}\n" in entry.read_text(encoding="utf-8")
    assert (person.home / ".local/share/mime/packages/desktop-rag.xml").exists()
    assert not (person.home / "opened").exists()


def test_an_upgrade_replaces_and_a_second_time_mends(
    first: Path, second: Path, person: Person
) -> None:
    person.does(first)
    person.environment["PATH"] += f":{person.home}/.local/bin"
    assert "not in PATH" not in person.does(second)
    assert person.version() == "Desktop RAG 1.1\n"
    (person.versions / "1.1" / "_internal" / "lib" / "real.so").unlink()
    person.does(second)
    assert (person.versions / "current" / "_internal" / "lib" / "real.so").exists()
    assert sorted(path.name for path in person.versions.iterdir()) == ["1.1-2", "current"]


def test_removing_leaves_only_the_persons_data(first: Path, person: Person) -> None:
    library = person.home / ".local" / "share" / "desktop-rag" / "library.sqlite3"
    library.parent.mkdir(parents=True)
    library.touch()
    person.does(first)
    own_copy = person.versions / "current" / "installer.sh"
    assert f"rm -r '{library.parent}'" in person.does(own_copy, "--remove")
    left = {path.name for path in person.home.rglob("*") if path.is_file()}
    assert library.exists()
    assert not {"desktop-rag", "desktop-rag.desktop", "desktop-rag.svg", "current"} & left
    assert not person.versions.parent.exists()
    assert "not in" in person.is_refused(first, "--remove")


@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="no shared-mime-info")
def test_removing_takes_the_file_type_along(first: Path, person: Person) -> None:
    types = person.home / ".local" / "share" / "mime"
    person.does(first)
    globs = types / "globs2"
    assert "*.ragmodels" in globs.read_text(encoding="utf-8")
    person.does(first, "--remove")
    assert "*.ragmodels" not in globs.read_text(encoding="utf-8")
    assert not list(types.rglob("x-desktop-rag*"))


def test_another_folder_and_somebody_elses_command(
    first: Path, person: Person, tmp_path: Path
) -> None:
    theirs = person.home / ".local" / "bin" / "desktop-rag"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("#!/bin/sh\necho theirs\n", encoding="utf-8")
    theirs.chmod(0o755)
    place = tmp_path / "Programme"
    (place / "other.new-1").mkdir(parents=True)
    assert "stays as it is" in person.does(first, "--to", place)
    assert person.version() == "theirs\n"
    assert (place / "current" / "desktop-rag").exists()
    person.does(first, "--remove", "--to", place)
    assert everything(place) == [str(place / "other.new-1")]
    assert person.version() == "theirs\n"


def test_models_beside_it_are_imported_first(first: Path, person: Person, tmp_path: Path) -> None:
    beside = Path(shutil.copy(first, tmp_path / "desktop-rag.run"))
    models = tmp_path / "all.ragmodels"
    models.write_text("damaged", encoding="utf-8")
    done = person.run(beside)
    assert done.returncode == 1
    assert "all.ragmodels was not imported, and nothing was installed" in done.stderr
    assert everything(person.home) == []
    models.write_text("whole", encoding="utf-8")
    person.does(beside)
    assert str(models) in (person.home / "imported").read_text(encoding="utf-8")


def test_the_complete_variant_brings_its_model(person: Person, tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_bytes(os.urandom(5000))
    weights_file = CatalogFile("tiny.gguf", 5000, "0" * 64)
    model = ShippedModel("tiny", "Tiny", "Apache-2.0", ((weights, weights_file),))
    file = made(tmp_path / "dist", "1.0", model)
    assert "5000" not in person.does(file, "--check")
    assert "tiny" in person.does(file, "--list")
    person.does(file)
    placed = person.versions / "current/_internal/models/tiny/tiny.gguf"
    assert placed.read_bytes() == weights.read_bytes()
    damaged = bytearray(file.read_bytes())
    damaged[-3000] ^= 1
    file.write_bytes(damaged)
    assert "language model" in person.is_refused(file)


def test_settings_of_a_person_for_its_commands_change_nothing(
    first: Path, person: Person, tmp_path: Path
) -> None:
    (person.home / "here").mkdir()
    (tmp_path / "elsewhere" / "here").mkdir(parents=True)
    shutil.copy(first, person.home / "here" / "desktop-rag.run")
    person.environment |= {
        "CDPATH": str(tmp_path / "elsewhere"),
        "TAR_OPTIONS": "--exclude=*",
        "XZ_OPT": "--list",
    }
    person.does(Path("here/desktop-rag.run"))
    noted = (person.versions / "current" / "installed-from.txt").read_text(encoding="utf-8")
    assert noted == f"{person.home / 'here'}\n"


def test_a_folder_with_any_other_name_is_quoted(
    first: Path, person: Person, tmp_path: Path
) -> None:
    place = tmp_path / ' Büro\\n% `x` "y" & |z '
    person.does(first, "--to", place)
    path = person.home / ".local/share/applications/desktop-rag.desktop"
    lines = path.read_text(encoding="utf-8").splitlines()
    values = [line.partition("=")[2].replace("\\\\", "\\") for line in lines]
    assert f"{place}/current/desktop-rag" in values
    quoted = re.sub(r'(["`$\\])', r"\\\1", str(place)).replace("%", "%%")
    assert f'"{quoted}/current/desktop-rag" --open %F' in values
    if shutil.which("desktop-file-validate"):
        said = subprocess.run(["desktop-file-validate", path], capture_output=True, text=True)
        assert said.stdout == ""


def test_without_xz_it_unpacks_with_its_own(first: Path, person: Person, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for folder in reversed(os.environ["PATH"].split(":")):
        for program in Path(folder).glob("*"):
            if program.name != "xz" and not (tools / program.name).is_symlink():
                (tools / program.name).symlink_to(program)
    person.environment["PATH"] = str(tools)
    person.does(first)
    assert person.version() == "Desktop RAG 1.0\n"
    assert not list(person.versions.glob("*/.tools"))


def test_quiet_says_nothing_and_start_opens_the_window(first: Path, person: Person) -> None:
    assert person.does(first, "--quiet", "--start") == ""
    assert (person.home / "opened").exists()
    assert "--portable FOLDER" in person.does(first, "--help")
    assert person.does(first, "--version") == "Desktop RAG 1.0\n"


def test_a_double_click_shows_errors_and_opens_the_window(
    first: Path, person: Person, tmp_path: Path
) -> None:
    with_command(person, tmp_path / "bin", "zenity", 'echo "$*" >"$HOME/shown"')
    person.environment["DISPLAY"] = ":1"
    person.environment["BROKEN"] = "yes"
    assert person.run(first).returncode == 1
    shown = (person.home / "shown").read_text(encoding="utf-8")
    assert "--error" in shown
    assert "does not start on this system" in shown
    del person.environment["BROKEN"]
    person.does(first, "--quiet")
    assert not (person.home / "opened").exists()
    person.does(first)
    assert (person.home / "opened").exists()


def test_killed_at_any_moment_the_old_program_works_and_the_next_run_tidies_up(
    first: Path, second: Path, person: Person
) -> None:
    person.does(first)
    for step in range(10):
        with subprocess.Popen(
            ["sh", second],
            env=person.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            time.sleep(0.02 * step)
            os.killpg(process.pid, signal.SIGKILL)
        assert person.version() in {"Desktop RAG 1.0\n", "Desktop RAG 1.1\n"}
    person.does(second)
    assert person.version() == "Desktop RAG 1.1\n"
    left = sorted(path.name for path in person.versions.iterdir())
    assert len(left) == 2
    assert left[-1] == "current"
