"""Symbols go, and a library that would not load afterwards stays as it was."""

from __future__ import annotations

import importlib.util
import shutil
import struct
import sys
from pathlib import Path

import pytest
from release import stripping
from release.plan import Plan, executable
from release.stripping import can_be_loaded, strip_libraries

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("strip"), reason="no strip"
)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """A program with one library, which is a real one."""
    plan = Plan("0.1.0", dist=tmp_path)
    plan.libraries.mkdir(parents=True)
    shutil.copy(sys.executable, executable(plan))
    found = importlib.util.find_spec("_decimal")
    if found is None or not found.origin or not Path(found.origin).exists():
        pytest.skip("this Python has no library to strip")
    shutil.copy(found.origin, plan.libraries / "_decimal.so")
    return plan


def test_a_library_is_no_larger_and_can_be_loaded(plan: Plan) -> None:
    library = plan.libraries / "_decimal.so"
    before = library.stat().st_size
    saved = strip_libraries(plan)
    assert library.stat().st_size == before - saved
    assert can_be_loaded(library)


def test_the_program_itself_is_not_touched(plan: Plan) -> None:
    before = executable(plan).read_bytes()
    strip_libraries(plan)
    assert executable(plan).read_bytes() == before


def test_a_part_that_is_not_on_a_page_is_seen(plan: Plan) -> None:
    library = plan.libraries / "_decimal.so"
    data = bytearray(library.read_bytes())
    _move_first_part(data)
    library.write_bytes(data)
    assert not can_be_loaded(library)


def test_a_library_that_came_out_wrong_stays(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (plan.libraries / "_decimal.so").read_bytes()
    monkeypatch.setattr(stripping, "can_be_loaded", lambda path: False)
    assert strip_libraries(plan) == 0
    assert (plan.libraries / "_decimal.so").read_bytes() == before


def _move_first_part(data: bytearray) -> None:
    """Change the offset of what is mapped first by one byte."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for at in range(table, table + size * count, size):
        if struct.unpack_from("<I", data, at) == (1,):
            (offset,) = struct.unpack_from("<Q", data, at + 8)
            struct.pack_into("<Q", data, at + 8, offset + 1)
            return
