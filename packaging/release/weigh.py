"""Tells what each part of the frozen program weighs, on disk and packed, and holds the limit.

Packed is measured with xz at its quickest setting, part by part: the packages, which take their
time, are smaller. A language model is shown and not counted.
"""

from __future__ import annotations

import lzma
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from release.plan import BuildFailed, Plan, require_program

LIMIT_MB = 350
LANGUAGE_MODEL = "language models"
OTHER = "other libraries"

_QUICKEST = 0
_BLOCK = 1 << 20
_PARTS = {
    "opencv": ("cv2/", "opencv_python"),
    "Qt": ("PySide6/", "shiboken6/", "libQt6"),
    "Python": ("base_library.zip", "python3", "libpython"),
    "PyMuPDF": ("pymupdf/", "libmupdf"),
    "chroma": ("chromadb",),
    "onnxruntime": ("onnxruntime/",),
    "llama.cpp": ("llama_cpp", "libllama", "libggml"),
    "OCR models": ("rapidocr/",),
    "search model": ("models/all-minilm", "models/catalog"),
    "exact-words model": ("models/minilm-l12-squad",),
    LANGUAGE_MODEL: ("models/",),
    "numpy": ("numpy",),
    "Pillow": ("PIL/", "pillow"),
    "grammars": ("tree_sitter",),
    "tokenizers": ("tokenizers/",),
    "lxml": ("lxml/",),
    "resources": ("resources/", "desktop_rag/"),
    "libraries of the system": ("lib",),
}
"""How the places of each part begin, below `_internal`; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Weight:
    """One part."""

    name: str
    files: int
    on_disk: int
    packed: int


def run(plan: Plan) -> None:
    """Print the table.

    Raises:
        BuildFailed: there is no frozen program, or it is too large.
    """
    require_program(plan)
    found = weights(plan)
    print("\n".join(table(found)))
    packed = sum(one.packed for one in found if one.name != LANGUAGE_MODEL) / 1e6
    if packed > LIMIT_MB:
        raise BuildFailed(
            f"The program is {packed:.0f} MB packed and must not be more than {LIMIT_MB} MB:"
            " leave out what is not used (packaging/release/trim.py)."
        )


def weights(plan: Plan) -> list[Weight]:
    """Every part, the heaviest first; each file belongs to exactly one."""
    parts: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(plan.program.rglob("*")):
        if path.is_file() and not path.is_symlink():
            parts[part_of(path, plan)].append(path)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(_weighed, parts, parts.values()))
    return sorted(found, key=lambda one: one.on_disk, reverse=True)


def part_of(path: Path, plan: Plan) -> str:
    """The part a file of the program belongs to."""
    if plan.libraries not in path.parents:
        return "modules"  # the executable holds the bytecode of all of them
    place = path.relative_to(plan.libraries).as_posix()
    for name, beginnings in _PARTS.items():
        if place.startswith(beginnings):
            return name
    return OTHER


def table(found: Iterable[Weight]) -> list[str]:
    """The lines to print."""
    rows = [*found]
    lines = [f"{'part':<26}{'files':>7}{'MB on disk':>12}{'MB packed':>12}"]
    lines += [_line(one) for one in rows]
    counted = [one for one in rows if one.name != LANGUAGE_MODEL]
    without = "" if len(counted) == len(rows) else " without language models"
    lines.append(_line(_sum(f"all{without}", counted)))
    return lines


def _sum(name: str, some: list[Weight]) -> Weight:
    return Weight(
        name,
        sum(one.files for one in some),
        sum(one.on_disk for one in some),
        sum(one.packed for one in some),
    )


def _line(one: Weight) -> str:
    return f"{one.name:<26}{one.files:>7}{one.on_disk / 1e6:>12.1f}{one.packed / 1e6:>12.1f}"


def _weighed(name: str, paths: list[Path]) -> Weight:
    """Compress the files of one part behind each other, as in an archive."""
    packer = lzma.LZMACompressor(preset=_QUICKEST)
    packed = on_disk = 0
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                on_disk += len(block)
                packed += len(packer.compress(block))
    return Weight(name, len(paths), on_disk, packed + len(packer.flush()))
