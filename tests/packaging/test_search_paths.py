"""Search paths of libraries, on a made library that has only what the loader reads."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from release import search_paths

RUNPATH, NEEDED, STRINGS = 29, 1, 5
BASE = 0x4000
"""Where the file lies in memory: addresses are not places in the file."""


def library(path: Path, *runpaths: str) -> Path:
    """An ELF file that needs one library and has these search paths."""
    strings = b"\0libc.so.6\0" + b"".join(one.encode() + b"\0" for one in runpaths)
    table, entries = 64, 64 + 2 * 56
    start = entries + (3 + len(runpaths)) * 16
    found = [(NEEDED, 1), *((RUNPATH, strings.index(one.encode())) for one in runpaths)]
    found += [(STRINGS, BASE + start), (0, 0)]
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", table)
    header = header.ljust(54, b"\0") + struct.pack("<HH", 56, 2)
    size = start + len(strings)
    programs = struct.pack("<IIQQQQQQ", 1, 4, 0, BASE, BASE, size, size, 0x1000)
    programs += struct.pack("<IIQQQQQQ", 2, 6, entries, BASE + entries, 0, len(found) * 16, 0, 8)
    body = b"".join(struct.pack("<QQ", *one) for one in found)
    path.write_bytes(header.ljust(table, b"\0") + programs + body + strings)
    return path


def loaded(path: Path) -> list[tuple[int, str | int]]:
    """What the loader would read."""
    data = bytearray(path.read_bytes())
    entries = [(tag, value) for _, tag, value in search_paths._entries(data) if tag != 0]
    base = next(value for tag, value in entries if tag == STRINGS) - BASE
    named = {RUNPATH, NEEDED}
    return [
        (tag, data[base + value : data.index(b"\0", base + value)].decode() if tag in named else 0)
        for tag, value in entries
    ]


def test_a_folder_of_the_building_computer_is_forgotten(tmp_path: Path) -> None:
    path = library(tmp_path / "a.so", "/home/me/python/lib:/opt/lib")
    assert search_paths.forget(path)
    assert loaded(path) == [(NEEDED, "libc.so.6"), (STRINGS, 0)]
    assert not search_paths.forget(path), "there is nothing left to forget"


@pytest.mark.parametrize("runpath", ["$ORIGIN", "$ORIGIN/../lib:/opt/lib"])
def test_a_folder_beside_the_library_stays(tmp_path: Path, runpath: str) -> None:
    path = library(tmp_path / "a.so", runpath)
    before = path.read_bytes()
    assert not search_paths.forget(path)
    assert path.read_bytes() == before


def test_the_right_one_of_two_is_forgotten(tmp_path: Path) -> None:
    path = library(tmp_path / "a.so", "/home/me/lib", "$ORIGIN")
    assert search_paths.forget(path)
    assert loaded(path) == [(NEEDED, "libc.so.6"), (RUNPATH, "$ORIGIN"), (STRINGS, 0)]


def test_a_library_for_32_bits_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "old.so"
    path.write_bytes(b"\x7fELF\x01\x01" + bytes(60))
    assert not search_paths.forget(path)
