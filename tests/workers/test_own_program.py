"""No worker of another version is started after an update under a running program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop_rag import __main__ as program
from desktop_rag.domain.errors import RoleUnavailable
from desktop_rag.workers import supervisor as supervising
from desktop_rag.workers.own_program import OwnProgram, this_program
from tests.helpers.fake_hosts import ECHO
from tests.workers.conftest import Supervise


@pytest.fixture
def executable(tmp_path: Path) -> Path:
    file = tmp_path / "desktop-rag"
    file.write_bytes(b"one")
    return file


def replace(file: Path) -> None:
    """As a package manager does it: the same name, size and time, another file."""
    new, stat = file.with_name("new"), file.stat()
    new.write_bytes(b"two")
    os.utime(new, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    new.replace(file)


@pytest.mark.parametrize("change", [replace, Path.unlink])
def test_a_program_that_was_replaced_starts_no_worker(
    supervise: Supervise,
    executable: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: object,
) -> None:
    monkeypatch.setattr(supervising, "own_program", OwnProgram(executable))
    supervisor = supervise()
    assert supervisor.call(ECHO, "before") == "before"
    assert callable(change)
    change(executable)
    assert supervisor.call(ECHO, "it runs") == "it runs", "a worker that is there goes on"
    supervisor.restart()
    with pytest.raises(RoleUnavailable, match=r"updated or moved.*start it again"):
        supervisor.call(ECHO, "after")
    assert supervisor.pid == 0


def test_a_checkout_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/gone")
    this_program().require_unchanged("parse")


def test_a_frozen_program_looks_at_its_executable(
    executable: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(executable)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(link))
    own = this_program()
    own.require_unchanged("parse")
    replace(executable)
    with pytest.raises(RoleUnavailable):
        own.require_unchanged("parse")


def own(environment: dict[str, str]) -> dict[str, str]:
    """Without what pytest adds."""
    return {name: value for name, value in environment.items() if "PYTEST" not in name}


class TestWhatAFrozenProgramHandsOn:
    @pytest.fixture
    def environment(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
        made = {
            "LD_LIBRARY_PATH": "/opt/desktop-rag/_internal",
            "_PYI_ARCHIVE_FILE": "/opt/desktop-rag/desktop-rag",
            "_PYI_PARENT_PROCESS_LEVEL": "-1",
            "HOME": "/home/a",
        }
        monkeypatch.setattr(os, "environ", made)
        return made

    def test_is_nothing_of_its_own(
        self, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        program._forget_how_it_was_started()
        assert own(environment) == {"HOME": "/home/a"}

    def test_is_what_the_person_had_set(
        self, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        environment["LD_LIBRARY_PATH_ORIG"] = "/opt/theirs"
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        program._forget_how_it_was_started()
        assert own(environment) == {"HOME": "/home/a", "LD_LIBRARY_PATH": "/opt/theirs"}

    def test_is_everything_in_a_checkout(self, environment: dict[str, str]) -> None:
        before = dict(environment)
        program._forget_how_it_was_started()
        assert environment == before
