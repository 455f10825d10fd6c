"""Reads the header of a GGUF file: is it one at all, and how much memory will it want.

Only the first metadata values are read; the vocabulary (hundreds of thousands of strings) is not,
nor is the table of tensors: `storage.model_gguf_extent` does that when a file is taken in.
Layout: magic, version, tensor count, metadata count, then key-value pairs, all little-endian, as
laid down in the GGUF specification of the ggml project.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from desktop_rag.domain.errors import ModelDamaged

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
_SCALARS = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q",
    12: "<d",
}  # fmt: skip
_MAX_COUNT = 1_000_000
_MAX_STRING = 1 << 20


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What the header says. Numbers are 0 when it does not say."""

    architecture: str
    name: str
    context: int
    kv_bytes_per_token: int
    """Bytes of key-value cache a token takes at 16 bits."""
    licence: str = ""
    """As the file names it, e.g. `apache-2.0`."""


def read_gguf_header(path: Path) -> GgufHeader:
    """Check the magic and the counts and read the metadata before the vocabulary.

    Raises:
        ModelDamaged: not a GGUF file, or its header is cut off or absurd.
    """
    try:
        with path.open("rb") as file:
            return _header(_metadata(file))
    except (OSError, EOFError, KeyError, ValueError, struct.error) as exc:
        raise ModelDamaged(
            f"{path} is not a whole GGUF model file: download or copy it again."
        ) from exc


def _metadata(file: BinaryIO) -> dict[str, str | float]:
    if _exactly(file, 4) != _MAGIC:
        raise ValueError("no GGUF magic")
    version, tensors, count = struct.unpack("<IQQ", _exactly(file, 20))
    if version not in _VERSIONS or not 0 < tensors < _MAX_COUNT or count > _MAX_COUNT:
        raise ValueError("absurd GGUF header")
    values: dict[str, str | float] = {}
    for _ in range(count):
        key = _string(file)
        kind = _scalar(file, "<I")
        if kind == _ARRAY:
            break  # the vocabulary begins; what we want stands before it
        values[key] = _string(file) if kind == _STRING else _scalar(file, _SCALARS[int(kind)])
    return values


def _header(values: dict[str, str | float]) -> GgufHeader:
    arch = str(values.get("general.architecture", ""))

    def number(key: str) -> int:
        return int(values.get(f"{arch}.{key}", 0) or 0)

    heads = number("attention.head_count")
    head_size = number("embedding_length") // heads if heads else 0
    key = number("attention.key_length") or head_size
    value = number("attention.value_length") or head_size
    kv_heads = number("attention.head_count_kv") or heads
    return GgufHeader(
        architecture=arch,
        name=str(values.get("general.name", "")),
        context=number("context_length"),
        kv_bytes_per_token=number("block_count") * kv_heads * (key + value) * 2,
        licence=str(values.get("general.license", "")),
    )


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise EOFError("header cut off")
    return data


def _string(file: BinaryIO) -> str:
    size = int(_scalar(file, "<Q"))
    if size > _MAX_STRING:
        raise ValueError("absurd string length")
    return _exactly(file, size).decode("utf-8", "replace")


def _scalar(file: BinaryIO, form: str) -> float:
    value: float = struct.unpack(form, _exactly(file, struct.calcsize(form)))[0]
    return value
