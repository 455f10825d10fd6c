"""Takes the names that only debuggers read out of the frozen program's libraries (55 MB).

Not by the switch of PyInstaller: some libraries of wheels, which were rewritten to find each other,
cannot be loaded after `strip` has been at them. Each result is looked at, and a library that
came out wrong stays as it is.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

from release.needs import elf_files
from release.plan import Plan, call, executable

_LOAD = 1
_64_BIT = 2


def strip_libraries(plan: Plan) -> int:
    """Strip all libraries; returns how many bytes that saved.

    Raises:
        BuildFailed: `strip` is missing or refuses a library.
    """
    saved = 0
    for path in elf_files(plan.program):
        if path != executable(plan):  # carries the modules behind its own code
            saved += _strip(path)
    return saved


def _strip(path: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder) / path.name
        call(["strip", "--strip-unneeded", "-o", stripped, path])
        saved = path.stat().st_size - stripped.stat().st_size
        if saved <= 0 or not can_be_loaded(stripped):
            return 0
        path.write_bytes(stripped.read_bytes())
    return saved


def can_be_loaded(path: Path) -> bool:
    """Whether every part lies in the file as the loader wants to map it."""
    return all((address - offset) % align == 0 for offset, address, align in _loaded_parts(path))


def _loaded_parts(path: Path) -> Iterator[tuple[int, int, int]]:
    """Offset, address and alignment of what is mapped, from the ELF program headers."""
    data = path.read_bytes()
    is_64 = data[4] == _64_BIT
    (table,) = struct.unpack_from("<Q" if is_64 else "<I", data, 32 if is_64 else 28)
    size, count = struct.unpack_from("<HH", data, 54 if is_64 else 42)
    for at in range(table, table + size * count, size):
        if is_64:
            kind, _flags, offset, address, *_rest, align = struct.unpack_from("<IIQQQQQQ", data, at)
        else:
            kind, offset, address, *_rest, align = struct.unpack_from("<IIIIIIII", data, at)
        if kind == _LOAD:
            yield offset, address, max(align, 1)
