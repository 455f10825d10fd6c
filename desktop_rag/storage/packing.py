"""Compact bytes for the many small records of a document: its blocks and its lines."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import msgspec

from desktop_rag.domain.documents import Block, BlockKind, Line, Part, RecognisedPage

_BLOCK = struct.Struct("<BBII")
_LINE = struct.Struct("<II4f")
_KINDS = tuple(BlockKind)


def pack_blocks(blocks: Sequence[Block]) -> bytes:
    """10 bytes a block (kind, level, start, end), deflated."""
    return zlib.compress(
        b"".join(_BLOCK.pack(_KINDS.index(b.kind), b.level, b.start, b.end) for b in blocks)
    )


def unpack_blocks(packed: bytes) -> tuple[Block, ...]:
    """The opposite of `pack_blocks`."""
    rows = _BLOCK.iter_unpack(zlib.decompress(packed))
    return tuple(Block(_KINDS[kind], start, end, level) for kind, level, start, end in rows)


def pack_lines(lines: Sequence[Line]) -> bytes:
    """24 bytes a line (start, end, float32 rectangle in points), deflated."""
    rows = ((line.start, line.end, line.x0, line.y0, line.x1, line.y1) for line in lines)
    return zlib.compress(b"".join(_LINE.pack(*row) for row in rows))


def unpack_lines(packed: bytes) -> tuple[Line, ...]:
    """The opposite of `pack_lines`, to float32 precision."""
    return tuple(Line(*row) for row in _LINE.iter_unpack(zlib.decompress(packed)))


def pack_parts(parts: Sequence[Part]) -> bytes:
    """JSON, deflated; empty for none."""
    return zlib.compress(msgspec.json.encode(parts)) if parts else b""


def unpack_parts(packed: bytes) -> tuple[Part, ...]:
    """The opposite of `pack_parts`."""
    if not packed:
        return ()
    return msgspec.json.decode(zlib.decompress(packed), type=tuple[Part, ...])


def pack_recognised(page: RecognisedPage) -> bytes:
    """JSON, deflated."""
    return zlib.compress(msgspec.json.encode(page))


def unpack_recognised(packed: bytes) -> RecognisedPage:
    """The opposite of `pack_recognised`."""
    return msgspec.json.decode(zlib.decompress(packed), type=RecognisedPage)
