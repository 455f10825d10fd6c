"""Takes folders of the building computer out of where the program's libraries look for others.

A Python that was compiled in somebody's home folder names that folder in each of its libraries
(RUNPATH). On another computer whoever owns a folder of that name could put libraries into it, and
the program would load them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from release.elf import DYNAMIC, LOAD, is_64_bit, program_headers
from release.needs import elf_files
from release.plan import Plan

_END, _STRINGS, _RPATH, _RUNPATH = 0, 5, 15, 29
_ENTRY = struct.Struct("<QQ")


def forget_foreign_folders(plan: Plan) -> int:
    """Look at every library; returns how many were changed."""
    return sum(forget(path) for path in elf_files(plan.program))


def forget(path: Path) -> bool:
    """Drop the search paths of one file of which none starts from where the file itself lies.

    The libraries that are shipped lie beside it or are named by the program when it starts.
    """
    data = bytearray(path.read_bytes())
    if not is_64_bit(data):
        return False
    entries = list(_entries(data))
    kept = [one for one in entries if not _is_foreign(data, entries, *one[1:])]
    if len(kept) == len(entries):
        return False
    padding = [(0, _END, 0)] * (len(entries) - len(kept))
    for (at, *_), (_, tag, value) in zip(entries, [*kept, *padding], strict=True):
        _ENTRY.pack_into(data, at, tag, value)
    path.write_bytes(data)
    return True


def _is_foreign(data: bytearray, entries: list[tuple[int, int, int]], tag: int, value: int) -> bool:
    if tag not in (_RPATH, _RUNPATH):
        return False
    strings = next(value for _, tag, value in entries if tag == _STRINGS)
    start = _offset(data, strings) + value
    named = data[start : data.index(b"\0", start)].split(b":")
    return all(one.startswith(b"/") for one in named)


def _entries(data: bytearray) -> Iterator[tuple[int, int, int]]:
    """Place, kind and value of each entry for the loader, up to the one that ends them."""
    for part in program_headers(data):
        end = part.offset + part.size if part.kind == DYNAMIC else part.offset
        for at in range(part.offset, end, _ENTRY.size):
            tag, value = _ENTRY.unpack_from(data, at)
            yield at, tag, value
            if tag == _END:
                return


def _offset(data: bytearray, address: int) -> int:
    """Where in the file the contents of an address lie."""
    for part in program_headers(data):
        if part.kind == LOAD and part.address <= address < part.address + part.size:
            return part.offset + address - part.address
    raise ValueError(f"no part of the file is at {address:#x}")
