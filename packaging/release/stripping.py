"""Takes the names that only debuggers read out of the frozen program's libraries (50 MB).

Not by the switch of PyInstaller: some libraries of wheels, which were rewritten to find each other,
cannot be loaded after `strip` has been at them. Each result is looked at, and a library that
came out wrong stays as it is.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from release.elf import LOAD, is_64_bit, program_headers
from release.needs import elf_files
from release.plan import Plan, call, executable


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
    data = path.read_bytes()
    return is_64_bit(data) and all(
        (part.address - part.offset) % max(part.align, 1) == 0
        for part in program_headers(data)
        if part.kind == LOAD
    )
