"""Tells whether a GGUF file holds all the bytes its table of tensors speaks of.

A download that broke off has a perfect header: only the place of the last tensor shows that the
end is missing. The file is mapped, so that hundreds of thousands of words of a vocabulary are
stepped over in a fraction of a second and no weight is read.
"""

from __future__ import annotations

import math
import mmap
import struct
from pathlib import Path

from desktop_rag.domain.errors import ModelDamaged
from desktop_rag.storage.model_files import in_words

_STRING, _ARRAY = 8, 9
_SCALAR_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_UINT16, _UINT32 = 2, 4
_ALIGNMENT = 32
_MAX_COUNT, _MAX_DIMENSIONS = 1_000_000, 8
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
"""Weights in a block and bytes of one, by the number of a tensor's type (`ggml_type`)."""


def check_gguf_is_whole(path: Path) -> None:
    """Compare the extents of all tensors with the size of the file.

    Raises:
        ModelDamaged: the end is missing, the table makes no sense, or it is one part of several.
    """
    size = path.stat().st_size
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            table = _Table(data)
            needed, parts = table.end(), table.parts
    except (OSError, ValueError, KeyError, OverflowError, struct.error) as exc:
        raise ModelDamaged(
            f"{path} is not a whole GGUF model file: download or copy it again."
        ) from exc
    if parts > 1:
        raise ModelDamaged(
            f"{path.name} is one of {parts} parts of a model: get the model as a single .gguf file."
        )
    if size < needed:
        raise ModelDamaged(
            f"{path.name} is cut off: {in_words(size)} of {in_words(needed)} are there "
            f"({needed - size:,} bytes are missing). Download or copy it again."
        )


class _Table:
    """Walks through metadata and tensor descriptions. Whatever makes no sense is a ValueError."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = 0
        self._alignment = _ALIGNMENT
        self.parts = 1
        """In how many files the model was cut."""

    def end(self) -> int:
        """Where the last byte of the last tensor has to be."""
        self._skip(8)  # magic and version were looked at before
        tensors, count = self._number("<Q"), self._number("<Q")
        if not 0 < tensors < _MAX_COUNT or count > _MAX_COUNT:
            raise ValueError("absurd counts")
        for _ in range(count):
            self._pass_value()
        end = max(self._tensor_end() for _ in range(tensors))
        return -(-self._at // self._alignment) * self._alignment + end

    def _pass_value(self) -> None:
        key, kind = self._text(), self._number("<I")
        if key == b"general.alignment" and kind == _UINT32:
            self._alignment = self._number("<I") or _ALIGNMENT
        elif key == b"split.count" and kind == _UINT16:
            self.parts = self._number("<H")
        elif kind == _ARRAY:
            self._pass_array()
        elif kind == _STRING:
            self._skip(self._number("<Q"))
        else:
            self._skip(_SCALAR_SIZES[kind])

    def _pass_array(self) -> None:
        kind, count = self._number("<I"), self._number("<Q")
        if kind != _STRING:
            self._skip(_SCALAR_SIZES[kind] * count)
            return
        data, at, unpack = self._data, self._at, struct.Struct("<Q").unpack_from
        for _ in range(count):  # the hot loop of a large vocabulary
            at += 8 + unpack(data, at)[0]
        self._at = at

    def _tensor_end(self) -> int:
        """End of the next tensor, from where the weights begin."""
        self._text()
        dimensions = self._number("<I")
        if dimensions > _MAX_DIMENSIONS:
            raise ValueError("absurd tensor")
        weights = math.prod(self._number("<Q") for _ in range(dimensions))
        kind, offset = self._number("<I"), self._number("<Q")
        # Of a type that is newer than this table, at least the beginning must be there.
        per_block, block_size = _BLOCKS.get(kind, (weights or 1, 1))
        return offset + -(-weights // per_block) * block_size

    def _text(self) -> bytes:
        size = self._number("<Q")
        begin = self._at
        self._skip(size)
        return self._data[begin : self._at]

    def _number(self, form: str) -> int:
        value: int = struct.unpack_from(form, self._data, self._at)[0]
        self._at += struct.calcsize(form)
        return value

    def _skip(self, size: int) -> None:
        self._at += size
        if self._at > len(self._data):
            raise ValueError("the table is cut off")
