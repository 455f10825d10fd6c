"""Which shared libraries the frozen program takes from the system, and from which glibc on it runs.

What must fit the machine comes from it: the C and C++ runtime, the graphics drivers' libraries and
those that drivers load themselves, X11 and Wayland, and fontconfig, which reads the system's own
configuration. Everything else lies in the program. The Debian package's dependencies follow from
`external_libraries`, and the glibc that the installer without root asks for from `glibc_of`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from release.plan import BuildFailed, Plan

FROM_THE_SYSTEM = re.compile(
    # A driver of the system needs the system's C++ runtime, which is at least as new as ours.
    r"lib(stdc\+\+|gcc_s)\.so\..*"
    # Drivers load these too, and a program must not hold two of one.
    r"|libX11(-xcb)?\.so\..*|libXext\.so\..*|libXau\.so\..*|libXdmcp\.so\..*"
    # Their settings and caches are the system's.
    r"|libfontconfig\.so\..*|libfreetype\.so\..*"
)
"""File names that `desktop-rag.spec` leaves out besides those that PyInstaller never takes."""

_ELF = b"\x7fELF"
_AT_ONCE = 200
_NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")


def external_libraries(plan: Plan) -> dict[str, list[str]]:
    """Sonames that are not in the program, each with the files that link to it (from its folder).

    Raises:
        BuildFailed: the program is not frozen, or `readelf` is missing.
    """
    files = elf_files(plan.program)
    inside = {path.name for path in plan.program.rglob("*")}
    users: dict[str, list[str]] = defaultdict(list)
    for path, names in needed_by(files).items():
        for name in names:
            if name not in inside:
                users[name].append(str(path.relative_to(plan.program)))
    return {name: sorted(users[name]) for name in sorted(users)}


def glibc_of(plan: Plan) -> str:
    """The oldest glibc that has every symbol the program uses, such as `2.36`.

    Raises:
        BuildFailed: the program is not frozen, or `readelf` is missing.
    """
    return symbol_version(plan, "GLIBC")


def symbol_version(plan: Plan, family: str) -> str:
    """The newest version of symbols that the program uses or has: of `GLIBC`, `GLIBCXX` …

    Raises:
        BuildFailed: the program is not frozen, or `readelf` is missing.
    """
    text = "".join(_read_elf("--version-info", some) for some in _parts(elf_files(plan.program)))
    found = re.findall(rf"\b{family}_(\d+(?:\.\d+)+)", text)
    versions = {tuple(int(part) for part in one.split(".")) for one in found}
    return ".".join(str(part) for part in max(versions, default=(0,)))


def elf_files(folder: Path) -> list[Path]:
    """Programs and libraries below a folder, without links to them.

    Raises:
        BuildFailed: there is none.
    """
    found = [path for path in sorted(folder.rglob("*")) if not path.is_symlink() and is_elf(path)]
    if not found:
        raise BuildFailed(f"{folder} has no program: run the step `freeze` first.")
    return found


def is_elf(path: Path) -> bool:
    """Whether a file is a program or a library of Linux."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_ELF)) == _ELF


def needed_by(files: Iterable[Path]) -> dict[Path, list[str]]:
    """The sonames that each file is linked to.

    Raises:
        BuildFailed: `readelf` is missing.
    """
    needs: dict[Path, list[str]] = {}
    for some in _parts(list(files)):
        for section in _read_elf("--dynamic", some).split("\nFile: ")[1:]:
            name, _, rest = section.partition("\n")
            needs[Path(name.strip())] = _NEEDED.findall(rest)
    return needs


def _parts(files: Sequence[Path]) -> Iterable[tuple[Path, ...]]:
    """So many that they fit into one command line."""
    return (tuple(files[at : at + _AT_ONCE]) for at in range(0, len(files), _AT_ONCE))


def _read_elf(what: str, files: Sequence[Path]) -> str:
    # With /dev/null as a second file it names even a single one.
    command = ["readelf", what, "--wide", *map(str, files), os.devnull]
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BuildFailed("readelf is missing: install binutils and run this again.") from None
    return done.stdout
