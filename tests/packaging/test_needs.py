"""What the frozen program takes from the system, told from its files alone."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from release.needs import FROM_THE_SYSTEM, elf_files, external_libraries, glibc_of, needed_by
from release.plan import BuildFailed, Plan

needs_readelf = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("readelf"), reason="no readelf"
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A program of one real executable, a link to it, and a text."""
    plan = Plan("0.1.0", dist=tmp_path)
    plan.libraries.mkdir(parents=True)
    shutil.copy(sys.executable, plan.libraries / "tool")
    (plan.libraries / "link").symlink_to("tool")
    (plan.libraries / "notes.txt").write_text("not a program")
    return plan


@needs_readelf
def test_a_library_that_is_not_inside_is_named_with_its_users(plan: Plan) -> None:
    assert external_libraries(plan)["libc.so.6"] == ["_internal/tool"]


@needs_readelf
def test_a_library_that_lies_in_the_program_is_not_external(plan: Plan) -> None:
    (plan.libraries / "libc.so.6").write_text("")
    assert "libc.so.6" not in external_libraries(plan)


@needs_readelf
def test_links_and_other_files_are_not_read(plan: Plan) -> None:
    assert elf_files(plan.program) == [plan.libraries / "tool"]
    assert list(needed_by([plan.libraries / "tool"])) == [plan.libraries / "tool"]


@needs_readelf
def test_the_oldest_glibc_is_a_version(plan: Plan) -> None:
    assert re.fullmatch(r"2\.\d+(\.\d+)?", glibc_of(plan))


def test_without_a_frozen_program_the_next_step_is_said(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="run the step `freeze` first"):
        external_libraries(Plan("0.1.0", dist=tmp_path))


@needs_readelf
def test_a_missing_readelf_is_said(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BuildFailed, match="install binutils"):
        external_libraries(plan)


@pytest.mark.parametrize("name", ["libstdc++.so.6", "libX11.so.6", "libX11-xcb.so.1"])
def test_what_drivers_share_with_the_program_is_the_systems(name: str) -> None:
    assert FROM_THE_SYSTEM.fullmatch(name)


@pytest.mark.parametrize("name", ["libxcb-cursor.so.0", "libxkbcommon.so.0", "libQt6Gui.so.6"])
def test_what_desktops_may_lack_lies_in_the_program(name: str) -> None:
    assert not FROM_THE_SYSTEM.fullmatch(name)
