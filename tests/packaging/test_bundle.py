"""Installs a made program of three files with the real installer, and everything that may go wrong.

The installer is a text for any POSIX shell, so it is run, not imported.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from release import bundle
from release.plan import Plan
from release.shipped_model import ShippedModel

from desktop_rag.storage.model_catalog import CatalogFile
from tests.packaging.frozen_folder import with_licences

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the installer is for Linux"),
    pytest.mark.skipif(
        not (shutil.which("xz") and shutil.which("readelf")), reason="needs xz and readelf"
    ),
]

_PROGRAM = """#!/bin/sh
if [ -n "${BROKEN-}" ]; then echo "no such symbol" >&2; exit 1; fi
case $1 in
--version) echo "Desktop RAG VERSION" ;;
models) grep -q whole "$3" && echo "$3" "${DESKTOP_RAG_MODELS_DIR-}" >>"$HOME/imported" ;;
*) echo opened >"$HOME/opened" ;;
esac
"""


def _made(folder: Path, version: str, model: ShippedModel | None = None) -> Path:
    """A `.run` of a program that is a script, a library and a link to it."""
    plan = Plan(version, dist=folder)
    (plan.libraries / "lib").mkdir(parents=True)
    with_licences(plan)
    (plan.libraries / "lib" / "real.so").write_text("library", encoding="utf-8")
    (plan.libraries / "short.so").symlink_to("lib/real.so")
    shutil.copy(shutil.which("true") or "", plan.libraries / "lib" / "linked")
    program = plan.program / "desktop-rag"
    program.write_text(_PROGRAM.replace("VERSION", version), encoding="utf-8")
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        patch.setattr(bundle, "shipped_model", lambda _: model)
        patch.setattr(bundle, "_SPARE_KB", 64)
        bundle.run(plan)
    name = "desktop-rag" if model is None else "desktop-rag-complete"
    return plan.out / f"{name}-{version}-linux-{platform.machine()}.run"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Version 1.0."""
    return _made(tmp_path_factory.mktemp("first"), "1.0")


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Version 1.1."""
    return _made(tmp_path_factory.mktemp("second"), "1.1")


class Person:
    """Somebody with a home folder of their own who runs installers."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        self.versions = home / ".local" / "opt" / "desktop-rag"

    def run(self, file: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run it and wait."""
        return subprocess.run(
            ["sh", file, *arguments],
            env=self.environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def does(self, file: Path, *arguments: str | Path) -> str:
        """Run what must succeed; returns what it says."""
        done = self.run(file, *arguments)
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return done.stdout

    def is_refused(self, file: Path, *arguments: str | Path) -> str:
        """Run what must be refused, with nothing changed; returns the sentence."""
        before = _everything(self.home)
        done = self.run(file, *arguments)
        assert done.returncode == 1, done.stdout
        assert _everything(self.home) == before
        return done.stderr

    def version(self) -> str:
        """What the command of the terminal says."""
        command: list[str | Path] = [self.home / ".local" / "bin" / "desktop-rag", "--version"]
        return subprocess.check_output(command, env=self.environment, text=True)


def _everything(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


@pytest.fixture
def person(tmp_path: Path) -> Person:
    home = tmp_path / "Mein Büro & $Co"
    home.mkdir()
    return Person(home)


def test_the_text_is_clean(first: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("needs shellcheck")
    done = subprocess.run(
        ["shellcheck", "-"], input=bundle.installer_text(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_same_input_gives_the_same_bytes(first: Path, tmp_path: Path) -> None:
    assert _made(tmp_path, "1.0").read_bytes() == first.read_bytes()


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
    assert _everything(place) == [str(place / "other.new-1")]
    assert person.version() == "theirs\n"


def test_portable_keeps_data_beside_and_writes_nothing_at_home(
    first: Path, second: Path, person: Person, tmp_path: Path
) -> None:
    before, stick = _everything(person.home), tmp_path / "Stick"
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
    assert _everything(person.home) == before


def test_a_stick_without_links_gets_copies(first: Path, person: Person, tmp_path: Path) -> None:
    _with_command(person, tmp_path / "bin", "ln", "exit 1")
    person.does(first, "--portable", tmp_path / "Stick")
    copy = tmp_path / "Stick" / "desktop-rag" / "_internal" / "short.so"
    assert not copy.is_symlink()
    assert copy.read_text(encoding="utf-8") == "library"


def test_a_power_cut_between_the_two_renames_of_a_portable_program(
    first: Path, second: Path, person: Person, tmp_path: Path
) -> None:
    person.does(first, "--portable", tmp_path / "Stick")
    program = tmp_path / "Stick" / "desktop-rag"
    (program / "data").mkdir()
    program.rename(tmp_path / "Stick" / "desktop-rag.old-4711")
    person.does(second, "--portable", tmp_path / "Stick")
    assert (program / "data").is_dir()
    assert [path.name for path in (tmp_path / "Stick").iterdir()] == ["desktop-rag"]


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
    first: Path, second: Path, person: Person, tmp_path: Path
) -> None:
    person.does(first, "--portable", tmp_path / "Stick")
    program = tmp_path / "Stick" / "desktop-rag"
    (program / "data").mkdir()
    # Whoever ends it at the first thing that is deleted of the old program:
    real = shutil.which("rm")
    text = f'case "$*" in *.old-*) kill -9 $PPID ;; esac\nexec {real} "$@"'
    _with_command(person, tmp_path / "bin", "rm", text)
    assert person.run(second, "--portable", tmp_path / "Stick").returncode == -signal.SIGKILL
    assert (program / "data").is_dir()
    assert "1.1" in subprocess.check_output([program / "desktop-rag", "--version"], text=True)


def test_models_beside_it_are_imported_first(first: Path, person: Person, tmp_path: Path) -> None:
    beside = Path(shutil.copy(first, tmp_path / "desktop-rag.run"))
    models = tmp_path / "all.ragmodels"
    models.write_text("damaged", encoding="utf-8")
    done = person.run(beside)
    assert done.returncode == 1
    assert "all.ragmodels was not imported, and nothing was installed" in done.stderr
    assert _everything(person.home) == []
    models.write_text("whole", encoding="utf-8")
    person.does(beside)
    assert str(models) in (person.home / "imported").read_text(encoding="utf-8")


def test_the_complete_variant_brings_its_model(person: Person, tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_bytes(os.urandom(5000))
    file = CatalogFile("tiny.gguf", 5000, "0" * 64)
    model = ShippedModel("tiny", "Tiny", "Apache-2.0", ((weights, file),))
    made = _made(tmp_path / "dist", "1.0", model)
    assert "5000" not in person.does(made, "--check")
    assert "tiny" in person.does(made, "--list")
    person.does(made)
    placed = person.versions / "current/_internal/models/tiny/tiny.gguf"
    assert placed.read_bytes() == weights.read_bytes()
    damaged = bytearray(made.read_bytes())
    damaged[-3000] ^= 1
    made.write_bytes(damaged)
    assert "language model" in person.is_refused(made)


@pytest.mark.parametrize(
    ("place", "what"), [(-200, "program"), (20_000, "tools"), (2_000, "first part")]
)
def test_a_flipped_bit_is_found_wherever_it_is(
    first: Path, person: Person, tmp_path: Path, place: int, what: str
) -> None:
    data = bytearray(first.read_bytes())
    data[place + _header_size(first) if place == 20_000 else place] ^= 1
    (tmp_path / "copy.run").write_bytes(data)
    sentence = person.is_refused(tmp_path / "copy.run")
    assert f"copy.run is damaged in its {what}".replace("its program", "the program") in sentence
    assert "copy or download it again. Nothing was changed." in sentence


def _header_size(file: Path) -> int:
    line = next(one for one in file.read_bytes().splitlines() if b" HEADER=" in one)
    return int(line.split(b" HEADER=")[1])


def test_a_file_that_was_cut_short_is_refused(first: Path, person: Person, tmp_path: Path) -> None:
    (tmp_path / "copy.run").write_bytes(first.read_bytes()[:-1])
    assert "bytes instead of" in person.is_refused(tmp_path / "copy.run")
    assert "bytes instead of" in person.is_refused(tmp_path / "copy.run", "--check")


def test_a_program_that_does_not_start_here_is_not_installed(
    first: Path, second: Path, person: Person
) -> None:
    person.does(first)
    person.environment["BROKEN"] = "yes"
    assert "does not start on this system: no such symbol" in person.is_refused(second)
    del person.environment["BROKEN"]
    assert person.version() == "Desktop RAG 1.0\n"


def test_nothing_is_replaced_under_a_running_program(
    first: Path, second: Path, person: Person
) -> None:
    person.does(first)
    running = person.versions / "1.0" / "_internal" / "running"
    shutil.copy(shutil.which("sleep") or "", running)
    process = subprocess.Popen([running, "60"])
    try:
        for arguments in ([], ["--remove"]):
            sentence = person.is_refused(second, *arguments)
            assert f"process {process.pid}" in sentence
    finally:
        process.kill()
        process.wait()
    person.does(second)


def test_other_programs_of_a_folder_are_no_obstacle(
    first: Path, person: Person, tmp_path: Path
) -> None:
    place = tmp_path / "opt"
    (place / "other").mkdir(parents=True)
    shutil.copy(shutil.which("sleep") or "", place / "other" / "sleep")
    process = subprocess.Popen([place / "other" / "sleep", "60"])
    try:
        person.does(first, "--to", place)
    finally:
        process.kill()
        process.wait()


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


def test_a_link_that_somebody_laid_into_a_folder_of_everybody_is_not_followed(
    first: Path, person: Person, tmp_path: Path
) -> None:
    mine = person.home / "letter.txt"
    mine.write_text("mine", encoding="utf-8")
    place = tmp_path / "everybody"
    place.mkdir()
    (place / ".desktop-rag.probe").symlink_to(mine)
    _with_command(person, tmp_path / "bin", "rm", "exit 1")  # as where only its owner deletes it
    assert "cannot be written to" in person.is_refused(first, "--to", place)
    assert mine.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_no_menu_entry_could_name_is_refused(
    first: Path, person: Person, tmp_path: Path
) -> None:
    assert "line break in its name" in person.is_refused(first, "--to", tmp_path / "a\nb")


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


def _with_command(person: Person, folder: Path, name: str, text: str) -> None:
    """Let a command say something else."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)
    person.environment["PATH"] = f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("uname", "[ $1 = -s ] && echo Linux || echo riscv64", "this is Linux on riscv64"),
        ("getconf", "echo glibc 2.1", "or newer, as Debian 12 has it; this system has 2.1."),
        ("df", "printf 'Filesystem\\n/dev/a b 9 9 7 100%% /x 1\\n'", "0 MB are free: make room"),
    ],
)
def test_a_system_that_does_not_suit(
    second: Path, person: Person, tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    _with_command(person, tmp_path / "bin", name, text)
    said = person.is_refused(second)
    assert sentence in said
    assert said.endswith("Nothing was changed.\n")


def test_libraries_that_the_window_lacks_are_told(
    first: Path, person: Person, tmp_path: Path
) -> None:
    text = "printf '\\tlibEGL.so.1 => not found\\n\\tlibc.so.6 => /lib/libc.so.6 (0x1)\\n'"
    _with_command(person, tmp_path / "bin", "ldd", text)
    assert "lacks: libEGL.so.1. Started in a terminal, it names" in person.does(first)


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


def test_a_home_that_cannot_be_written_to(first: Path, person: Person, tmp_path: Path) -> None:
    person.environment["HOME"] = "/proc/self"  # where not even root may write
    sentence = person.is_refused(first)
    assert sentence.startswith("/proc/self cannot be written to: name a folder of yours")
    assert sentence.endswith("Nothing was changed.\n")
    assert "no menu entry" in person.does(first, "--to", tmp_path / "else")
    del person.environment["HOME"]
    assert "HOME is not set" in person.is_refused(first)


@pytest.mark.parametrize("arguments", [["--to"], ["--frobnicate"], ["--portable", ""]])
def test_wrong_options_are_explained(first: Path, person: Person, arguments: list[str]) -> None:
    done = person.run(first, *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert _everything(person.home) == []


def test_quiet_says_nothing_and_start_opens_the_window(first: Path, person: Person) -> None:
    assert person.does(first, "--quiet", "--start") == ""
    assert (person.home / "opened").exists()
    assert "--portable FOLDER" in person.does(first, "--help")
    assert person.does(first, "--version") == "Desktop RAG 1.0\n"


def test_a_double_click_shows_errors_and_opens_the_window(
    first: Path, person: Person, tmp_path: Path
) -> None:
    _with_command(person, tmp_path / "bin", "zenity", 'echo "$*" >"$HOME/shown"')
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
