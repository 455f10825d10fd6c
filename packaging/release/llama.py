"""Builds llama.cpp for every processor: one library, and its calculating part once for each kind.

The result lies in `packaging/cache/llama-<digest>` and is built again only when the version or the
options change. A frozen program contains it when it is there; see `desktop-rag.spec`.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from environment import BUILD_PINS, requirement_of

from release.plan import CACHE, PACKAGING, BuildFailed, Plan, call, said

PACKAGE = "llama-cpp-python"
WITHOUT_HELPERS = PACKAGING / "llama_library_only.cmake"
BUILDS = ("-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON")
STAMP = "whole.json"
_VARIANT = re.compile(r"(?:lib)?ggml-cpu-\w+\.(?:so|dll)")
_WIDE = re.compile(r"\sv[a-z0-9]+ .*%[xyz]mm")
"""An instruction of AVX in what objdump prints."""


def run(plan: Plan) -> None:
    """Build it, unless it is there, and look whether it is what it should be.

    Raises:
        BuildFailed: the compilation failed, or its result does not run everywhere.
    """
    del plan
    folder = portable_folder()
    if is_whole(folder):
        print(f"llama.cpp for every processor is there: {folder}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        wheel = build(Path(scratch))
        keep(wheel, folder)
    print(f"llama.cpp for every processor: {folder}, builds: {', '.join(variants(folder))}")


def options() -> tuple[str, ...]:
    """What CMake is told.

    On a Mac with Apple's processor one build serves all of them, and Metal does most of the work.
    """
    usual = ("-DLLAVA_BUILD=OFF", "-DGGML_NATIVE=OFF")
    is_apple = sys.platform == "darwin" and platform.machine() == "arm64"
    return usual if is_apple else (*usual, *BUILDS)


def portable_folder() -> Path:
    """Where the build of this version with these options is kept, whether it is there or not."""
    parts = [requirement_of(PACKAGE), *options(), sys.platform, platform.machine()]
    parts += [file.read_text(encoding="utf-8") for file in (BUILD_PINS, WITHOUT_HELPERS)]
    return CACHE / f"llama-{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:12]}"


def is_whole(folder: Path) -> bool:
    """Whether all files of a build are there; the list of them was written last."""
    try:
        sizes = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError):
        return False


def build(scratch: Path) -> Path:
    """Compile the pinned version; 14 minutes on one core."""
    pinned = scratch / "llama.txt"
    pinned.write_text(requirement_of(PACKAGE), encoding="utf-8")
    include = f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={WITHOUT_HELPERS.as_posix()}"
    call(
        [
            sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--no-binary",
            PACKAGE, "--require-hashes", "-r", pinned, "--wheel-dir", scratch,
        ],
        {
            "CMAKE_ARGS": " ".join([*options(), include]),
            "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 2),
            "PIP_BUILD_CONSTRAINT": str(BUILD_PINS),
        },
    )  # fmt: skip
    return next(scratch.glob("*.whl"))


def keep(wheel: Path, folder: Path) -> None:
    """Unpack a wheel into the cache: the package with all libraries side by side.

    Raises:
        BuildFailed: the wheel has no builds, or its library does not run everywhere.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            target = place_of(entry.filename)
            if target is not None:
                file = folder / target
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(archive.read(entry))
    check(folder)
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    sizes = {file.relative_to(folder).as_posix(): file.stat().st_size for file in files}
    (folder / STAMP).write_text(json.dumps(sizes, indent=0), encoding="utf-8")


def place_of(name: str) -> PurePosixPath | None:
    """Where a file of the wheel goes; `None` for what a program needs not.

    The builds lie in `bin`. Of each library on Linux the wheel holds three copies under names that
    should be links: that kept is the one by which it is loaded.
    """
    path = PurePosixPath(name)
    if _VARIANT.fullmatch(path.name):
        return PurePosixPath("llama_cpp/lib", path.name)
    if path.parts[0] not in ("llama_cpp", f"{path.parts[0].partition('.dist-info')[0]}.dist-info"):
        return None
    if ".so" not in path.name:
        return path
    wanted = r"libllama\.so" if path.name.startswith("libllama") else r"lib.*\.so\.\d+"
    return path if re.fullmatch(wanted, path.name) else None


def variants(folder: Path) -> list[str]:
    """The files of the builds."""
    files = (folder / "llama_cpp" / "lib").glob("*")
    return sorted(file.name for file in files if _VARIANT.fullmatch(file.name))


def check(folder: Path) -> None:
    """Look into what was built.

    Raises:
        BuildFailed: there is nothing to choose from, or what is loaded first needs AVX.
    """
    if BUILDS[0] in options() and not variants(folder):
        raise BuildFailed(f"The wheel of {PACKAGE} has no builds for single processors.")
    for library in sorted((folder / "llama_cpp" / "lib").glob("lib*.so*")):
        if _VARIANT.fullmatch(library.name) or not shutil.which("objdump"):
            continue
        if _WIDE.search(said(["objdump", "-d", "--no-show-raw-insn", library])):
            raise BuildFailed(f"{library.name} has AVX instructions: it does not run everywhere.")
