"""Makes the files `.run`: an installer for Linux that needs no root, and what it unpacks.

A text for any POSIX shell, then three parts that it finds by their offsets: a tar with xz for
systems without it, the program as a tar.xz, and in the complete variant a tar with a language
model, which does not get smaller. The same input gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from release.linux_share import write_share
from release.needs import glibc_of
from release.plan import (
    PACKAGING,
    BuildFailed,
    Plan,
    call,
    digest_of,
    require_licences,
    require_program,
    said,
)
from release.shipped_model import ShippedModel, shipped_model
from release.steady_tar import Tar

INSTALLER = PACKAGING / "linux" / "installer"
COMPRESSION = ("--x86", "--lzma2=preset=6,dict=64MiB")
"""Measured in packaging/README.md."""
_BLOCK = 4096
_SPARE_KB = 64 * 1024
_XZ_LICENCE = Path("/usr/share/doc/xz-utils/copyright")


@dataclass(frozen=True, slots=True)
class Part:
    """One part behind the text."""

    path: Path
    unpacked_kb: int = 0
    files: int = 0

    @property
    def size(self) -> int:
        """In bytes."""
        return self.path.stat().st_size

    @property
    def sum(self) -> str:
        """SHA-256."""
        return digest_of(self.path)


def run(plan: Plan) -> None:
    """Write the file without a language model and, when there is a model, the one with it.

    Raises:
        BuildFailed: the program is not frozen, has no licence texts, or xz is missing.
    """
    require_program(plan)
    require_licences(plan)
    model = shipped_model(plan)
    with tempfile.TemporaryDirectory(dir=plan.dist) as folder:
        scratch = Path(folder)
        tools = tools_part(plan, scratch / "tools.tar")
        program = program_part(plan, scratch)
        nothing = Part(scratch / "nothing")
        nothing.path.touch()
        write_run(plan, "desktop-rag", [tools, program, nothing], None)
        if model is None:
            print("No language model is installed: the complete variant is left out.")
            return
        part = model_part(plan, model, scratch / "model.tar")
        write_run(plan, "desktop-rag-complete", [tools, program, part], model)


def write_run(plan: Plan, name: str, parts: list[Part], model: ShippedModel | None) -> Path:
    """Join text and parts into one file that may be executed."""
    machine = platform.machine()
    target = plan.out / f"{name}-{plan.version}-linux-{machine}.run"
    partial = target.with_suffix(".partial")
    with partial.open("wb") as whole:
        whole.write(header(values(plan, parts, model)))
        for part in parts:
            with part.path.open("rb") as data:
                shutil.copyfileobj(data, whole, 1 << 20)
    partial.chmod(0o755)
    os.utime(partial, (plan.epoch, plan.epoch))
    partial.replace(target)
    print(f"{target.name}: {target.stat().st_size / 1e6:.0f} MB")
    return target


def values(plan: Plan, parts: list[Part], model: ShippedModel | None) -> dict[str, str]:
    """What the text is told about the parts."""
    told = {
        "VERSION": plan.version,
        "MACHINE": platform.machine(),
        "GLIBC": glibc_of(plan),
        "MODEL": model.id if model else "",
        "FILES": str(parts[1].files),
        "NEEDED_KB": str(sum(part.unpacked_kb for part in parts) + _SPARE_KB),
    }
    for name, part in zip(("TOOLS", "PROGRAM", "MODEL"), parts, strict=True):
        told |= {f"{name}_SIZE": str(part.size), f"{name}_SUM": part.sum}
    return told


def installer_text() -> str:
    """The text for the shell, with names in `@` where figures belong."""
    return "".join(part.read_text(encoding="utf-8") for part in sorted(INSTALLER.glob("*.sh")))


def header(told: Mapping[str, str]) -> bytes:
    """The text with its figures, as long as it says itself, and with the sum of all other lines."""
    text = installer_text()
    for name, value in told.items():
        text = text.replace(f"@{name}@", value)
    size = -(-(len(text.encode()) + 64) // _BLOCK) * _BLOCK
    text = text.replace("@HEADER@", str(size))
    rest = size - len(text.replace("@HEADER_SUM@", "0" * 64).encode())
    text += "\n" * rest
    summed = "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("HEADER_SUM=")
    )
    return text.replace("@HEADER_SUM@", hashlib.sha256(summed.encode()).hexdigest()).encode()


def tools_part(plan: Plan, path: Path) -> Part:
    """A tar with this system's xz and its library.

    Raises:
        BuildFailed: there is no xz, or it does not name its library.
    """
    xz = shutil.which("xz")
    library = re.search(r"liblzma\S* => (\S+)", said(["ldd", xz])) if xz else None
    if not xz or not library:
        raise BuildFailed("xz is missing: install xz-utils and run this step again.")
    with Tar(path, plan.epoch) as tar:
        tar.add(Path(library[1]).resolve(), ".tools/liblzma.so.5", is_executable=False)
        tar.add(Path(xz).resolve(), ".tools/xz", is_executable=True)
        if _XZ_LICENCE.is_file():
            tar.add(_XZ_LICENCE, ".tools/copyright", is_executable=False)
    return Part(path)


def program_part(plan: Plan, scratch: Path) -> Part:
    """The frozen program with what a desktop is told of it, as a tar.xz."""
    extra = scratch / "extra"
    write_share(plan, extra / "share")
    (extra / "_internal").mkdir()
    (extra / "_internal" / "bundle").write_text(f"{plan.version}\n", encoding="utf-8")
    links = dict(link_targets(plan.program))
    text = "".join(f"{name}\t{target}\n" for name, target in sorted(links.items()))
    (extra / "_internal" / "links").write_text(text, encoding="utf-8")
    tarred, size, files = scratch / "program.tar", 0, 0
    with Tar(tarred, plan.epoch) as tar:
        for path, name in sorted((*contents(plan.program), *contents(extra)), key=lambda p: p[1]):
            tar.add(path, name, is_executable=os.access(path, os.X_OK))
            size += -(-path.stat().st_size // _BLOCK) * _BLOCK
            files += 1
    return Part(compressed(tarred), size // 1024, files)


def contents(folder: Path) -> Iterator[tuple[Path, str]]:
    """The files of a folder and their names in it; no links, and no language model."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.suffix != ".gguf":
            yield path, path.relative_to(folder).as_posix()


def link_targets(folder: Path) -> Iterator[tuple[str, str]]:
    """The links of a folder that lead to its files, by name: a stick gets copies instead."""
    for path in folder.rglob("*"):
        if path.is_symlink() and path.exists():
            yield path.relative_to(folder).as_posix(), str(path.readlink())


def compressed(path: Path) -> Path:
    """The file as `.xz`; tells time and size. The number of threads does not change the bytes."""
    started, size = time.monotonic(), path.stat().st_size
    call(["xz", "--threads=2", "--block-size=256MiB", "--check=crc32", *COMPRESSION, path])
    result = path.with_name(f"{path.name}.xz")
    seconds = time.monotonic() - started
    print(f"xz: {size / 1e6:.0f} MB to {result.stat().st_size / 1e6:.0f} MB in {seconds:.0f} s")
    return result


def model_part(plan: Plan, model: ShippedModel, path: Path) -> Part:
    """A tar with a language model where the program looks for one that it brings."""
    with Tar(path, plan.epoch) as tar:
        for here, there in model.placed(Path("_internal")):
            tar.add(here, there.as_posix(), is_executable=False)
    return Part(path, model.size // 1024)
