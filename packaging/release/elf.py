"""The program headers of a library of Linux: which parts of it the loader reads, and where."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

LOAD, DYNAMIC = 1, 2
_64_BIT = b"\x7fELF\x02\x01"


class Header(NamedTuple):
    """One part of the file."""

    kind: int
    offset: int
    """Where it begins in the file."""
    address: int
    """Where it is mapped."""
    size: int
    """Bytes in the file."""
    align: int
    """Offset and address are equal in steps of this; 0 is as good as 1."""


def is_64_bit(data: bytes | bytearray) -> bool:
    """Whether it is for 64 bits and little-endian, as all that is built here."""
    return data.startswith(_64_BIT)


def program_headers(data: bytes | bytearray) -> Iterator[Header]:
    """Those of a file that `is_64_bit`."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for at in range(table, table + size * count, size):
        kind, _flags, offset, address, _physical, length, _memory, align = struct.unpack_from(
            "<IIQQQQQQ", data, at
        )
        yield Header(kind, offset, address, length, align)
