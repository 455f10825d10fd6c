"""What the installer refuses, and what it is not hindered by."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.packaging.installing import Person, everything, needs_installer, with_command

pytestmark = needs_installer


@pytest.mark.parametrize(
    ("place", "what"), [(-200, "program"), (20_000, "tools"), (9_000, "first part")]
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


def test_nothing_is_replaced_under_a_program_that_was_started_meanwhile(
    first: Path, second: Path, person: Person, tmp_path: Path
) -> None:
    person.does(first)
    running = person.versions / "1.0" / "_internal" / "running"
    shutil.copy(shutil.which("sleep") or "", running)
    noted, real = tmp_path / "process", shutil.which("tar")
    text = f"""'{running}' 60 >/dev/null 2>&1 &
echo $! >'{noted}'
until [ "$(readlink /proc/$!/exe)" = '{running}' ]; do sleep 0.01; done
exec {real} "$@"
"""
    with_command(person, tmp_path / "bin", "tar", text)
    try:
        sentence = person.is_refused(second)
    finally:
        process = int(noted.read_text(encoding="utf-8"))
        os.kill(process, signal.SIGKILL)
    assert f"process {process}" in sentence
    assert person.version() == "Desktop RAG 1.0\n"


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


def test_a_link_that_somebody_laid_into_a_folder_of_everybody_is_not_followed(
    first: Path, person: Person, tmp_path: Path
) -> None:
    mine = person.home / "letter.txt"
    mine.write_text("mine", encoding="utf-8")
    place = tmp_path / "everybody"
    place.mkdir()
    # As where somebody guesses its name, and where only the owner of a link deletes it:
    with_command(person, tmp_path / "bin", "rm", f"ln -s '{mine}' \"$2\"; exit 1")
    assert "cannot be written to" in person.is_refused(first, "--to", place)
    assert mine.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_no_menu_entry_could_name_is_refused(
    first: Path, person: Person, tmp_path: Path
) -> None:
    assert "line break in its name" in person.is_refused(first, "--to", tmp_path / "a\nb")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("uname", "[ $1 = -s ] && echo Linux || echo riscv64", "this is Linux on riscv64"),
        ("getconf", "echo glibc 2.1", "or newer, as Debian 12 has it; this system has 2.1."),
        ("getconf", "echo musl libc 1.2.4", "this system has musl."),
        ("chmod", "exit 0", "lets no program start (noexec, or FAT): name a folder of yours"),
        ("df", "printf 'Filesystem\\n/dev/a b 9 9 7 100%% /x 1\\n'", "0 MB are free: make room"),
    ],
)
def test_a_system_that_does_not_suit(
    second: Path, person: Person, tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    with_command(person, tmp_path / "bin", name, text)
    said = person.is_refused(second)
    assert sentence in said
    assert said.endswith("Nothing was changed.\n")


def test_libraries_that_the_window_lacks_are_told(
    first: Path, person: Person, tmp_path: Path
) -> None:
    text = "printf '\\tlibEGL.so.1 => not found\\n\\tlibc.so.6 => /lib/libc.so.6 (0x1)\\n'"
    with_command(person, tmp_path / "bin", "ldd", text)
    assert "lacks: libEGL.so.1. Started in a terminal, it names" in person.does(first)


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
    assert everything(person.home) == []


def test_a_portable_program_takes_no_folder_of_somebody_else(
    first: Path, person: Person, tmp_path: Path
) -> None:
    theirs = tmp_path / "Stick" / "desktop-rag" / "letter.txt"
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    sentence = person.is_refused(first, "--portable", tmp_path / "Stick")
    assert "is there and is not this program" in sentence
    assert everything(tmp_path / "Stick") == [str(theirs.parent), str(theirs)]
    assert "is a file" in person.is_refused(first, "--to", theirs)


def test_a_link_of_somebody_else_stays(first: Path, person: Person, tmp_path: Path) -> None:
    (tmp_path / "site" / "3").mkdir(parents=True)
    (tmp_path / "site" / "current").symlink_to("3")
    assert "not of this program" in person.is_refused(first, "--to", tmp_path / "site")
    assert (tmp_path / "site" / "current").readlink() == Path("3")


def test_two_that_begin_together_leave_one_program_or_none(
    first: Path, person: Person, tmp_path: Path
) -> None:
    both = [
        subprocess.Popen(
            ["sh", first, "--to", tmp_path / "here"],
            env=person.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    errors = [process.communicate(timeout=60)[1] for process in both]
    for process, error in zip(both, errors, strict=True):
        assert process.returncode == 0 or "Another installation" in error
    person.does(first, "--to", tmp_path / "here")
    assert len(list((tmp_path / "here").iterdir())) == 2


def test_of_two_that_saw_nothing_of_each_other_one_gives_way(
    first: Path, person: Person, tmp_path: Path
) -> None:
    place, noted = tmp_path / "here", tmp_path / "process"
    # As where the other one makes its folder after the first look, and before this one's:
    text = f"""{shutil.which("mkdir")} "$@" || exit
case "$*" in *.desktop-rag.new-*) [ ! -e '{noted}' ] || exit ;; *) exit ;; esac
sh -c 'read line' <>"{tmp_path / "never"}" >/dev/null 2>&1 &
echo $! >'{noted}'
{shutil.which("mkdir")} '{place}/.desktop-rag.new-'$!
"""
    os.mkfifo(tmp_path / "never")
    with_command(person, tmp_path / "bin", "mkdir", text)
    try:
        sentence = person.is_refused(first, "--to", place)
    finally:
        process = int(noted.read_text(encoding="utf-8"))
        os.kill(process, signal.SIGKILL)
    assert f"is running (process {process}): wait" in sentence
    assert [path.name for path in place.iterdir()] == [f".desktop-rag.new-{process}"]


@pytest.mark.parametrize(
    ("home", "sentence"), [("relative", "HOME names no folder"), ("/tmp/a\nb", "line break")]
)
def test_a_home_that_no_menu_entry_can_name(
    first: Path, person: Person, home: str, sentence: str
) -> None:
    person.environment["HOME"] = home
    assert sentence in person.is_refused(first)


def test_damage_in_the_text_is_told_and_not_run(
    first: Path, person: Person, tmp_path: Path
) -> None:
    text = first.read_bytes()
    broken = text.replace(b"check_system() {", b"check_system()) ", 1)
    assert len(broken) == len(text)
    (tmp_path / "copy.run").write_bytes(broken)
    assert "damaged in its first part" in person.is_refused(tmp_path / "copy.run")
    (tmp_path / "copy.run").write_bytes(text[:8000])
    assert "damaged in its first part" in person.is_refused(tmp_path / "copy.run")
