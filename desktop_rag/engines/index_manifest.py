"""The index folder's birth certificate: built from what, up to where, and what of it counts.

    index.lock                     held by the one process that has the folder open
    manifest.json                  names the generations that count, and how much of each
    opening                        there only while the graph is being opened
    keywords/gen-0007/             the keyword store
    matrix/gen-0002/               all vectors, for exact comparison
    vectors/gen-0003/              Chroma's graph over the same vectors; follows the matrix

Everything is decided by one atomic replacement of `manifest.json`. A folder it does not name is
rubbish from a process that was killed, and so is what stands behind the length it records of a
log: both stores are always exactly those of `applied_seq`. Only the graph cannot be cut back; it is
built again when it was being written while the process was killed.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from desktop_rag.storage.flushing import move_into_place

SCHEMA = 2
"""Raise when stores of an older version must not be read."""

MANIFEST = "manifest.json"
OPENING = "opening"
KEYWORDS = "keywords"
MATRIX = "matrix"
VECTORS = "vectors"
_GENERATION = re.compile(r"gen-(\d{4,})")


@dataclass(frozen=True, slots=True)
class StoreRecord:
    """What counts of a store: its generation (a folder name), and how to know it again."""

    generation: str
    length: int = 0
    """Of its log: bytes of a journal, entries of a matrix."""
    chunks: int = 0
    checksum: int = 0
    """`domain.checksums` of the chunk numbers."""


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """Which part of the matrix's log the graph holds."""

    generation: str
    entries: int = 0
    is_clean: bool = True
    """False from before its first write until all of it is on disk."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `manifest.json` says."""

    schema: int
    fingerprint: str
    """Of the embedder that made the vectors."""
    applied_seq: int
    keywords: StoreRecord
    matrix: StoreRecord
    graph: GraphRecord


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest, or `None` when there is none that this version understands."""
    try:
        raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        manifest = Manifest(
            schema=raw["schema"],
            fingerprint=raw["fingerprint"],
            applied_seq=raw["applied_seq"],
            keywords=StoreRecord(**raw["keywords"]),
            matrix=StoreRecord(**raw["matrix"]),
            graph=GraphRecord(**raw["graph"]),
        )
        records = (manifest.keywords, manifest.matrix, manifest.graph)
        is_sound = (
            manifest.schema == SCHEMA
            and isinstance(manifest.applied_seq, int)
            and all(_is_sound(record) for record in records)
        )
    except (OSError, ValueError, TypeError, LookupError):
        return None
    return manifest if is_sound else None


def _is_sound(record: StoreRecord | GraphRecord) -> bool:
    numbers = [getattr(record, one.name) for one in fields(record) if one.name != "generation"]
    is_number = all(isinstance(number, int) and number >= 0 for number in numbers)
    return is_number and _GENERATION.fullmatch(record.generation) is not None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step; on disk when it returns."""
    temporary = folder / (MANIFEST + ".tmp")
    temporary.write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")
    move_into_place(temporary, folder / MANIFEST)


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
