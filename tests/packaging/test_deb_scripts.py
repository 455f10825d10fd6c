"""What the scripts of the Debian packages refuse, tell and leave alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from release import debian_scripts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they are scripts for Linux")


class Machine:
    """Folders in the places of `/proc` and `/usr/lib`, and a script that takes them for those."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.proc, self.lib = folder / "proc", folder / "lib"
        self.program = self.lib / "desktop-rag" / "desktop-rag"
        self.program.parent.mkdir(parents=True)
        self.program.write_text("program")

    def start(self, process: int, program: Path) -> None:
        (self.proc / str(process)).mkdir(parents=True)
        (self.proc / str(process) / "exe").symlink_to(program)

    def run(self, name: str, *words: str, needed_kib: int = 1) -> subprocess.CompletedProcess[str]:
        text = debian_scripts.script(name, needed_kib)
        text = text.replace("/usr/lib", str(self.lib)).replace("/proc", str(self.proc))
        path = self._folder / name
        path.write_text(text)
        return subprocess.run(
            ["sh", str(path), *words], capture_output=True, text=True, check=False
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


ASKED: Sequence[tuple[str, ...]] = (("install",), ("upgrade", "0.0.9"), ("install", "0.0.9"))


@pytest.mark.parametrize("words", ASKED)
def test_nothing_is_unpacked_over_a_running_program(
    machine: Machine, words: tuple[str, ...]
) -> None:
    machine.start(1200, machine.program)
    machine.start(345, machine.program)
    machine.start(12, Path("/bin/true"))
    done = machine.run("preinst", *words)
    assert done.returncode == 1
    assert re.fullmatch(
        r"Desktop RAG is running \(process 345, user \S+\): quit it and install again. "
        r"Nothing was changed.\n",
        done.stderr,
    )


def test_other_programs_and_a_missing_proc_are_no_obstacle(
    machine: Machine, tmp_path: Path
) -> None:
    assert machine.run("preinst", "install").stderr == ""
    other = tmp_path / "elsewhere" / "desktop-rag"
    other.parent.mkdir()
    other.write_text("another copy")
    machine.start(77, other)
    machine.start(78, tmp_path / "gone")
    assert machine.run("preinst", "upgrade", "0.0.9").returncode == 0
    machine.program.unlink()
    assert machine.run("preinst", "install").returncode == 0, "a first installation"


def test_too_little_room_is_said_before_anything_is_unpacked(machine: Machine) -> None:
    done = machine.run("preinst", "install", needed_kib=1 << 50)
    assert done.returncode == 1
    assert "Desktop RAG needs 1099511627776 MB in " in done.stderr
    assert done.stderr.endswith("MB are free: make room and install again. Nothing was changed.\n")


def test_going_back_after_a_failed_step_is_never_refused(machine: Machine) -> None:
    machine.start(345, machine.program)
    assert machine.run("preinst", "abort-upgrade", "0.2.0").returncode == 0
    assert machine.run("prerm", "upgrade", "0.2.0").stderr == ""


def test_a_removal_names_who_uses_the_program_and_goes_on(machine: Machine) -> None:
    machine.start(345, machine.program)
    done = machine.run("prerm", "remove")
    assert done.returncode == 0
    assert done.stderr.startswith("Desktop RAG is running (process 345, user ")
    assert machine.run("postrm", "remove").stdout == ""
    assert "stay in their home folders" in machine.run("postrm", "purge").stdout


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="no shellcheck")
def test_the_scripts_are_clean(tmp_path: Path) -> None:
    for name in debian_scripts.SCRIPTS:
        (tmp_path / name).write_text(debian_scripts.script(name, 1))
    paths = sorted(map(str, tmp_path.iterdir()))
    done = subprocess.run(
        ["shellcheck", "-s", "sh", *paths], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
