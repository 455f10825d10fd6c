"""The index folder's birth certificate: built from what, up to where, and whether it is whole.

    index.lock                     held by the one process that has the folder open
    manifest.json                  names the two generations that count
    opening                        there only while stores are being opened
    vectors/gen-0003/              the vector store
    keywords/gen-0007/             the keyword store

Everything is decided by one atomic replacement of `manifest.json`. A folder it does not name is
rubbish from a process that was killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

SCHEMA = 1
"""Raise when stores of an older version must not be read."""

MANIFEST = "manifest.json"
OPENING = "opening"
VECTORS = "vectors"
KEYWORDS = "keywords"
_GENERATION = re.compile(r"gen-(\d{4,})")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `manifest.json` says. Generations are folder names inside `vectors/` and `keywords/`."""

    schema: int
    fingerprint: str
    applied_seq: int
    chunks: int
    is_clean: bool
    """False from before the first write of a batch until both stores hold all of it."""
    vectors: str
    keywords: str


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest, or `None` when there is none that this version understands."""
    try:
        raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        manifest = Manifest(**raw)
        names = (manifest.vectors, manifest.keywords)
        is_sound = (
            manifest.schema == SCHEMA
            and isinstance(manifest.applied_seq, int)
            and isinstance(manifest.chunks, int)
            and all(_GENERATION.fullmatch(name) for name in names)
        )
    except (OSError, ValueError, TypeError):
        return None
    return manifest if is_sound else None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step; on disk when it returns."""
    temporary = folder / (MANIFEST + ".tmp")
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / MANIFEST)


def next_generation(parent: Path) -> str:
    """A folder name that was not used yet."""
    names = [entry.name for entry in parent.iterdir()] if parent.is_dir() else []
    numbers = [int(match[1]) for name in names if (match := _GENERATION.fullmatch(name))]
    return f"gen-{max(numbers, default=0) + 1:04d}"


def remove_others(parent: Path, keep: str) -> None:
    """Remove all generations but one. What cannot be removed now is tried again next time."""
    if not parent.is_dir():
        return
    for entry in parent.iterdir():
        if entry.name != keep:
            shutil.rmtree(entry, ignore_errors=True)
