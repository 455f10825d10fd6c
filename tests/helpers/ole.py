"""Writes small OLE containers, as Outlook messages are, after [MS-CFB]."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Union

Folder = Mapping[str, Union[bytes, "Folder"]]

_SECTOR, _MINI = 512, 64
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STORAGE, _STREAM, _ROOT = 1, 2, 5


class _Entries:
    """Directory entries, and the streams they lead to one after the other in 64-byte sectors."""

    def __init__(self, folder: Folder) -> None:
        self._rows: list[tuple[str, int, int, int, int, int]] = [("", 0, 0, 0, 0, 0)]
        self.data = b""
        self.links: list[int] = []
        first = self._add(folder)
        start = 0 if self.data else _END
        self._rows[0] = ("Root Entry", _ROOT, _FREE, first, start, len(self.data))

    def _add(self, folder: Folder) -> int:
        """Number of the first entry of a folder; each names the next as its right neighbour."""
        following = _FREE
        for name, content in reversed(list(folder.items())):
            number = len(self._rows)
            self._rows.append(("", 0, 0, 0, 0, 0))
            if isinstance(content, bytes):
                start, size = self._place(content), len(content)
                self._rows[number] = (name, _STREAM, following, _FREE, start, size)
            else:
                child = self._add(content)
                self._rows[number] = (name, _STORAGE, following, child, 0, 0)
            following = number
        return following

    def _place(self, content: bytes) -> int:
        if not content:
            return _END
        assert len(content) < 4096, "longer streams do not belong here"
        first, count = len(self.links), -(-len(content) // _MINI)
        self.links += [*range(first + 1, first + count), _END]
        self.data += content.ljust(count * _MINI, b"\0")
        return first

    def packed(self, root_start: int) -> bytes:
        packed = b""
        for name, kind, right, child, start, size in self._rows:
            wide = name.encode("utf-16-le") + b"\0\0"
            at = root_start if kind == _ROOT else start
            packed += wide.ljust(64, b"\0")
            packed += struct.pack("<HBBIII", len(wide), kind, 1, _FREE, right, child)
            packed += bytes(36) + struct.pack("<IQ", at, size)
        return packed


def make_ole(path: Path, folder: Folder) -> Path:
    """Write streams (bytes, below 4 KB each) and folders of them."""
    entries = _Entries(folder)
    mini_fat = struct.pack(f"<{len(entries.links)}I", *entries.links)
    parts = [_padded(entries.packed(0)), _padded(mini_fat, b"\xff"), _padded(entries.data)]
    starts, links = [], [_FAT]
    for part in parts:
        first, count = len(links), len(part) // _SECTOR
        starts.append(first)
        links += [*range(first + 1, first + count), _END]
    parts[0] = _padded(entries.packed(starts[2]))
    assert len(links) <= _SECTOR // 4, "one sector of links is all there is"
    fat = struct.pack(f"<{len(links)}I", *links).ljust(_SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIII4xI", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, starts[0], 4096)
    head += struct.pack("<IIIII", starts[1], len(parts[1]) // _SECTOR, _END, 0, 0)
    path.write_bytes(head.ljust(_SECTOR, b"\xff") + fat + b"".join(parts))
    return path


def _padded(data: bytes, fill: bytes = b"\0") -> bytes:
    return data.ljust(max(-(-len(data) // _SECTOR), 1) * _SECTOR, fill)
